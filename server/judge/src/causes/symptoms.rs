//! The symptoms of a lost fluent, and a test that shows if they persist when the fluent is kept.

use percept_game::{JointMove, RoleId, State};
use percept_infoset::Budget;
use percept_syntax::gdl::{Formula, Statement};

use super::kept::{Kept, Match};
use crate::probe::Probe;
use crate::{Case, Evidence, Finding};

/// The most dead rules that are examined.
const DEAD: usize = 60;

/// A symptom, in a form that can be tested again.
pub(crate) enum Symptom {
    /// These roles cannot move after the rounds.
    Stuck(Vec<JointMove>),
    /// A role has no goal after the rounds.
    NoGoal(Vec<JointMove>),
    /// After the rounds the state equals the state after this many of them.
    Endless(Vec<JointMove>, usize),
    /// A dead rule, by its number.
    Dead(usize),
}

/// The symptoms among some findings, by the index of the finding.
pub(crate) struct Symptoms {
    pub all: Vec<(usize, Symptom)>,
    /// A probe that holds when a dead rule would fire.
    probe: Option<Probe>,
}

impl Symptoms {
    pub(crate) fn of(case: &Case<'_>, findings: &[Finding], budget: &Budget) -> Symptoms {
        let (mut all, mut dead): (Vec<(usize, Symptom)>, Vec<&Statement>) = Default::default();
        for (at, finding) in findings.iter().enumerate() {
            let symptom = match (finding.rule.name, &finding.evidence) {
                ("role-without-move", Evidence::Match { rounds, .. }) => Symptom::Stuck(rounds.clone()),
                ("no-goal", Evidence::Match { rounds, .. }) => Symptom::NoGoal(rounds.clone()),
                ("endless-match", Evidence::Lasso { rounds, back_to }) => Symptom::Endless(rounds.clone(), *back_to),
                ("dead-rule", _) if dead.len() < DEAD => {
                    let Some(rule) = statement(case, finding) else { continue };
                    dead.push(rule);
                    Symptom::Dead(dead.len() - 1)
                }
                _ => continue,
            };
            all.push((at, symptom));
        }
        let bodies: Vec<Vec<Formula>> = dead.iter().map(|rule| rule.body.clone()).collect();
        let probe = (!bodies.is_empty()).then(|| Probe::new(case, &bodies, budget)).flatten();
        Symptoms { all, probe }
    }

    /// The matches that show the symptoms.
    pub(crate) fn matches<'s>(&'s self, case: &'s Case<'_>) -> impl Iterator<Item = Match> + 's {
        let rounds = self.all.iter().filter_map(|(_, symptom)| match symptom {
            Symptom::Stuck(rounds) | Symptom::NoGoal(rounds) => Some(rounds.clone()),
            // The cycle is played twice: a kept fluent is present the second time.
            Symptom::Endless(rounds, back_to) => Some([&rounds[..], &rounds[*back_to..]].concat()),
            Symptom::Dead(_) => None,
        });
        rounds.map(|rounds| Match::play(case.game, rounds))
    }

    /// The dead rules that fire after a round, by the index of the finding.
    pub(crate) fn fired(&self, state: &State, joint: Option<&JointMove>) -> Vec<usize> {
        let Some(probe) = &self.probe else { return Vec::new() };
        let fired: Vec<usize> = match joint {
            Some(joint) => probe.fulfilled(state, joint).collect(),
            None => probe.fulfilled_without_moves(state).collect(),
        };
        let number = |symptom: &Symptom| if let Symptom::Dead(number) = symptom { Some(*number) } else { None };
        let of = self.all.iter().filter(|(_, symptom)| number(symptom).is_some_and(|it| fired.contains(&it)));
        of.map(|(finding, _)| *finding).collect()
    }

    /// True if some of them are dead rules, which more matches would explain better.
    pub(crate) fn has_dead_rules(&self) -> bool {
        self.probe.is_some()
    }

    /// The price of examining a round ([`percept_game::Game::price`]).
    pub(crate) fn price(&self, case: &Case<'_>) -> u64 {
        case.game.price() + self.probe.as_ref().map_or(0, Probe::price)
    }

    /// The round of a match after which a symptom disappears if a family is kept.
    pub(crate) fn round_of_disappearance(
        &self,
        case: &Case<'_>,
        symptom: &Symptom,
        of: &Match,
        kept: &Kept,
    ) -> Option<usize> {
        let (rules, last) = (&case.game.rules, of.rounds.len());
        match symptom {
            Symptom::Stuck(rounds) if *rounds == of.rounds => {
                let mut roles = case.game.role_ids();
                let can = |role: RoleId| {
                    !rules.legal(&of.states[last], role).is_empty() || !rules.legal(&kept.states[last], role).is_empty()
                };
                let was_over = kept.states.iter().any(|state| rules.terminal(state));
                (was_over || roles.all(can)).then_some(last)
            }
            Symptom::NoGoal(rounds) if *rounds == of.rounds => {
                let has = |role: RoleId| {
                    !rules.goals(&of.states[last], role).is_empty() || !rules.goals(&kept.states[last], role).is_empty()
                };
                case.players().all(has).then_some(last)
            }
            Symptom::Endless(rounds, back_to) if of.rounds.starts_with(rounds) && of.rounds.len() > rounds.len() => {
                let is_over = kept.states.iter().any(|state| rules.terminal(state));
                let mut steps = kept.states.iter().zip(&of.rounds);
                let is_illegal = |state: &State, joint: &JointMove| {
                    joint.iter().zip(case.game.role_ids()).any(|(mv, role)| !rules.legal(state, role).contains(mv))
                };
                let goes_on = kept.states[rounds.len()] == kept.states[last];
                let is_broken = is_over || steps.any(|(state, joint)| is_illegal(state, joint)) || !goes_on;
                (is_broken && *back_to < last).then_some(rounds.len())
            }
            Symptom::Dead(number) => self.fires(*number, of, kept),
            _ => None,
        }
    }

    /// The round after which a dead rule would fire.
    fn fires(&self, number: usize, of: &Match, kept: &Kept) -> Option<usize> {
        let probe = self.probe.as_ref()?;
        let fires = |at: &usize| {
            let state = &kept.states[*at];
            *state != of.states[*at]
                && match of.rounds.get(*at) {
                    Some(joint) => probe.fulfilled(state, joint).any(|it| it == number),
                    None => probe.fulfilled_without_moves(state).any(|it| it == number),
                }
        };
        (0..of.states.len()).find(fires)
    }
}

/// The rule that a finding reports as dead.
fn statement<'a>(case: &Case<'a>, finding: &Finding) -> Option<&'a Statement> {
    let (place, _) = finding.told_by?;
    case.description()?.statements.with_body().find(|statement| statement.range == place.range)
}
