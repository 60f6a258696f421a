//! Pages: what is shown of a match, as lines of marked text with actions. Editors and the terminal only paint them.
//!
//! In: the answers of this crate ([`Scene`](crate::scene::Scene), [`Seat`](crate::seat::Seat), verdicts ...) and the
//! [`Session`] of the reader. Out: a [`Page`]. Every decision about order, words and signs is made here; a painter maps
//! each [`Mark`] to a colour, and sends the action under the cursor back.

pub mod boards;
pub mod verdicts;
pub mod views;
pub mod why;

use std::collections::BTreeMap;

use serde::ser::Error;
use serde::{Deserialize, Serialize, Serializer};

use crate::board::Tone;
use crate::editor::{Edit, Question};
use crate::place::InEditor;
use crate::wrap;

/// Lines of marked text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// The lines, each made of pieces of text.
    pub lines: Vec<Vec<Piece>>,
    /// The keys that act on this page.
    pub keys: Vec<Key>,
}

/// A piece of a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Piece {
    /// The characters that are shown.
    pub text: String,
    /// The styles of the text; the last one prevails.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// The probability that shades the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The colour of a sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
    /// The effect of Enter on the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
}

/// The meaning of a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A heading.
    Title,
    /// Secondary text.
    Quiet,
    /// Something that holds or is proved.
    Good,
    /// Something that does not hold or is refuted.
    Bad,
    /// A difference, or a warning.
    Warn,
    /// Something to press.
    Button,
    /// The current round.
    Here,
    /// A move that is picked, or the match among histories.
    Picked,
    /// A percept.
    Percept,
    /// A cell that may be chosen next.
    Open,
    /// A chosen cell.
    Chosen,
    /// The cell under the cursor.
    Cursor,
}

/// The effect of Enter or of a key. The client performs the first two itself, and sends the third to the server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Goes to a place in a text.
    Open(InEditor),
    /// Inserts text.
    Insert(Vec<Edit>),
    /// Changes the session; written as text, because clients only send it back.
    Send(#[serde(serialize_with = "as_text")] Command),
}

fn as_text<S: Serializer>(command: &Command, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&serde_json::to_string(command).map_err(S::Error::custom)?)
}

/// A key with its effect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Key {
    /// The key, such as `h`.
    pub key: String,
    /// The effect in words; keys without words are not listed on the page.
    pub says: String,
    /// The effect.
    pub action: Action,
}

/// A question to the reader, whose answer is sent back with a command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ask {
    /// The question.
    pub prompt: String,
    /// The possible answers.
    pub choices: Vec<String>,
    /// True if other answers may be typed.
    pub typed: bool,
    /// The action that takes the answer.
    pub action: Action,
}

/// The state of a reader, which the client keeps and sends with every request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The shown part.
    pub tab: Tab,
    /// The moves of all rounds, undone ones included; absent: those of the trace.
    pub history: Option<Vec<Vec<String>>>,
    /// The number of rounds played; the end if absent.
    pub at: Option<usize>,
    /// The role whose knowledge is shown.
    pub role: Option<String>,
    /// The role whose view is shown, and nothing else.
    pub eye: Option<String>,
    /// The moves picked for the next round.
    pub picked: Vec<Option<String>>,
    /// The chosen cells.
    pub chosen: Vec<String>,
    /// The explained atom.
    pub why: Option<Question>,
    /// The pairs that are shown as boards, see [`verdicts::Lack::key`].
    pub pairs: Vec<String>,
    /// The shown round of pairs; the last if absent.
    pub pair_at: Option<usize>,
    /// The roles and properties for which repairs are shown.
    pub repairs: Vec<(String, String)>,
    /// The match against other players.
    pub r#match: Option<String>,
    /// The shown round of that match after its end; the last if absent.
    pub review: Option<usize>,
    /// The seat in a match that is about to begin, and the strategies of the other roles.
    pub seat: String,
    /// See `seat`.
    pub players: BTreeMap<String, String>,
    /// The number of random rounds so far.
    pub seed: u64,
}

/// The parts of the stepper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tab {
    /// The state, moves and percepts.
    #[default]
    State,
    /// The beliefs of a role, and the histories that fit.
    Knowledge,
    /// The knowledge of every role along the match.
    Verdict,
    /// The knowledge of every role in every match.
    Proof,
    /// A match against other players.
    Play,
}

/// A change of the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// Shows a part.
    Tab(Tab),
    /// Goes to the state after a round.
    Jump(usize),
    /// Picks a move of a role, by its index; the round is played once every role that has a choice has picked.
    Pick(usize, String),
    /// Plays a round: picked moves, and random ones for the others.
    Play,
    /// Plays a random round, or makes a random move at a seat.
    Random,
    /// Makes a move at a seat.
    Move(String),
    /// Chooses a cell of a board.
    Cell(Spot),
    /// Forgets the chosen cells.
    Clear,
    /// Explains an atom.
    Why(Question),
    /// Explains the atom in the answer. This and the next three ask the reader if there is no answer yet.
    Explain,
    /// Shows a pair of histories as boards.
    Pair(String),
    /// Goes to a round in all pairs.
    Turn(usize),
    /// Searches for percepts that give a role the knowledge of a property.
    Repair(String, String),
    /// Shows the view of a role, or everything.
    Eye(Option<String>),
    /// Shows the knowledge of the role in the answer.
    Know,
    /// Begins a match at the seat in the answer.
    Sit,
    /// Gives a role in that match the strategy in the answer.
    Player(String),
    /// Gives up the match.
    Yield,
    /// Forgets answers that an edit of the text made obsolete.
    Reread,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// The name of the cell in moves.
    pub place: String,
    /// The board, the row and the column.
    pub at: (usize, usize, usize),
    /// A fluent that holds there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fluent: Option<String>,
}

impl From<Command> for Action {
    fn from(command: Command) -> Action {
        Action::Send(command)
    }
}

impl Piece {
    /// A text without a style.
    pub fn new(text: impl Into<String>) -> Piece {
        Piece { text: text.into(), ..Piece::default() }
    }

    /// A text with a style.
    pub fn marked(text: impl Into<String>, mark: Mark) -> Piece {
        Piece { text: text.into(), marks: vec![mark], ..Piece::default() }
    }

    /// Adds a style.
    pub fn mark(&mut self, mark: impl Into<Option<Mark>>) -> &mut Piece {
        self.marks.extend(mark.into());
        self
    }

    /// Sets the action.
    pub fn act(&mut self, action: impl Into<Action>) -> &mut Piece {
        self.action = Some(action.into());
        self
    }

    /// Sets the action that goes to a place, if there is one.
    pub fn open(&mut self, location: Option<&InEditor>) -> &mut Piece {
        self.action = location.cloned().map(Action::Open);
        self
    }
}

/// The text of a line.
pub fn text(line: &[Piece]) -> String {
    line.iter().map(|it| it.text.as_str()).collect()
}

/// The width of a line in terminal columns.
pub fn width(line: &[Piece]) -> usize {
    line.iter().map(|it| wrap::columns(&it.text)).sum()
}

impl Page {
    /// Adds a line, and returns its only piece.
    pub fn say(&mut self, text: impl Into<String>) -> &mut Piece {
        self.lines.push(vec![Piece::new(text)]);
        let line = self.lines.last_mut().expect("a line was added");
        &mut line[0]
    }

    /// Adds an empty line, unless the last one is empty.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(Vec::new());
        }
    }

    /// Adds keys, and a list of those that have words, on as many lines as the width needs. The first and the last entry
    /// are for what the client does itself.
    pub fn offer(&mut self, keys: Vec<(&str, &str, Command)>, enter: &str, width: usize) {
        let listed = keys.iter().filter(|(_, says, _)| !says.is_empty()).map(|(key, says, _)| format!("{key} {says}"));
        let mut line = String::new();
        for entry in listed.chain((!enter.is_empty()).then(|| format!("enter {enter}"))).chain(["q close".to_owned()]) {
            if !line.is_empty() && wrap::columns(&line) + 3 + wrap::columns(&entry) > width {
                self.say(std::mem::take(&mut line)).mark(Mark::Quiet);
            }
            line += if line.is_empty() { "" } else { "   " };
            line += &entry;
        }
        self.say(line).mark(Mark::Quiet);
        let key = |(key, says, action): (&str, &str, Command)| Key {
            key: key.into(),
            says: says.into(),
            action: action.into(),
        };
        self.keys.extend(keys.into_iter().map(key));
    }
}
