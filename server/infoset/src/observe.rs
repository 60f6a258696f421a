//! The verdicts of every role along a match: the order of the methods, and the shares of the time.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use num_bigint::BigUint;
use percept_game::{Game, JointMove, RoleId};

use crate::{
    Budget, Stop,
    confirm::Match,
    csp::CspError,
    exact::Filter,
    own,
    prove::{self, Reader},
    sat::by_sat,
    verdict::{Finding, Property, RoleMatch, Verdict, by_exact},
};
use percept_game::view::{MatchError, View, play};

/// Options for judging a match.
#[derive(Clone, Debug)]
pub struct ObserveOptions {
    /// True if the end of the match is announced to the players, as match protocols do.
    pub announce_end: bool,
    /// The only role to judge; `None` judges every role but chance.
    pub only: Option<RoleId>,
    /// The properties to judge. By default these are the three properties of states, and own moves in a game that does
    /// not give a role its moves by definition. Own moves are then only reported if the role does not know them
    /// ([`own::properties`]).
    pub properties: Vec<Property>,
    /// The memory a method may use, in bytes.
    pub memory: usize,
    /// The time for the exact filter per role before satisfiability takes over.
    pub exact_time: Duration,
}

impl Default for ObserveOptions {
    fn default() -> Self {
        ObserveOptions {
            announce_end: false,
            only: None,
            properties: Vec::new(),
            memory: crate::DEFAULT_MEMORY,
            exact_time: Duration::from_secs(5),
        }
    }
}

/// The findings about a match.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The findings, ordered by role, round and property.
    pub findings: Vec<Finding>,
    /// The sizes of each judged role's information sets, as far as they were counted.
    pub sizes: Vec<(RoleId, Vec<Size>)>,
}

/// The exact size of an information set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// The number of rounds played.
    pub round: usize,
    /// The number of histories.
    pub histories: BigUint,
    /// The number of distinct states in which they end.
    pub states: usize,
}

/// Judges the knowledge of every role (but chance) after every round of a match.
///
/// # Errors
/// Fails if the moves do not form a match of the game.
pub fn observe(
    game: &Game,
    moves: &[JointMove],
    options: &ObserveOptions,
    budget: &Budget,
) -> Result<Observed, MatchError> {
    let mut observed = Observed { findings: vec![], sizes: vec![] };
    observe_each(game, moves, options, budget, &mut |news| {
        if let News::Role(role) = news {
            observed.findings.extend(role.findings);
            observed.sizes.extend(role.sizes);
        }
    })?;
    Ok(observed)
}

/// A part of the findings about a match.
pub enum News<'a> {
    /// Some of the findings about the role that is being judged. Positive ones were not confirmed by the second reading
    /// of the rules.
    SoFar(&'a [Finding]),
    /// The findings about a role.
    Role(Observed),
}

/// Like [`observe`]: `tell` receives the findings about each role as soon as that role is judged. Before, it receives
/// the findings after each method, and all of them before the second reading of the rules.
///
/// # Errors
/// Fails as [`observe`] does, before the first role.
pub fn observe_each(
    game: &Game,
    moves: &[JointMove],
    options: &ObserveOptions,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<(), MatchError> {
    let states = play(game, moves)?;
    let properties = if options.properties.is_empty() { own::properties(game) } else { options.properties.clone() };
    let judged = |role: &RoleId| match options.only {
        Some(only) => *role == only,
        None => !game.roles[role.0 as usize].is_chance,
    };
    let roles: Vec<RoleId> = game.role_ids().filter(judged).collect();
    let reader = Reader::new(game);
    for (index, &role) in roles.iter().enumerate() {
        let view = View::of_match(game, role, moves)?;
        let role_match = RoleMatch {
            game,
            view,
            moves,
            states: &states,
            announce_end: options.announce_end,
            properties: &properties,
        };
        let budget = &budget.share(roles.len() - index);
        let begin = Instant::now();
        let (mut findings, sizes) = observe_role(&role_match, options, budget, tell);
        if options.properties.is_empty() {
            findings.retain(|it| !own::goes_without_saying(it.property, it.verdict == Verdict::Known));
        }
        tell(News::SoFar(&findings));
        let limit = budget.until(Instant::now() + begin.elapsed().max(AT_LEAST));
        let played = Match { game, moves, role, announce_end: options.announce_end };
        played.confirm(&reader, &mut findings, options.memory, &limit);
        tell(News::Role(Observed { findings, sizes: vec![(role, sizes)] }));
    }
    Ok(())
}

/// The least time for the second reading of the rules; it also gets at least the time that the findings took.
const AT_LEAST: Duration = Duration::from_secs(2);

/// The time of the exact filter before the first proofs.
const AT_FIRST: Duration = Duration::from_secs(1);

/// The number of states kept after each round in a search for differences only.
const BEAM: usize = 500;

/// The least memory for that search, in bytes.
const BEAM_MEMORY: usize = 64 << 20;

/// Judges one role. The methods, in their order:
///
/// 1. The exact filter, which settles all rounds in one pass while the states are few. It gets a second at first, so that
///    sets that are too large for it do not delay the first answer.
/// 2. For own moves, the structure of the rules, for all matches.
/// 3. Proofs by satisfiability, first a short time for each question and then a longer one, so that easy questions are
///    settled even if an early round is hard. Between the two, the exact filter gets its full share.
/// 4. The exact filter again, if only time was missing.
/// 5. Satisfiability with the remaining time.
/// 6. A search for differences among the histories closest to the match.
///
/// The remaining questions are undecided. `tell` receives the findings after each method, if questions are left.
fn observe_role(
    role_match: &RoleMatch<'_>,
    options: &ObserveOptions,
    budget: &Budget,
    tell: &mut dyn FnMut(News<'_>),
) -> (Vec<Finding>, Vec<Size>) {
    let mut role = Judge {
        role_match,
        options,
        whole: budget,
        budget: &budget.most(),
        settled: Settled::new(role_match),
        sizes: vec![],
        why: Stop::OutOfTime,
        too_large: false,
    };
    let steps: [&dyn Fn(&mut Judge<'_>); 8] = [
        &|role| role.exact(options.exact_time.min(AT_FIRST)),
        &|role| role.structure(),
        &|role| role.proofs(Duration::from_secs(1)),
        &|role| {
            if role.why == Stop::OutOfTime {
                role.exact(options.exact_time);
            }
        },
        &|role| role.proofs(Duration::from_secs(8)),
        &|role| {
            if role.why == Stop::OutOfTime {
                role.exact(Duration::MAX);
            }
        },
        &|role| role.proofs(Duration::MAX),
        &|role| role.differences(),
    ];
    for step in steps {
        if role.settled.any_open() {
            let before = role.settled.found.len();
            step(&mut role);
            if role.settled.found.len() > before && role.settled.any_open() {
                let so_far: Vec<Finding> = role.settled.found.values().cloned().collect();
                tell(News::SoFar(&so_far));
            }
        }
    }
    role.settled.give_up(budget.stop().unwrap_or(role.why));
    (role.settled.found.into_values().collect(), role.sizes)
}

/// The verdicts on one role, while they are made.
struct Judge<'a> {
    role_match: &'a RoleMatch<'a>,
    options: &'a ObserveOptions,
    /// The role's time.
    whole: &'a Budget,
    /// The budget before the search for differences, which gets the rest.
    budget: &'a Budget,
    settled: Settled,
    sizes: Vec<Size>,
    /// The reason why the exact filter ended early.
    why: Stop,
    /// True if the unrolled rules outgrew the memory: they would do so again.
    too_large: bool,
}

impl Judge<'_> {
    /// Runs the exact filter for `time`, but for half of the remaining time at most.
    fn exact(&mut self, time: Duration) {
        let now = Instant::now();
        let left = self.budget.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(now));
        let slice = now.checked_add(time.min(left / 2)).map_or_else(|| self.budget.clone(), |at| self.budget.until(at));
        let (settled, sizes) = (&mut self.settled, &mut self.sizes);
        sizes.clear();
        let role_match = self.role_match;
        let size = |filter: &Filter<'_>| {
            let (round, layer) = (filter.rounds(), filter.last());
            let is_over = role_match.announce_end.then(|| role_match.game.rules.terminal(&role_match.states[round]));
            let fits = |it: &usize| is_over.is_none_or(|is_over| layer.terminal[*it] == is_over);
            let fitting = || (0..layer.states.len()).filter(fits);
            let histories = fitting().map(|it| &layer.histories[it]).sum();
            sizes.push(Size { round, histories, states: fitting().count() });
        };
        let outcome = by_exact(self.role_match, self.options.memory, None, &slice, size, |round, property, verdict| {
            if settled.is_open(round, property) {
                settled.add(round, property, verdict, "exact");
            }
        });
        if let Err(why) = outcome {
            self.why = why;
        }
    }

    /// Settles own moves by structure: no two rounds with the same messages can differ in them.
    fn structure(&mut self) {
        let open: Vec<usize> =
            self.settled.open().into_iter().filter(|it| it.1 == Property::Own).map(|it| it.0).collect();
        let RoleMatch { game, view, .. } = self.role_match;
        if !open.is_empty() && prove::own_moves_are_told(game, view.role, &self.budget.share(8)) {
            open.into_iter().for_each(|round| self.settled.add(round, Property::Own, Verdict::Known, "structure"));
        }
    }

    /// Runs satisfiability, with `patience` for each question.
    fn proofs(&mut self, patience: Duration) {
        if self.too_large || self.budget.stop().is_some() {
            return;
        }
        let open = self.settled.open();
        let wanted = |round, property| open.contains(&(round, property));
        let settled = &mut self.settled;
        // If the network would be too large, the other methods may still succeed.
        let outcome =
            by_sat(self.role_match, self.options.memory, patience, self.budget, wanted, |round, property, verdict| {
                settled.add(round, property, verdict, "sat");
            });
        self.too_large = matches!(outcome, Err(CspError::TooLarge(_)));
    }

    /// Searches only the histories closest to the match, which may refute.
    fn differences(&mut self) {
        let slice = self.whole.until(Instant::now() + self.options.exact_time);
        let settled = &mut self.settled;
        let memory = self.options.memory.max(BEAM_MEMORY);
        let _ = by_exact(
            self.role_match,
            memory,
            Some(BEAM),
            &slice,
            |_| {},
            |round, property, verdict| {
                if settled.is_open(round, property) {
                    // If no state was left out, the pass is a proof after all.
                    let method = if verdict == Verdict::Known { "exact" } else { "search" };
                    settled.add(round, property, verdict, method);
                }
            },
        );
    }
}

/// The findings of one role so far, by round and property.
struct Settled {
    role: RoleId,
    questions: Vec<(usize, Property)>,
    found: BTreeMap<(usize, Property), Finding>,
}

impl Settled {
    /// Settles the questions that need no search: an announced end, and own moves that the language gives to the role.
    fn new(role_match: &RoleMatch<'_>) -> Settled {
        let rounds = 0..=role_match.view.len();
        let questions =
            rounds.flat_map(|round| role_match.properties(round).map(move |property| (round, property))).collect();
        let mut settled = Settled { role: role_match.view.role, questions, found: BTreeMap::new() };
        for (round, property) in settled.questions.clone() {
            match property {
                Property::Terminal if role_match.announce_end => {
                    settled.add(round, property, Verdict::Known, "announced")
                }
                Property::Own if role_match.game.knows_own_moves => {
                    settled.add(round, property, Verdict::Known, "definition");
                }
                _ => {}
            }
        }
        settled
    }

    fn add(&mut self, round: usize, property: Property, verdict: Verdict, method: &'static str) {
        let finding = Finding { role: self.role, round, property, verdict, method, reading: None };
        self.found.insert((round, property), finding);
    }

    /// True if neither proved nor refuted so far.
    fn is_open(&self, round: usize, property: Property) -> bool {
        let finding = self.found.get(&(round, property));
        finding.is_none_or(|finding| matches!(finding.verdict, Verdict::Undecided { .. }))
    }

    fn open(&self) -> Vec<(usize, Property)> {
        self.questions.iter().copied().filter(|&(round, property)| self.is_open(round, property)).collect()
    }

    fn any_open(&self) -> bool {
        !self.open().is_empty()
    }

    /// Makes the questions without an answer undecided.
    fn give_up(&mut self, why: Stop) {
        for (round, property) in self.open() {
            if !self.found.contains_key(&(round, property)) {
                self.add(round, property, Verdict::Undecided { agreed: 0, why }, "search");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percept_test::gdl;

    /// A coin is tossed until it shows heads, and no role sees it.
    const COIN: &str = "(role p) (role random) (legal p wait) (legal random heads) (legal random tails) (init going)
        (<= (next over) (does random heads)) (<= (next going) (does random tails))
        (<= terminal (true over)) (goal p 50)";

    /// Three rounds of tails.
    fn tails(game: &Game) -> Vec<JointMove> {
        let mv = |role, name| game.rules.find_move(RoleId(role), name).expect("a move");
        vec![vec![mv(0, "wait"), mv(1, "tails")]; 3]
    }

    #[test]
    fn when_the_time_is_over_nothing_more_is_searched() {
        let game = gdl(COIN);
        let settled = |budget: &Budget| {
            let observed = observe(&game, &tails(&game), &ObserveOptions::default(), budget).expect("a match");
            let open = |it: &&Finding| matches!(it.verdict, Verdict::Undecided { .. });
            observed.findings.len() - observed.findings.iter().filter(open).count()
        };
        assert_eq!(settled(&Budget::default()), 12);
        // The properties before the first round take no search.
        assert_eq!(settled(&Budget { deadline: Some(Instant::now()), ..Budget::default() }), 3);
    }

    #[test]
    fn who_is_told_that_the_match_goes_on_counts_no_history_that_is_over() {
        let game = gdl(COIN);
        let moves = tails(&game);
        let sizes = |announce_end| -> Vec<u32> {
            let options = ObserveOptions { announce_end, ..ObserveOptions::default() };
            let observed = observe(&game, &moves, &options, &Budget::default()).expect("a match");
            let of_p = &observed.sizes[0].1;
            assert!(of_p.iter().all(|size| size.histories == size.states.into()));
            of_p.iter().map(|size| size.states as u32).collect()
        };
        assert_eq!(sizes(false), [1, 2, 2, 2]);
        assert_eq!(sizes(true), [1, 1, 1, 1]);
    }
}
