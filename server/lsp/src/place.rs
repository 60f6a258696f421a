//! The context of a request, the state at its place on the wire; and its possible answers.

use std::sync::Arc;

use percept_analysis::ide::rename::RenameError;
use percept_game::NoSuchRole;
use percept_game::pogddl::NoExplanation;
use percept_report::replay::RoundError;
use tower_lsp::lsp_types::ProgressToken;

use crate::cancel::{Live, Token};
use crate::outbox::Outbox;
use crate::shared::Shared;
use crate::snapshot::{File, Snapshot};
use crate::state::State;

/// The state that a request may read: that at its place on the wire.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub snapshot: Arc<Snapshot>,
    /// The token that fires when the client no longer needs the answer.
    pub token: Token,
    pub shared: Arc<Shared>,
    pub outbox: Outbox,
    pub live: Live,
    pub state: State,
    /// The client's name for the progress of the work.
    pub progress: Option<ProgressToken>,
}

impl Place {
    /// Makes an edit of one of these files stop the request, for work that takes so long that its answer would be
    /// useless by then.
    pub(crate) fn rest_on(&self, files: &[Arc<File>]) {
        self.token.rest_on(files.iter().map(|file| file.uri.clone()));
        // An edit that arrived before the line above.
        let newest = self.state.newest();
        let is_old = |file: &Arc<File>| newest.file(&file.uri).is_some_and(|now| now.version != file.version);
        if files.iter().any(is_old) {
            self.token.modify();
        }
    }

    /// Fails if the request was stopped.
    ///
    /// # Errors
    /// The answer to give instead of a result.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match (self.token.is_modified(), self.token.is_cancelled()) {
            (true, _) => Err(Failure::Modified),
            (false, true) => Err(Failure::Cancelled),
            (false, false) => Ok(()),
        }
    }
}

tokio::task_local! {
    pub static PLACE: Place;
}

/// The place of the request whose future is being polled.
///
/// # Panics
/// Outside a request: then the server has been put together without its [`Ingress`](crate::ingress::Ingress).
pub(crate) fn place() -> Place {
    PLACE.with(Clone::clone)
}

/// The reason why a request has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The client took the request back.
    Cancelled,
    /// The text has changed in a way that makes the answer useless.
    Modified,
    /// A message for the author.
    Message(String),
}

/// An error of a library whose text is the whole message.
macro_rules! message {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Message(error.to_string())
            }
        })*
    };
}

message!(NoSuchRole, NoExplanation, RoundError, RenameError);

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

/// The result of a handler.
pub(crate) type Answer<T> = std::result::Result<T, Failure>;
