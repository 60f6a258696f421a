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

/// The methods that can be used alone.
const ALONE: [Method; 4] = [Method::Structure, Method::Induction, Method::Bounded, Method::Pairs];

/// A method's answer, in comparable terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MethodVerdict {
    Proved,
    /// Refuted by a shortest pair of this many rounds.
    Refuted(usize),
    /// Refuted by a pair of this many rounds, which need not be shortest.
    Seen(usize),
    /// No pair in matches of up to this many rounds; `None`: nothing is known, not even for the initial state.
    Holds(Option<usize>),
}

impl MethodVerdict {
    /// True if both answers can be right.
    fn agrees_with(self, other: MethodVerdict) -> bool {
        match (self, other) {
            (MethodVerdict::Proved, MethodVerdict::Proved) => true,
            (MethodVerdict::Proved, MethodVerdict::Refuted(_) | MethodVerdict::Seen(_))
            | (MethodVerdict::Refuted(_) | MethodVerdict::Seen(_), MethodVerdict::Proved) => false,
            (MethodVerdict::Refuted(left), MethodVerdict::Refuted(right)) => left == right,
            (MethodVerdict::Refuted(shortest), MethodVerdict::Seen(depth))
            | (MethodVerdict::Seen(depth), MethodVerdict::Refuted(shortest)) => shortest <= depth,
            (MethodVerdict::Seen(_), MethodVerdict::Seen(_)) => true,
            (MethodVerdict::Refuted(depth) | MethodVerdict::Seen(depth), MethodVerdict::Holds(limit))
            | (MethodVerdict::Holds(limit), MethodVerdict::Refuted(depth) | MethodVerdict::Seen(depth)) => {
                limit.is_none_or(|limit| limit < depth)
            }
            (MethodVerdict::Holds(_), _) | (_, MethodVerdict::Holds(_)) => true,
        }
    }
}

/// Asks a question, and replays refutations.
fn ask(
    prover: &mut Prover<'_>,
    game: &Game,
    (role, property): (RoleId, Property),
    options: &Options,
    time: Duration,
) -> (MethodVerdict, Option<Argument>) {
    let budget = Budget { deadline: Some(Instant::now() + time), ..Budget::default() };
    match prover.prove(role, property, options, &budget).verdict {
        Verdict::Proved { argument, .. } => (MethodVerdict::Proved, argument),
        Verdict::Refuted { pair, method } => {
            assert!(is_real(game, role, property, &pair), "{method}: the pair does not replay: {pair:?}");
            let rounds = pair.left.len();
            (
                if ["leap", "matches"].contains(&method) {
                    MethodVerdict::Seen(rounds)
                } else {
                    MethodVerdict::Refuted(rounds)
                },
                None,
            )
        }
        // A depth of 0 may mean that not even the initial state was examined.
        Verdict::Open { depth } => (MethodVerdict::Holds((depth > 0).then_some(depth)), None),
    }
}

/// Searches all pairs of states layer by layer, and returns the result for each property, as far as the search got.
fn exhaustive(game: &Game, role: RoleId, time: Duration) -> [MethodVerdict; 3] {
    let budget = Budget { deadline: Some(Instant::now() + time), ..Budget::default() };
    let mut search = Pairs::new(game, role);
    let mut verdicts = [MethodVerdict::Holds(None); 3];
    let mut ended = false;
    while !ended && verdicts.iter().any(|verdicts| matches!(verdicts, MethodVerdict::Holds(_))) {
        for (at, property) in Property::ALL.into_iter().enumerate() {
            if !matches!(verdicts[at], MethodVerdict::Refuted(_)) {
                verdicts[at] = match search.first(property, &budget) {
                    Ok(None) => MethodVerdict::Holds(Some(search.depth())),
                    Ok(Some(_)) => MethodVerdict::Refuted(search.depth()),
                    Err(_) => return verdicts,
                };
            }
        }
        match search.deepen(&budget) {
            Some(goes_on) => ended = !goes_on,
            None => return verdicts,
        }
    }
    let end = |verdicts| if matches!(verdicts, MethodVerdict::Holds(_)) { MethodVerdict::Proved } else { verdicts };
    verdicts.map(end)
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

/// A POGDDL domain and a problem as a game, or the reason why they are not valid. `terminal`: the end, if the domain
/// does not define it.
fn pogddl(domain: &str, problem: &str, terminal: PogddlTerminal) -> Result<Game, String> {
    let read = |text: &str| Source::from_bytes(text.into(), Language::Pogddl).map_err(|error| format!("{error:?}"));
    let (first, second) = (read(domain)?, read(problem)?);
    let terminal = PogddlOptions::declared(&first.text, &first.comments).unwrap_or(terminal);
    let (Some(domain), Some(problem)) = (first.domain(), second.problem()) else {
        return Err("no domain or no problem".to_owned());
    };
    Game::from_pogddl(domain, problem, &PogddlOptions { terminal }).map_err(|errors| format!("{errors:?}"))
}
