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
//! | change how a command is run, ended and followed | `child.rs`; its answer is read in `call.rs` |
//! | change what is left out of an answer | `short.rs`, and `short` of the tool |
//! | add a page, an example, or a prompt | `library.rs`, `prompts.rs` |

mod call;
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

/// Calls a tool from this process, with the game as a text.
///
/// # Errors
/// The message that an assistant would read.
#[cfg(feature = "bench")]
pub(crate) fn ask(tool: &str, given: serde_json::Value) -> Result<serde_json::Value, String> {
    let entry = tools::all().into_iter().find(|it| it.tool.name == tool).ok_or("there is no such tool")?;
    let serde_json::Value::Object(given) = given else { return Err("arguments are an object".to_string()) };
    let call = (entry.read)(given)?;
    let house = House { folders: Vec::new(), time: Duration::from_secs(20), memory: MEMORY, jobs: 1 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let never = tokio_util::sync::CancellationToken::new();
    let mut silent = |_| {};
    let answered = call::answered(&*call, Vec::new(), &house, &never, &mut silent);
    runtime.map_err(|error| error.to_string())?.block_on(answered).map(|it| it.data)
}

/// Serves until the client closes standard input.
pub(crate) fn run(args: &Mcp, memory: Option<usize>) -> Outcome {
    if let Some(folder) = args.folders.iter().find(|folder| !folder.is_dir()) {
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
