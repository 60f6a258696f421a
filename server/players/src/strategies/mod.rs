//! The strategies, each a module of its own with its source, and with the choices made if the source leaves them open.

mod auto;
mod cfr;
mod choosemove;
mod equilibrium;
mod grave;
mod head;
mod human;
mod ismcts;
mod mac_ucb;
mod plain;
mod remote;
mod sampling;
mod search;
mod table;
mod uct;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

pub use equilibrium::Equilibrium;
pub use human::{Absence, Person, Sight};
pub use ismcts::Choice;
pub use remote::Address;
pub use table::Concept;

use crate::player::{Player, Seat};

/// A strategy for any game.
#[derive(Clone)]
pub enum Strategy {
    /// Makes the first legal move.
    Legal,
    /// Makes a random legal move.
    Random,
    /// The complete table of positions (chapter 17.6).
    Table(Concept),
    /// Hypothetical states (chapter 17.7).
    Sampling,
    /// ChooseMove (Richards & Amir 2012).
    ChooseMove,
    /// UCT for many players (Sturtevant 2008).
    Uct,
    /// GRAVE (Cazenave 2015).
    Grave,
    /// Stage-wise CFR (Shafiei et al. 2009).
    Cfr,
    /// MAC-UCB-II (Koriche et al. 2017).
    MacUcb,
    /// Information-set tree search.
    Ismcts(Choice),
    /// The table of a solved game.
    Equilibrium(Arc<Equilibrium>),
    /// A person at a screen.
    Human(Arc<dyn Person>),
    /// A remote player over HTTP.
    Remote(Address),
    /// The strongest strategy for the game and the clock.
    Auto(Arc<Equilibrium>),
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// An error in the name of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The name is not that of a strategy.
    #[error("`{0}` is not a strategy; the strategies are {names}", names = Strategy::NAMES.join(", "))]
    Unknown(String),
    /// The strategy `human` in a place without a person.
    #[error("`human` is a person at a terminal, and this command cannot ask one")]
    Nobody,
    /// An address without a host or a port.
    #[error("`{0}` has no host and port; write remote:HOST:PORT")]
    NoPort(String),
    /// An address with an invalid port: the strategy, the port.
    #[error("`{0}`: `{1}` is not a port, which is a number from 1 to 65535")]
    Port(String, String),
    /// The file of a table cannot be read.
    #[error("cannot read the strategy {}: {why}", .path.display())]
    Table {
        /// The path of the table.
        path: PathBuf,
        /// The fault in the file.
        why: String,
    },
}

impl Strategy {
    /// The forms that the name of a strategy can have, the best ones first.
    pub const NAMES: [&'static str; 19] = [
        "auto",
        "ismcts",
        "ismcts:grave",
        "ismcts:smooth",
        "ismcts:regret",
        "choosemove",
        "sampling",
        "uct",
        "grave",
        "cfr",
        "mac-ucb-ii",
        "equilibrium",
        "equilibrium:FILE",
        "table",
        "table:maximin",
        "random",
        "legal",
        "human",
        "remote:HOST:PORT",
    ];

    /// The names that an editor offers: without variants, and without players outside of the editor.
    pub fn offered() -> impl Iterator<Item = &'static str> {
        Strategy::NAMES.into_iter().filter(|name| !name.contains(':') && *name != "human")
    }

    /// Returns the name of the strategy as users write it.
    pub fn name(&self) -> String {
        match self {
            Strategy::Legal => "legal".into(),
            Strategy::Random => "random".into(),
            Strategy::Table(Concept::Expectation) => "table".into(),
            Strategy::Table(Concept::Maximin) => "table:maximin".into(),
            Strategy::Sampling => "sampling".into(),
            Strategy::ChooseMove => "choosemove".into(),
            Strategy::Uct => "uct".into(),
            Strategy::Grave => "grave".into(),
            Strategy::Cfr => "cfr".into(),
            Strategy::MacUcb => "mac-ucb-ii".into(),
            Strategy::Ismcts(Choice::Smooth) => "ismcts:smooth".into(),
            Strategy::Ismcts(Choice::Most) => "ismcts".into(),
            Strategy::Ismcts(Choice::Grave) => "ismcts:grave".into(),
            Strategy::Ismcts(Choice::Regret) => "ismcts:regret".into(),
            Strategy::Equilibrium(equilibrium) => equilibrium.name(),
            Strategy::Human(_) => "human".into(),
            Strategy::Remote(at) => format!("remote:{}", at.address),
            Strategy::Auto(_) => "auto".into(),
        }
    }

    /// Creates a player of this strategy for a seat.
    pub fn sit<'g>(&self, seat: &'g Seat) -> Box<dyn Player + 'g> {
        match self {
            Strategy::Legal => Box::new(plain::Plain::first(seat)),
            Strategy::Random => Box::new(plain::Plain::random(seat)),
            Strategy::Table(concept) => Box::new(table::Table::new(seat, *concept)),
            Strategy::Sampling => Box::new(sampling::Sampling::new(seat)),
            Strategy::ChooseMove => Box::new(choosemove::ChooseMove::new(seat)),
            Strategy::Uct => Box::new(uct::Uct::new(seat)),
            Strategy::Grave => Box::new(grave::player(seat)),
            Strategy::Cfr => Box::new(cfr::Cfr::new(seat)),
            Strategy::MacUcb => Box::new(mac_ucb::MacUcb::new(seat)),
            Strategy::Ismcts(choice) => Box::new(ismcts::Ismcts::new(seat, *choice)),
            Strategy::Equilibrium(solver) => Box::new(equilibrium::ByTable::new(seat, solver.clone())),
            Strategy::Human(person) => Box::new(human::Human::new(seat, person.clone())),
            Strategy::Remote(at) => Box::new(remote::Remote::new(seat, at.clone())),
            Strategy::Auto(solver) => Box::new(auto::Auto::new(seat, solver.clone())),
        }
    }
}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(name: &str) -> Result<Strategy, StrategyError> {
        Ok(match name {
            "legal" => Strategy::Legal,
            "random" => Strategy::Random,
            "table" => Strategy::Table(Concept::Expectation),
            "table:maximin" => Strategy::Table(Concept::Maximin),
            "sampling" => Strategy::Sampling,
            "choosemove" => Strategy::ChooseMove,
            "uct" => Strategy::Uct,
            "grave" => Strategy::Grave,
            "cfr" => Strategy::Cfr,
            "mac-ucb-ii" => Strategy::MacUcb,
            "ismcts" => Strategy::Ismcts(Choice::Most),
            "ismcts:grave" => Strategy::Ismcts(Choice::Grave),
            "ismcts:smooth" => Strategy::Ismcts(Choice::Smooth),
            "ismcts:regret" => Strategy::Ismcts(Choice::Regret),
            "equilibrium" => Strategy::Equilibrium(Arc::new(Equilibrium::on_the_spot())),
            "auto" => Strategy::Auto(Arc::new(Equilibrium::on_the_spot())),
            "human" => return Err(StrategyError::Nobody),
            _ => match (name.strip_prefix("equilibrium:"), name.strip_prefix("remote:")) {
                (Some(path), _) => Strategy::Equilibrium(Arc::new(Equilibrium::read(path.into())?)),
                (_, Some(at)) => Strategy::Remote(address(at)?),
                _ => return Err(StrategyError::Unknown(name.into())),
            },
        })
    }
}

/// Parses a host and a port.
fn address(text: &str) -> Result<Address, StrategyError> {
    let name = || format!("remote:{text}");
    match text.rsplit_once(':').filter(|(host, port)| !host.is_empty() && !port.is_empty()) {
        Some((_, port)) if port.parse::<u16>().is_ok_and(|port| port > 0) => {
            Ok(Address { address: text.into(), protocol: None })
        }
        Some((_, port)) => Err(StrategyError::Port(name(), port.into())),
        None => Err(StrategyError::NoPort(name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_player_has_a_host_and_a_port() {
        for name in ["remote:localhost:9147", "remote:[::1]:80"] {
            assert_eq!(name.parse::<Strategy>().map(|it| it.name()).as_deref(), Ok(name));
        }
        for name in ["remote:localhost", "remote:localhost:", "remote::9147"] {
            assert_eq!(name.parse::<Strategy>().err(), Some(StrategyError::NoPort(name.into())));
        }
        for port in ["99999", "0", "http"] {
            let name = format!("remote:localhost:{port}");
            assert_eq!(name.parse::<Strategy>().err(), Some(StrategyError::Port(name, port.into())));
        }
    }

    #[test]
    fn nobody_is_asked_where_nobody_sits() {
        let why = "human".parse::<Strategy>().err().map(|error| error.to_string());
        assert_eq!(why.as_deref(), Some("`human` is a person at a terminal, and this command cannot ask one"));
    }
}
