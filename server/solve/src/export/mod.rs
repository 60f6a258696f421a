//! Games in the formats of other tools: Gambit's extensive form ([`efg`]), clauses ([`dimacs`]), a logic program
//! ([`asp`]).

pub mod asp;
pub mod dimacs;
pub mod efg;

use percept_game::TooLarge;
use percept_infoset::Stop;

/// The reason why a game was not exported.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ExportError {
    #[error("the tree has more than {0} nodes")]
    Nodes(usize),
    #[error("{role} does not know its legal moves after round {round}; an information set needs one list of moves")]
    UnknownMoves { role: String, round: usize },
    #[error("{role} has no legal move after round {round}, and the match is not over")]
    Stuck { role: String, round: usize },
    #[error("{role} does not have exactly one goal in a match that is over after round {round}")]
    Goals { role: String, round: usize },
    #[error("a match is longer than {0} rounds")]
    Endless(usize),
    #[error("the game has numbers ({0}) that clauses cannot represent")]
    Numbers(String),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Stopped(#[from] Stop),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A name or title that can be part of a comment, which ends with the line.
pub(crate) fn in_comment(name: &str) -> String {
    let shown =
        |char: char| if percept_syntax::acts(char) { char.escape_default().to_string() } else { char.to_string() };
    name.chars().map(shown).collect()
}
