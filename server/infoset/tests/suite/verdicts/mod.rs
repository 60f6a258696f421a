//! The verdicts of the methods of `prove` about all matches, compared with the definition, with each other, and on
//! deliberately weakened rules.

mod agreement;
mod certificates;
mod definition;
mod floor;
mod mutants;
mod published_games;
mod random;
mod reader;
mod structure;

use std::time::{Duration, Instant};

use percept_game::{Game, PogddlOptions, PogddlTerminal, RoleId};
use percept_infoset::prove::pairs::Pairs;
use percept_infoset::prove::{Argument, Method, Options, Prover, Verdict, is_real};
use percept_infoset::{Budget, Property};
use percept_syntax::{Language, Source, Syntax};

/// Every method that stands for itself.
const ALONE: [Method; 4] = [Method::Structure, Method::Induction, Method::Bounded, Method::Pairs];

/// A method's answer, in comparable terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Proved,
    /// Refuted by a shortest pair of this many rounds.
    Refuted(usize),
    /// Refuted by a pair of this many rounds; there may be a shorter one.
    Seen(usize),
    /// No pair in matches of up to this many rounds; `None`: nothing is known, not even for the initial state.
    Holds(Option<usize>),
}

impl Said {
    /// True if both answers can be right.
    fn agrees_with(self, other: Said) -> bool {
        match (self, other) {
            (Said::Proved, Said::Proved) => true,
            (Said::Proved, Said::Refuted(_) | Said::Seen(_)) | (Said::Refuted(_) | Said::Seen(_), Said::Proved) => {
                false
            }
            (Said::Refuted(left), Said::Refuted(right)) => left == right,
            (Said::Refuted(shortest), Said::Seen(depth)) | (Said::Seen(depth), Said::Refuted(shortest)) => {
                shortest <= depth
            }
            (Said::Seen(_), Said::Seen(_)) => true,
            (Said::Refuted(depth) | Said::Seen(depth), Said::Holds(known))
            | (Said::Holds(known), Said::Refuted(depth) | Said::Seen(depth)) => known.is_none_or(|known| known < depth),
            (Said::Holds(_), _) | (_, Said::Holds(_)) => true,
        }
    }
}

/// Asks, and replays refutations.
fn ask(
    prover: &mut Prover<'_>,
    game: &Game,
    (role, property): (RoleId, Property),
    options: &Options,
    time: Duration,
) -> (Said, Option<Argument>) {
    let budget = Budget { deadline: Some(Instant::now() + time), ..Budget::default() };
    match prover.prove(role, property, options, &budget).verdict {
        Verdict::Proved { argument, .. } => (Said::Proved, argument),
        Verdict::Refuted { pair, method } => {
            assert!(is_real(game, role, property, &pair), "{method}: the pair does not replay: {pair:?}");
            let rounds = pair.left.len();
            (if method == "matches" { Said::Seen(rounds) } else { Said::Refuted(rounds) }, None)
        }
        // A depth of nothing may mean that not even the first state was looked at.
        Verdict::Open { depth } => (Said::Holds((depth > 0).then_some(depth)), None),
    }
}

/// Looks at all pairs of states layer by layer, for all properties at once: what that says of each, as far as it came.
fn exhaustive(game: &Game, role: RoleId, time: Duration) -> [Said; 3] {
    let budget = Budget { deadline: Some(Instant::now() + time), ..Budget::default() };
    let mut search = Pairs::new(game, role);
    let mut said = [Said::Holds(None); 3];
    let mut ended = false;
    while !ended && said.iter().any(|said| matches!(said, Said::Holds(_))) {
        for (at, property) in Property::ALL.into_iter().enumerate() {
            if !matches!(said[at], Said::Refuted(_)) {
                said[at] = match search.first(property, &budget) {
                    Ok(None) => Said::Holds(Some(search.depth())),
                    Ok(Some(_)) => Said::Refuted(search.depth()),
                    Err(_) => return said,
                };
            }
        }
        match search.deepen(&budget) {
            Some(goes_on) => ended = !goes_on,
            None => return said,
        }
    }
    let end = |said| if matches!(said, Said::Holds(_)) { Said::Proved } else { said };
    said.map(end)
}

/// The questions about a game: every role but chance, every property.
fn questions(game: &Game) -> Vec<(RoleId, Property)> {
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    roles.flat_map(|role| Property::ALL.map(|property| (role, property))).collect()
}

/// A GDL description as a game.
fn gdl(text: &str) -> Option<Game> {
    match Source::from_bytes(text.as_bytes().to_vec(), Language::GdlPrefix).ok()?.syntax {
        Syntax::Gdl(description) => Game::from_gdl(&description).ok(),
        Syntax::Pddl(_) => None,
    }
}

/// A POGDDL domain and a problem as a game, or the reason why they are not one. `terminal`: the end, if the domain does
/// not define it.
fn pogddl(domain: &str, problem: &str, terminal: PogddlTerminal) -> Result<Game, String> {
    let read = |text: &str| Source::from_bytes(text.into(), Language::Pogddl).map_err(|error| format!("{error:?}"));
    let (first, second) = (read(domain)?, read(problem)?);
    let terminal = PogddlOptions::declared(&first.text, &first.comments).unwrap_or(terminal);
    let (Some(domain), Some(problem)) = (first.domain(), second.problem()) else {
        return Err("no domain or no problem".to_owned());
    };
    Game::from_pogddl(domain, problem, &PogddlOptions { terminal }).map_err(|errors| format!("{errors:?}"))
}
