//! One file per command: arguments in, printed result and exit code out.

pub(crate) mod advise;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod debrief;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod generate;
pub(crate) mod infoset;
pub(crate) mod learn;
pub(crate) mod lsp;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod observe;
pub(crate) mod page;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod prove;
pub(crate) mod solve;
pub(crate) mod step;
pub(crate) mod table;
pub(crate) mod test;
pub(crate) mod tournament;
pub(crate) mod worth;
