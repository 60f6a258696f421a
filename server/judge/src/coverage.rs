//! Coverage: the rules, conditions and percepts that random matches have met, with counts.
//!
//! A condition counts as met in a round if it holds together with the conditions before it, in the order in which they
//! can be evaluated. The first condition that was never met is the one that stops a rule that never fires. The last
//! state of a match has no following round, so there only rules about the state count, not those that mention moves,
//! `next` or `sees`.

use std::collections::BTreeMap;

use percept_game::play::Stream;
use percept_game::{Game, JointMove, MoveId, PerceptId, RoleId, Scope, State};
use percept_infoset::Budget;
use percept_syntax::TextRange;
use percept_syntax::gdl::{Formula, Statement};
use rustc_hash::FxHashMap;

use crate::probe::Probe;
use crate::rules::in_order;
use crate::{Case, FileId, Place};

/// Relations that are evaluated without a state.
const OUTSIDE: [&str; 5] = ["role", "init", "base", "input", "percept"];
/// The most conditions that are counted one by one; with more, only rules are counted.
const MOST_CONDITIONS: usize = 600;

/// The extent of the random matches.
#[derive(Clone, Copy, Debug)]
pub struct Matches {
    /// The number of random matches.
    pub matches: u64,
    /// The most rounds of each match.
    pub rounds: usize,
    /// The seed of the random moves.
    pub seed: u64,
}

/// The coverage of random matches.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The number of matches played.
    pub matches: u64,
    /// The number of rounds played.
    pub rounds: u64,
    /// The rules of GDL or the actions of POGDDL, in the order of the text.
    pub rules: Vec<Covered>,
    /// The percepts that a role can get, as far as grounding shows, with their counts.
    pub percepts: Vec<Percept>,
    /// The reason why rules could not be counted.
    pub lacking: Option<&'static str>,
}

/// A rule or an action.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The range of the whole rule.
    pub place: Place,
    /// The part to mark: the head.
    pub head: TextRange,
    /// The number of rounds in which it fired; the last state of a match counts for rules about the state.
    pub fired: u64,
    /// Its conditions in the order of evaluation, each with the number of rounds in which it and all conditions before
    /// it held.
    pub conditions: Vec<(TextRange, u64)>,
}

/// A percept of a role.
#[derive(Clone, Debug)]
pub struct Percept {
    /// The role that perceives it.
    pub role: RoleId,
    /// The percept as the rules write it.
    pub name: String,
    /// The number of rounds in which the role got it.
    pub count: u64,
}

impl Covered {
    /// The first condition that never held when the conditions before it did.
    pub fn stuck(&self) -> Option<TextRange> {
        self.conditions.iter().find(|(_, count)| *count == 0).map(|(range, _)| *range)
    }
}

/// Plays random matches and counts.
pub fn coverage(case: &Case<'_>, matches: &Matches, budget: &Budget) -> Coverage {
    let mut counts = match case.domain() {
        Some(_) => Counts::Actions(FxHashMap::default()),
        None => Counts::of_rules(case, budget),
    };
    let mut heard = Heard::possible(case, &budget.share(2));
    let mut coverage = Coverage::default();
    'matches: for number in 0..matches.matches {
        let mut stream = Stream::new(matches.seed, number);
        let mut state = case.game.rules.initial();
        for _ in 0..matches.rounds {
            if budget.stop().is_some() {
                break 'matches;
            }
            if case.game.rules.terminal(&state) {
                break;
            }
            let Some(joint) = random(case.game, &state, &mut stream) else { break };
            counts.round(case.game, &state, &joint);
            for role in case.players() {
                heard.round(case.game, role, case.game.rules.percepts(&state, &joint, role));
            }
            state = case.game.rules.next(&state, &joint);
            coverage.rounds += 1;
        }
        counts.end(&state);
        coverage.matches += 1;
        if let Some(listener) = &budget.progress {
            let (done, total) = (number + 1, Some(matches.matches));
            listener(&percept_infoset::Progress { what: "matches played", done, total });
        }
    }
    coverage.percepts = heard.rows;
    coverage.percepts.sort_by(|one, other| (one.role, &one.name).cmp(&(other.role, &other.name)));
    if matches!(counts, Counts::None) {
        coverage.lacking = Some("the game is too large for its rules to be counted");
    }
    coverage.rules = counts.rules(case);
    coverage
}

fn random(game: &Game, state: &State, stream: &mut Stream) -> Option<JointMove> {
    let one = |role| {
        let legal = game.rules.legal(state, role);
        let count = u32::try_from(legal.len()).ok().filter(|count| *count > 0)?;
        Some(legal[stream.below(count) as usize])
    };
    game.role_ids().map(one).collect()
}

/// The percepts with their counts. One message of POGDDL is several percepts, one for each position in a list; all have
/// one row.
#[derive(Default)]
struct Heard {
    rows: Vec<Percept>,
    row_of: FxHashMap<(RoleId, PerceptId), usize>,
    row_named: FxHashMap<(RoleId, String), usize>,
}

impl Heard {
    /// The percepts that can come as far as grounding shows, and have not come yet.
    fn possible(case: &Case<'_>, until: &Budget) -> Heard {
        let mut heard = Heard::default();
        let scope = Scope { until: Some(until), ..Scope::default() };
        let Ok(ground) = case.game.rules.ground(&scope) else { return heard };
        for role in case.players() {
            for (percept, _) in &ground.sees[role.0 as usize] {
                heard.row(case.game, role, *percept);
            }
        }
        heard
    }

    fn row(&mut self, game: &Game, role: RoleId, percept: PerceptId) -> usize {
        let Heard { rows, row_of, row_named } = self;
        *row_of.entry((role, percept)).or_insert_with(|| {
            let name = game.rules.percept_name(role, percept);
            *row_named.entry((role, name.clone())).or_insert_with(|| {
                rows.push(Percept { role, name, count: 0 });
                rows.len() - 1
            })
        })
    }

    /// Counts the percepts of a round, each message once.
    fn round(&mut self, game: &Game, role: RoleId, percepts: Vec<PerceptId>) {
        let mut came: Vec<usize> = percepts.into_iter().map(|percept| self.row(game, role, percept)).collect();
        came.sort_unstable();
        came.dedup();
        came.into_iter().for_each(|row| self.rows[row].count += 1);
    }
}

enum Counts<'a> {
    /// The rules of a GDL game.
    Rules(Box<Rules<'a>>),
    /// The counts of a POGDDL game by action.
    Actions(FxHashMap<String, u64>),
    None,
}

struct Rules<'a> {
    rules: Vec<&'a Statement>,
    bodies: Vec<Vec<Formula>>,
    /// For each conjunction in the query: its rule, and the number of the rule's conditions.
    queries: Vec<(usize, usize)>,
    /// True for each rule that is about the state alone.
    of_state: Vec<bool>,
    counts: Vec<u64>,
    probe: Probe,
}

impl<'a> Counts<'a> {
    fn of_rules(case: &Case<'a>, budget: &Budget) -> Counts<'a> {
        let Some(description) = case.description() else { return Counts::None };
        let is_asked = |statement: &&Statement| {
            let head = statement.head.as_ref();
            head.is_some_and(|head| !OUTSIDE.iter().any(|word| head.name.is(word)))
        };
        let rules: Vec<&Statement> = description.statements.with_body().filter(is_asked).collect();
        let bodies: Vec<Vec<Formula>> = rules.iter().map(|rule| in_order(&rule.body)).collect();
        let conditions: usize = bodies.iter().map(Vec::len).sum();
        let every = conditions <= MOST_CONDITIONS;
        let queries: Vec<(usize, usize)> = bodies
            .iter()
            .enumerate()
            .flat_map(|(rule, body)| (if every { 1 } else { body.len() }..=body.len()).map(move |upto| (rule, upto)))
            .collect();
        let conjunctions: Vec<Vec<Formula>> =
            queries.iter().map(|&(rule, upto)| bodies[rule][..upto].to_vec()).collect();
        match Probe::new(case, &conjunctions, budget) {
            Some(probe) => {
                let counts = vec![0; queries.len()];
                let of_round = |rule: &Statement| {
                    rule.head.as_ref().is_some_and(|head| head.name.is("next") || head.name.is("sees"))
                };
                // The last query of a rule is its whole body.
                let whole = (0..queries.len()).filter(|&at| queries[at].1 == bodies[queries[at].0].len());
                let of_state = whole.map(|at| !probe.asks_for_moves(at) && !of_round(rules[queries[at].0])).collect();
                Counts::Rules(Box::new(Rules { rules, bodies, queries, of_state, counts, probe }))
            }
            None => Counts::None,
        }
    }

    fn round(&mut self, game: &Game, state: &State, joint: &[MoveId]) {
        match self {
            Counts::Rules(it) => {
                let Rules { probe, counts, .. } = &mut **it;
                probe.fulfilled(state, joint).for_each(|at| counts[at] += 1);
            }
            Counts::Actions(counts) => {
                for (role, &mv) in game.role_ids().zip(joint).filter(|(_, mv)| **mv != MoveId::NOOP) {
                    *counts.entry(game.rules.move_term(role, mv).head().to_ascii_lowercase()).or_default() += 1;
                }
            }
            Counts::None => {}
        }
    }

    /// Counts, in the last state, the rules about the state whose conditions all hold.
    fn end(&mut self, state: &State) {
        if let Counts::Rules(it) = self {
            let Rules { probe, counts, queries, of_state, .. } = &mut **it;
            probe.fulfilled_without_moves(state).filter(|&at| of_state[queries[at].0]).for_each(|at| counts[at] += 1);
        }
    }

    fn rules(self, case: &Case<'_>) -> Vec<Covered> {
        match self {
            Counts::None => Vec::new(),
            Counts::Actions(counts) => {
                let actions = case.domain().map_or(&[][..], |domain| &domain.actions);
                let covered = |action: &percept_syntax::pddl::Action| Covered {
                    place: Place { file: FileId(0), range: action.range },
                    head: action.name.range,
                    fired: counts.get(&action.name.text.to_ascii_lowercase()).copied().unwrap_or(0),
                    conditions: Vec::new(),
                };
                actions.iter().map(|action| covered(action)).collect()
            }
            Counts::Rules(it) => {
                let mut by_rule: BTreeMap<usize, Vec<(TextRange, u64)>> = BTreeMap::new();
                for (&(rule, upto), &count) in it.queries.iter().zip(&it.counts) {
                    by_rule.entry(rule).or_default().push((it.bodies[rule][upto - 1].range(), count));
                }
                let covered = |(at, conditions): (usize, Vec<(TextRange, u64)>)| {
                    let rule = it.rules[at];
                    Covered {
                        place: Place { file: FileId(0), range: rule.range },
                        head: rule.head.as_ref().map_or(rule.range, |head| head.range),
                        fired: conditions.last().map_or(0, |(_, count)| *count),
                        // If only rules were counted, the counts of their conditions are unknown.
                        conditions: if conditions.len() == rule.body.len() { conditions } else { Vec::new() },
                    }
                };
                by_rule.into_iter().map(covered).collect()
            }
        }
    }
}
