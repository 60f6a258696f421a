//! One file per command: arguments in, printed result and exit code out.

pub mod advise;
pub mod bench;
pub mod check;
pub mod completions;
pub mod convert;
pub mod explain;
pub mod export;
pub mod fmt;
pub mod generate;
pub mod infoset;
pub mod learn;
pub mod lsp;
pub mod matches;
pub mod new;
pub mod observe;
pub mod page;
pub mod play;
pub mod player;
pub mod prove;
pub mod solve;
pub mod step;
pub mod test;
pub mod tournament;
pub mod worth;
