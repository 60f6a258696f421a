//! # percept-web: percept in a web page
//!
//! In: a request, one object of JSON, with its texts. Out: the answer, one object of JSON. The crate has no other input
//! or output: no files, no network, no threads. The page around it is `editors/web`.
//!
//! Compiled for `wasm32-wasip1`, the page's worker calls [`percept_answer`]: the request is read from standard input,
//! the answer written to standard output, both provided by the page. Games and indexes are kept from one request to the
//! next ([`desk`]) until their texts change.
//!
//! This crate computes nothing itself. A request is passed to `percept-report`, `percept-analysis` or
//! `percept-infoset`, and the answer translated: offsets count UTF-16 code units, as pages do.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | answer the playground more | `src` (one file per idea), then `editors/web/src`; `tests/editors/web` drives it |

#![warn(missing_docs)]
#![deny(unsafe_code)]

mod desk;
mod editing;
mod knowledge;
mod matches;
mod places;
mod reasons;
mod repairs;

use std::cell::RefCell;
use std::io::{Read, Write};

use serde::Deserialize;
use serde_json::{Value, json};

use desk::Desk;

/// The requests of a page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Question {
    Check(desk::Texts),
    Judge(knowledge::Judge),
    Hover(editing::At),
    Complete(editing::At),
    Definition(editing::At),
    Tokens(editing::Of),
    Format(editing::Of),
    Convert(editing::Of),
    Explain { rule: String },
    Step(matches::Step),
    Infoset(matches::Infoset),
    Observe(knowledge::Observe),
    Prove(knowledge::Prove),
    Beliefs(matches::Beliefs),
    Pair(matches::Pair),
    Why(reasons::Reason),
    Askable(matches::About),
    Rules(reasons::Rules),
    Repair(repairs::Request),
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Reads a request from standard input and writes its answer to standard output.
#[allow(unsafe_code)] // Only the unmangled export is unsafe here.
#[unsafe(no_mangle)]
pub extern "C" fn percept_answer() {
    let mut question = String::new();
    let answer = match std::io::stdin().read_to_string(&mut question) {
        Ok(_) => answer(&question),
        Err(error) => failed(error),
    };
    let mut out = std::io::stdout().lock();
    // An error of the output has no other channel by which to report it.
    let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
}

/// The answer to a request, or `{"error": why}`.
#[must_use]
pub fn answer(question: &str) -> String {
    match serde_json::from_str::<Question>(question) {
        Ok(question) => {
            DESK.with_borrow_mut(|desk| put(desk, question)).map_or_else(failed, |answer| answer.to_string())
        }
        Err(error) => failed(error),
    }
}

fn put(desk: &mut Desk, question: Question) -> Result<Value, String> {
    match question {
        Question::Check(texts) => Ok(editing::check(desk.spread(texts))),
        Question::Judge(judge) => knowledge::judge(desk, judge),
        Question::Hover(at) => Ok(editing::hover(desk, at)),
        Question::Complete(at) => Ok(editing::complete(desk, at)),
        Question::Definition(at) => Ok(editing::definition(desk, at)),
        Question::Tokens(of) => Ok(editing::tokens(desk, of)),
        Question::Format(of) => Ok(editing::format(desk, of)),
        Question::Convert(of) => editing::convert(desk, of),
        Question::Explain { rule } => match percept_report::book::named(&rule) {
            Ok(rule) => Ok(json!({ "page": rule.page })),
            Err(error) => Err(error.to_string()),
        },
        Question::Step(step) => matches::step(desk, step),
        Question::Infoset(infoset) => matches::infoset(desk, infoset),
        Question::Observe(observe) => knowledge::observe(desk, observe),
        Question::Prove(prove) => knowledge::prove(desk, prove),
        Question::Beliefs(beliefs) => matches::beliefs(desk, beliefs),
        Question::Pair(pair) => matches::pair(desk, pair),
        Question::Why(why) => reasons::why(desk, why),
        Question::Askable(about) => reasons::askable(desk, about),
        Question::Rules(rules) => reasons::rules(desk, rules),
        Question::Repair(request) => repairs::repair(desk, request),
    }
}

fn failed(why: impl std::fmt::Display) -> String {
    json!({ "error": why.to_string() }).to_string()
}
