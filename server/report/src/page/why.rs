//! Explanations: rules with the conditions that they rest on, each with its place in the text.

use super::{Command, Mark, Page};
use crate::editor::{Explanation, Part, Question, WhyAnswer};

/// The explanation of an atom at a place `round` rounds after the start; 0 if earlier places cannot be explained from
/// the page.
pub fn show(page: &mut Page, answer: &WhyAnswer, round: usize) {
    let why = &answer.why;
    // A fluent is explained by the rule that made it hold.
    let inner = |start: &str| why.atom.strip_prefix(start).and_then(|rest| rest.strip_suffix(')'));
    let atom = inner("(next ").or_else(|| inner("(init ")).unwrap_or(&why.atom);
    let title = match (&why.parts, why.holds) {
        // In POGDDL the atom is a sentence.
        (Some(_), _) => atom.to_owned(),
        (None, true) => format!("Why {atom}"),
        (None, false) => format!("Why not {atom}"),
    };
    page.say(title).mark(Mark::Title);
    if let Some(since) = answer.since {
        let when = if since == 0 { "the start".to_owned() } else { format!("round {since}") };
        let more = if since < round { "; enter explains it there" } else { "" };
        let line = page.say(format!("  since {when}{more}")).mark(Mark::Quiet);
        if since < round {
            let question = Question { fluent: Some(atom.to_owned()), at: Some(since), ..Question::default() };
            line.act(Command::Why(question));
        }
    }
    support(page, why, 2);
    page.gap();
}

fn parts(page: &mut Page, all: &[Part], indent: usize) {
    for it in all {
        let line = page.say(format!("{:indent$}{} {}", "", sign(it.holds), it.says));
        line.mark(mark(it.holds)).open(it.location.as_ref());
        parts(page, &it.parts, indent + 2);
    }
}

fn support(page: &mut Page, why: &Explanation, indent: usize) {
    if let Some(all) = &why.parts {
        return parts(page, all, indent);
    }
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for it in why.reasons.iter().flatten() {
        page.say(format!("{:indent$}by {}", "", one_line(&it.text))).mark(Mark::Button).open(Some(&it.rule));
        for literal in &it.support {
            let line = page.say(format!("{:indent$}  {} {}", "", sign(true), literal.literal));
            line.mark(mark(true)).open(Some(&literal.location));
            if let Some(why) = &literal.why {
                support(page, why, indent + 4);
            }
        }
    }
    for it in why.failures.iter().flatten() {
        page.say(format!("{:indent$}not by {}", "", one_line(&it.text))).mark(Mark::Button).open(Some(&it.rule));
        for literal in &it.failed {
            let line = page.say(format!("{:indent$}  {} {}", "", sign(false), literal.literal));
            line.mark(mark(false)).open(Some(&literal.location));
        }
    }
    if why.reasons.iter().flatten().next().is_none() && why.failures.iter().flatten().next().is_none() {
        let says = if why.holds { "it is given and needs no rule" } else { "no rule can derive it" };
        page.say(format!("{:indent$}{says}", "")).mark(Mark::Quiet);
    }
}

fn sign(holds: bool) -> &'static str {
    if holds { crate::signs::KNOWN } else { crate::signs::UNKNOWN }
}

fn mark(holds: bool) -> Mark {
    if holds { Mark::Good } else { Mark::Bad }
}
