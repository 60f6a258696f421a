//! `percept mcp`: the commands as tools for assistants, over the Model Context Protocol.
//!
//! A call of a tool is a command of this program in a process of its own: `tools` has, for each tool, its arguments and
//! the command line. So a tool answers what the command answers, keeps the command's limits on time and memory, and
//! its end harms no other call.
//!
//! | to | go to |
//! | --- | --- |
//! | add a tool, or an argument of one | `tools` |
//! | change which files a tool may see, or where a text becomes a file | `desk.rs` |
//! | change how a command is run, ended and followed | `child.rs` |
//! | change what is left out of an answer | `short.rs`, and `short` of the tool |
//! | add a page, an example, or a prompt | `library.rs`, `prompts.rs` |

mod child;
mod desk;
mod library;
mod prompts;
mod server;
mod short;
mod tools;

use std::path::PathBuf;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use crate::args::Mcp;
use crate::failure::{Failure, OK, Outcome};

/// The most bytes that a call may use, unless `--memory` says otherwise.
const MEMORY: usize = 2 << 30;

/// The limits of every call.
#[derive(Clone, Debug)]
struct House {
    /// The folders named on the command line.
    folders: Vec<PathBuf>,
    /// The time of a call that names none.
    time: Duration,
    /// The most bytes that a call may use.
    memory: usize,
    /// The most calls at the same time.
    jobs: usize,
}

/// Serves until the client closes standard input.
pub(crate) fn run(args: &Mcp, memory: Option<usize>) -> Outcome {
    for folder in args.folders.iter().filter(|folder| !folder.is_dir()) {
        return Err(Failure::new(format!("{} is not a folder", folder.display())));
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let house = House {
        folders: args.folders.clone(),
        time: args.time,
        memory: memory.unwrap_or(MEMORY),
        jobs: args.jobs.map_or(cores, usize::from),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(format!("the server could not be started: {error}")))?;
    let ended = runtime.block_on(async {
        let running = server::Server::new(house).serve(stdio()).await.map_err(|error| error.to_string())?;
        running.waiting().await.map_err(|error| error.to_string())
    });
    // A read of standard input that waits for more would hold the process back.
    runtime.shutdown_background();
    ended.map(|_| OK).map_err(|error| Failure::new(format!("the connection ended: {error}")))
}
