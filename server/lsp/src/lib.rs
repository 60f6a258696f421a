//! # percept-lsp: the language server
//!
//! In: LSP 3.17 on standard input. Out: the answers of `percept-report`, `percept-analysis`, `percept-game` and
//! `percept-infoset`, in the protocol's words. The only crate that knows `lsp_types`.
//!
//! Never known here: the meaning of a rule, the course of a match. A handler translates; it has no logic of its own.
//!
//! ```text
//! stdin -> stdio::Input -> Ingress (order; edits; snapshots; cancellation) -> tower-lsp -> backend -> requests/*
//!                             |                                                                 on a worker thread
//!                             +-> Analysis (one thread, newest snapshot) -> publishDiagnostics
//!                             +-> Judging (one thread, after a pause) -> has Analysis look again
//! stdout <- stdio::Output (never blocks) <----------------------------------------------------------+
//! ```
//!
//! [`run`] is the whole program behind `percept lsp`.

#![warn(missing_docs, unreachable_pub)]

mod actor;
mod backend;
mod basis;
mod cancel;
mod capabilities;
mod commands;
mod counts;
mod diagnostics;
mod disk;
mod documents;
mod file;
mod games;
mod good;
mod ingress;
mod judging;
mod kept;
mod kinds;
mod memory;
mod newest;
mod outbox;
mod parent;
mod place;
mod positions;
mod prices;
mod program;
mod project;
mod requests;
mod rulebook;
mod session;
mod settings;
mod shared;
mod sittings;
mod snapshot;
mod state;
mod stdio;
mod sync;
mod traces;
mod units;
mod verdicts;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tower_lsp::{LspService, Server};

pub use crate::program::{BegunTest, Program};

use crate::actor::Analysis;
use crate::cancel::Live;
use crate::ingress::{Ending, Ingress};
use crate::outbox::Outbox;
use crate::state::State;
use crate::stdio::{Input, Output};

/// More requests at once than any editor has: the limit of the protocol library must never keep a cancellation or an
/// edit from being read.
const CONCURRENCY: usize = 4096;
/// Threads for handlers.
const WORKERS: usize = 8;
/// The time that pending answers have to leave after `exit`.
const GRACE: Duration = Duration::from_millis(100);

/// Serves the protocol on standard input and output until `exit` or the end of the input. Some commands call the
/// program's own functions.
///
/// Returns success if the client said `shutdown` first, as the protocol asks.
pub fn run(program: Program) -> ExitCode {
    if std::io::stdin().is_terminal() {
        eprintln!("percept lsp speaks the Language Server Protocol on standard input; an editor starts it.");
    }
    backend::watch_panics();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(WORKERS)
        .build()
        .expect("the system gives a runtime");
    let output = Output::to(std::io::stdout());
    let input = Input::from(std::io::stdin(), output.clone());
    let shut_down = runtime.block_on(serve(program, input, output.clone()));
    output.flush_within(GRACE);
    // Work whose result is no longer needed must not keep the process alive.
    std::process::exit(if shut_down { 0 } else { 1 });
}

/// Serves one session; true if it was shut down in order.
async fn serve(program: Program, input: Input, output: Output) -> bool {
    let mut outbox = None;
    let (service, socket) = LspService::build(|client| {
        outbox = Some(Outbox::to(client));
        backend::Backend
    })
    .finish();
    let outbox = outbox.expect("the builder has called its closure");
    let shared = Arc::new(shared::Shared::of(program));
    let state = State::new(Analysis::start(outbox.clone(), shared.clone()), shared.clone());
    let live = Live::default();
    let ending = Arc::new(Ending::default());
    let ingress = Ingress::new(service, state, outbox, shared, live.clone(), ending.clone());
    let serving = Server::new(input, output, socket).concurrency_level(CONCURRENCY).serve(ingress);
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => {}
        () = ending.exit.notified() => {
            let idle = async {
                while !live.is_empty() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                tokio::task::yield_now().await;
            };
            let _ = tokio::time::timeout(GRACE, async { tokio::select! { () = &mut serving => {}, () = idle => {} } }).await;
        }
    }
    ending.shut_down.load(Ordering::Relaxed)
}
