//! The messages of a match, read and written.

use std::fmt;
use std::str::FromStr;

use percept_game::sexpr::{Expr, Kind, read};

use super::outline::items;

/// The dialect of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `(play id turn move percepts)`; the absence of percepts is `nil`.
    Chapter17,
    /// As chapter 17, but in capital letters; the absence of percepts is `()`.
    Dresden,
    /// `(play id percepts)`, with neither turn nor own move.
    Dresden2011,
    /// `(play id moves)` with the moves of all roles, for games without percepts.
    Gdl1,
}

impl Protocol {
    /// All dialects.
    pub const ALL: [Protocol; 4] = [Protocol::Chapter17, Protocol::Dresden, Protocol::Dresden2011, Protocol::Gdl1];

    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Chapter17 => "chapter17",
            Protocol::Dresden => "dresden",
            Protocol::Dresden2011 => "dresden-2011",
            Protocol::Gdl1 => "gdl-1",
        }
    }

    /// True if its managers write everything in capital letters.
    pub fn is_loud(self) -> bool {
        matches!(self, Protocol::Dresden | Protocol::Dresden2011)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(name: &str) -> Result<Protocol, String> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name).ok_or_else(|| {
            let names = Protocol::ALL.map(Protocol::name);
            format!("`{name}` is not a protocol; the protocols are {}", names.join(", "))
        })
    }
}

/// The news in a PLAY or STOP message.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The match begins, so nothing is new.
    Nothing,
    /// A list: the moves of all roles (GDL-I), or percepts (Dresden 2011). The description decides which.
    List(Vec<Expr>),
    /// The number of rounds played, the player's last move, and percepts.
    Turn {
        /// The number of rounds played.
        turn: usize,
        /// The player's last move; `None` for `nil`.
        own: Option<Expr>,
        /// The percepts of the last round.
        percepts: Vec<Expr>,
    },
}

/// A message to a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Asks for the player's name and status.
    Info,
    /// A description ahead of a match; it needs no action.
    Preview,
    /// A match begins.
    Start {
        /// The identifier of the match.
        id: String,
        /// The role of the player.
        role: String,
        /// The description in prefix GDL, unchanged.
        rules: String,
        /// The start clock in seconds.
        startclock: f64,
        /// The play clock in seconds.
        playclock: f64,
    },
    /// Asks for a move.
    Play {
        /// The identifier of the match.
        id: String,
        /// The news of the last round.
        news: News,
    },
    /// The match is over.
    Stop {
        /// The identifier of the match.
        id: String,
        /// The news of the last round.
        news: News,
    },
    /// The match ends before it is over.
    Abort {
        /// The identifier of the match.
        id: String,
    },
}

/// The reason why a text is not a message to a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The text is not a single list, for this reason.
    #[error("this is not a message: {0}")]
    Text(String),
    /// The first word is not a message type.
    #[error("`{0}` is not a message type; the types are info, preview, start, play, stop and abort")]
    Unknown(String),
    /// The message does not have the form of its type: the first word, and the form.
    #[error("a {0} message has the form `{1}`")]
    Shape(&'static str, &'static str),
}

const START: RequestError = RequestError::Shape("start", "(start id role (rules) startclock playclock)");
const PLAY: RequestError = RequestError::Shape("play", "(play id turn move percepts)");
const STOP: RequestError = RequestError::Shape("stop", "(stop id turn move percepts)");
const ABORT: RequestError = RequestError::Shape("abort", "(abort id)");

impl Request {
    /// Reads a message. The case of its type does not matter.
    ///
    /// # Errors
    /// Returns the required form of the message.
    pub fn read(text: &str) -> Result<Request, RequestError> {
        let items = items(text).map_err(|why| RequestError::Text(why.into()))?;
        let Some((kind, rest)) = items.split_first() else {
            return Err(RequestError::Text("the list is empty".into()));
        };
        if kind.starts_with('(') {
            return Err(RequestError::Text("it must begin with its type".into()));
        }
        match kind.to_ascii_lowercase().as_str() {
            "info" => Ok(Request::Info),
            "preview" => Ok(Request::Preview),
            "start" => start(rest).ok_or(START),
            "play" => id_and_news(rest).map(|(id, news)| Request::Play { id, news }).ok_or(PLAY),
            "stop" => id_and_news(rest).map(|(id, news)| Request::Stop { id, news }).ok_or(STOP),
            "abort" => match rest {
                [id] => small(id).map(|id| Request::Abort { id: id.show() }).ok_or(ABORT),
                _ => Err(ABORT),
            },
            _ => Err(RequestError::Unknown(kind.chars().take(40).collect())),
        }
    }
}

/// The most bytes of an identifier, a role, or a number.
const SMALL: usize = 4096;

fn small(item: &str) -> Option<Expr> {
    (item.len() <= SMALL).then(|| whole(item))?
}

fn whole(item: &str) -> Option<Expr> {
    read(item).ok()?.pop()
}

/// Further arguments are ignored, as other general game players do.
fn start(items: &[&str]) -> Option<Request> {
    let [id, role, rules, startclock, playclock, ..] = items else { return None };
    let inside = rules.strip_prefix('(')?.strip_suffix(')')?;
    let seconds = |item: &str| small(item)?.word()?.parse::<f64>().ok().filter(|it| (0.0..1e7).contains(it));
    Some(Request::Start {
        id: small(id)?.show(),
        role: small(role)?.word()?.into(),
        rules: inside.into(),
        startclock: seconds(startclock)?,
        playclock: seconds(playclock)?,
    })
}

fn id_and_news(items: &[&str]) -> Option<(String, News)> {
    let list = |expr: Expr| match expr.kind {
        Kind::Word(_) if is_nil(&expr) => Some(Vec::new()),
        Kind::List(items) => Some(items),
        Kind::Word(_) => None,
    };
    match items {
        [id, only] => {
            let (id, only) = (small(id)?.show(), whole(only)?);
            let news = if is_nil(&only) { News::Nothing } else { News::List(list(only)?) };
            Some((id, news))
        }
        [id, turn, own, percepts] => {
            let (id, turn) = (small(id)?.show(), small(turn)?.word()?.parse().ok()?);
            if turn == 0 {
                return Some((id, News::Nothing));
            }
            let own = whole(own).filter(|own| !is_nil(own));
            Some((id, News::Turn { turn, own, percepts: list(whole(percepts)?)? }))
        }
        _ => None,
    }
}

fn is_nil(expr: &Expr) -> bool {
    expr.is_word("nil")
}

/// Puts a description on one line, without comments.
pub(crate) fn flat(text: &str) -> String {
    let exprs = read(text).unwrap_or_default();
    exprs.iter().map(Expr::show).collect::<Vec<_>>().join(" ")
}

/// Writes a PLAY or STOP message. `seen` has the number of rounds, the own move and the percepts of the last round; for
/// GDL-I the percepts are the moves of all roles.
pub(crate) fn question(
    protocol: Protocol,
    kind: &str,
    id: &str,
    seen: Option<(usize, Option<&str>, &[String])>,
) -> String {
    let list = percepts_list(protocol, seen.map_or(&[][..], |(_, _, percepts)| percepts));
    let message = match (protocol, seen) {
        (Protocol::Chapter17 | Protocol::Dresden, None) => format!("({kind} {id} 0 nil nil)"),
        (Protocol::Chapter17 | Protocol::Dresden, Some((turn, own, _))) => {
            format!("({kind} {id} {turn} {} {list})", own.unwrap_or("nil"))
        }
        (Protocol::Dresden2011 | Protocol::Gdl1, None) => format!("({kind} {id} nil)"),
        (Protocol::Dresden2011 | Protocol::Gdl1, Some(_)) => format!("({kind} {id} {list})"),
    };
    loud(protocol, message, id)
}

fn percepts_list(protocol: Protocol, percepts: &[String]) -> String {
    match (protocol, percepts) {
        (Protocol::Chapter17, []) => "nil".into(),
        // The Dresden controller leaves a blank before the last parenthesis.
        (Protocol::Dresden | Protocol::Dresden2011, [_, ..]) => format!("({} )", percepts.join(" ")),
        _ => format!("({})", percepts.join(" ")),
    }
}

/// Converts a message, except the identifier, to capital letters if the dialect requires it.
pub(crate) fn loud(protocol: Protocol, message: String, id: &str) -> String {
    if !protocol.is_loud() {
        return message;
    }
    match message.split_once(id) {
        Some((before, after)) => format!("{}{id}{}", before.to_uppercase(), after.to_uppercase()),
        None => message.to_uppercase(),
    }
}
