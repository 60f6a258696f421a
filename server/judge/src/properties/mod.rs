//! The properties of a well-formed game: every role can move until the end, every match ends with one result for each
//! role, every role can win, and (POGDDL) it is always one role's turn.
//!
//! Each property is judged by the strongest evidence at hand: a proof from the rules, every reachable state, or the
//! random matches that were played. Matches refute a property by an example; they never prove it.

mod declarations;

use std::cell::OnceCell;

use percept_game::bound::{Bound, bound};
use percept_game::gdl::{Declared, Watch};
use percept_game::play::{Limits, MatchRecord, Summary, play_match};
use percept_game::{Budget, Game, JointMove, RoleId};
use percept_syntax::gdl::Description;
use percept_syntax::words::{counted, rounds};
use serde::Serialize;

use crate::{Bounds, Exhausted, GaveUp, Undeclared, exhaust, turn_fluents, turns};
use declarations::watched;

/// A property that a game should or may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// Every role has a legal move until the match is over.
    Playability,
    /// Every match ends.
    Termination,
    /// A role has exactly one goal value at the end.
    Goals,
    /// It is never the turn of two roles (POGDDL).
    Turns,
    /// Some match ends with the best goal for the role: 100 in GDL, a positive payoff in POGDDL.
    Winnability,
    /// A role's goal value never falls. This property is optional.
    Monotonicity,
    /// No fluent holds that `base` lacks, if the description has `base` (GDL).
    Base,
    /// No move is legal that `input` lacks, if the description has `input` (GDL).
    Input,
}

impl Property {
    /// The name in programs and expectations.
    pub fn name(self) -> &'static str {
        match self {
            Property::Playability => "playability",
            Property::Termination => "termination",
            Property::Goals => "goals",
            Property::Turns => "turns",
            Property::Winnability => "winnability",
            Property::Monotonicity => "monotonicity",
            Property::Base => "base",
            Property::Input => "input",
        }
    }
}

/// The verdict about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The property holds.
    Holds,
    /// The property fails.
    Fails,
    /// Nothing was found against the property (winnability: for it), which proves nothing.
    Open,
}

/// The evidence for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// A proof about all matches.
    Proof,
    /// All reachable states.
    EveryState,
    /// Random matches, or one match as an example.
    Matches,
}

/// A property judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The property.
    pub property: Property,
    /// The role of the property, if it has one.
    pub role: Option<RoleId>,
    /// The verdict.
    pub verdict: Verdict,
    /// The evidence.
    pub by: By,
    /// The verdict as a sentence.
    pub message: String,
    /// A match that shows the verdict, if there was time to play it again.
    pub example: Option<Vec<JointMove>>,
}

impl Check {
    /// True if no correct game has this verdict.
    pub fn is_fault(&self) -> bool {
        self.verdict == Verdict::Fails && self.property != Property::Monotonicity
    }
}

/// The inputs of the judgement.
pub struct Inquiry<'a> {
    /// The text of a GDL game; it helps with games too large to ground.
    pub description: Option<&'a Description>,
    /// Limits on the states to visit.
    pub bounds: Bounds,
    /// The random matches that were played, and their options.
    pub summary: &'a Summary,
    /// Limits on the rounds to try.
    pub limits: &'a Limits,
    /// The budget of the whole judgement.
    pub budget: &'a Budget,
}

/// All verdicts, and their evidence.
pub struct Checked {
    /// A check for each property, in the order of the query.
    pub checks: Vec<Check>,
    /// A length that no match exceeds, proved from the rules.
    pub bound: Option<Bound>,
    /// The facts from visiting all states, or the reason why not all were visited.
    pub every_state: Result<Exhausted, GaveUp>,
}

/// Judges the properties of a game.
pub fn check(game: &Game, inquiry: &Inquiry<'_>) -> Checked {
    let bound = bound(game, inquiry.description, inquiry.budget);
    let declared = inquiry.description.map_or(Ok(Declared::default()), Declared::of);
    let declarations = declared.as_ref().cloned().unwrap_or_default();
    let every_state = exhaust(game, &declarations, &inquiry.bounds, inquiry.budget);
    let all = every_state.as_ref().ok();
    let judge = Judge { game, inquiry, bound: bound.as_ref(), all, declared: &declarations, along: OnceCell::new() };
    let mut checks = vec![judge.playability(), judge.termination()];
    let players: Vec<RoleId> = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect();
    if !game.is_sequential {
        checks.extend(players.iter().map(|&role| judge.goals(role)));
    } else {
        checks.extend(judge.turns());
    }
    checks.extend(players.iter().map(|&role| judge.winnability(role)));
    checks.extend(players.iter().map(|&role| judge.monotonicity(role)));
    checks.extend(judge.declarations(declared.as_ref().err()));
    Checked { checks, bound, every_state }
}

pub(crate) struct Judge<'a> {
    pub(crate) game: &'a Game,
    inquiry: &'a Inquiry<'a>,
    bound: Option<&'a Bound>,
    pub(crate) all: Option<&'a Exhausted>,
    pub(crate) declared: &'a Declared,
    along: OnceCell<Along>,
}

/// Observations along the first random matches, state by state.
#[derive(Default)]
pub(crate) struct Along {
    pub(crate) matches: u64,
    falling: Vec<Option<(i64, i64, Vec<JointMove>)>>,
    turns: Option<(Vec<RoleId>, Vec<JointMove>)>,
    pub(crate) undeclared: Undeclared,
}

/// `1 random match`, `60 random matches`.
pub fn random_matches(count: u64) -> String {
    counted(count as usize, "random match", "random matches")
}

impl Judge<'_> {
    pub(crate) fn name(&self, role: RoleId) -> &str {
        &self.game.roles[role.0 as usize].name
    }

    fn matches(&self) -> String {
        random_matches(self.inquiry.summary.matches)
    }

    /// Plays match `number` again. The time for matches is over, but not the judge's.
    fn play(&self, number: u64) -> (MatchRecord, Vec<JointMove>) {
        play_match(self.game, number, &Limits { deadline: self.inquiry.budget.deadline, ..*self.inquiry.limits })
    }

    /// All of match `number`, if there is time for it.
    fn replay(&self, number: u64) -> Option<(MatchRecord, Vec<JointMove>)> {
        Some(self.play(number)).filter(|(record, _)| self.is_whole(record))
    }

    fn is_whole(&self, record: &MatchRecord) -> bool {
        record.terminal || record.stuck || record.rounds >= self.inquiry.limits.max_rounds
    }

    pub(crate) fn check(&self, property: Property, verdict: Verdict, by: By, message: String) -> Check {
        Check { property, role: None, verdict, by, message, example: None }
    }

    fn playability(&self) -> Check {
        let check = |verdict, by, message| self.check(Property::Playability, verdict, by, message);
        let nothing = |role, rounds: &[JointMove]| {
            let name = self.name(role);
            format!("{name} has no legal move after round {}, though the match is not over", rounds.len())
        };
        if let Some(all) = self.all {
            return match &all.stuck {
                Some((role, rounds)) => Check {
                    example: Some(rounds.clone()),
                    ..check(Verdict::Fails, By::EveryState, nothing(*role, rounds))
                },
                None => check(Verdict::Holds, By::EveryState, "every role can move until the match is over".into()),
            };
        }
        if self.game.is_sequential {
            let message = "a match without a legal action is over, by definition";
            return check(Verdict::Holds, By::Proof, message.into());
        }
        match self.inquiry.summary.first_stuck {
            Some(number) => {
                let Some((_, rounds)) = self.replay(number) else {
                    let message = "a role has no legal move in a match that is not over";
                    return check(Verdict::Fails, By::Matches, message.into());
                };
                let mut state = self.game.rules.initial();
                rounds.iter().for_each(|joint| state = self.game.rules.next(&state, joint));
                let mut roles = self.game.role_ids();
                let role = roles.find(|&role| self.game.rules.legal(&state, role).is_empty()).unwrap_or(RoleId(0));
                let message = nothing(role, &rounds);
                Check { example: Some(rounds), ..check(Verdict::Fails, By::Matches, message) }
            }
            None => {
                let message = format!("every role could move in all {}", self.matches());
                check(Verdict::Open, By::Matches, message)
            }
        }
    }

    fn termination(&self) -> Check {
        let check = |verdict, by, message| self.check(Property::Termination, verdict, by, message);
        if let Some(all) = self.all {
            return match (&all.endless, all.longest) {
                (Some((before, history)), _) => {
                    let message = format!(
                        "a match can go on for ever: the state after round {} is the same as after round {before}",
                        history.len()
                    );
                    Check { example: Some(history.clone()), ..check(Verdict::Fails, By::EveryState, message) }
                }
                (None, longest) => {
                    let longest = rounds(longest.unwrap_or(0));
                    // A match in which a role has no move neither ends nor continues.
                    let message = match all.stuck {
                        None => format!("the longest match has {longest}"),
                        Some(_) => format!("no match goes on for ever: none is longer than {longest}"),
                    };
                    check(Verdict::Holds, By::EveryState, message)
                }
            };
        }
        if let Some(bound) = self.bound {
            let message = format!("no match has more than {} rounds: {}", bound.rounds, bound.because);
            return check(Verdict::Holds, By::Proof, message);
        }
        let (summary, limits) = (self.inquiry.summary, self.inquiry.limits);
        match summary.first_unfinished.filter(|_| summary.longest >= limits.max_rounds) {
            Some(_) => {
                let message = format!(
                    "{} of {} were not over after {} rounds",
                    summary.unfinished,
                    self.matches(),
                    limits.max_rounds
                );
                check(Verdict::Fails, By::Matches, message)
            }
            None => {
                let message = format!("no bound was found; all {} ended", self.matches());
                let message = if summary.unfinished == 0 { message } else { "no bound was found in time".into() };
                check(Verdict::Open, By::Matches, message)
            }
        }
    }

    fn goals(&self, role: RoleId) -> Check {
        let check =
            |verdict, by, message| Check { role: Some(role), ..self.check(Property::Goals, verdict, by, message) };
        let name = self.name(role);
        let wrong = |goals: &[i64]| match goals {
            [] => format!("{name} has no goal value at the end of a match"),
            _ => format!("{name} has the goal values {} at the end of a match, instead of one", listed(goals)),
        };
        if let Some(all) = self.all {
            return match &all.goals[role.0 as usize] {
                Some((goals, rounds)) => {
                    Check { example: Some(rounds.clone()), ..check(Verdict::Fails, By::EveryState, wrong(goals)) }
                }
                None => check(Verdict::Holds, By::EveryState, format!("{name} has one goal value at every end")),
            };
        }
        match self.inquiry.summary.roles[role.0 as usize].first_wrong {
            Some(number) => {
                let Some((record, rounds)) = self.replay(number) else {
                    let message = format!("{name} does not have exactly one goal value at the end of a match");
                    return check(Verdict::Fails, By::Matches, message);
                };
                let message = wrong(&record.goals[role.0 as usize]);
                Check { example: Some(rounds), ..check(Verdict::Fails, By::Matches, message) }
            }
            None => {
                let summary = self.inquiry.summary;
                let message = match summary.matches - summary.unfinished - summary.stuck {
                    0 => format!("no random match ended with a result for {name}"),
                    ended => {
                        format!("{name} had one goal value at the end of all {} that ended", random_matches(ended))
                    }
                };
                check(Verdict::Open, By::Matches, message)
            }
        }
    }

    fn turns(&self) -> Option<Check> {
        let check = |verdict, by, message| self.check(Property::Turns, verdict, by, message);
        let several = |roles: &[RoleId], rounds: &[JointMove]| {
            let names: Vec<&str> = roles.iter().map(|&role| self.name(role)).collect();
            format!("after round {} it is the turn of {}", rounds.len(), names.join(" and "))
        };
        let (found, by) = match self.all {
            Some(all) => (&all.turns, By::EveryState),
            None => (&self.along().turns, By::Matches),
        };
        Some(match (found, by) {
            (Some((roles, rounds)), by) => {
                Check { example: Some(rounds.clone()), ..check(Verdict::Fails, by, several(roles, rounds)) }
            }
            (None, By::EveryState) => check(Verdict::Holds, by, "it is one role's turn until the match is over".into()),
            (None, _) if self.game.rules.is_turn_exclusive() => {
                check(Verdict::Holds, By::Proof, "every action that gives the turn takes it from its holder".into())
            }
            (None, _) => {
                let message =
                    format!("it was one role's turn in all states of {}", random_matches(self.along().matches));
                check(Verdict::Open, by, message)
            }
        })
    }

    fn winnability(&self, role: RoleId) -> Check {
        let check = |verdict, by, message| Check {
            role: Some(role),
            ..self.check(Property::Winnability, verdict, by, message)
        };
        let name = self.name(role);
        let is_win = |value: i64| if self.game.is_sequential { value > 0 } else { value >= 100 };
        let wanted = if self.game.is_sequential { "a positive payoff" } else { "100" };
        let all = self.all.map(|all| all.best[role.0 as usize].as_ref());
        let played = self.inquiry.summary.roles[role.0 as usize].best;
        let short = |best: i64| format!("{name} can get {best} at best, not {wanted}");
        match (all, played) {
            (Some(Some((best, rounds))), _) => {
                let (verdict, message) = match is_win(*best) {
                    true => (Verdict::Holds, format!("{name} can get {best}")),
                    false => (Verdict::Fails, short(*best)),
                };
                Check { example: Some(rounds.clone()), ..check(verdict, By::EveryState, message) }
            }
            (Some(None), _) => {
                check(Verdict::Fails, By::EveryState, format!("no match ends with a goal value for {name}"))
            }
            (None, Some((best, number))) if is_win(best) => Check {
                example: self.replay(number).map(|(_, rounds)| rounds),
                ..check(Verdict::Holds, By::Matches, format!("{name} got {best} in a random match"))
            },
            (None, best) => {
                let best = best.map_or("nothing".to_string(), |(best, _)| best.to_string());
                check(Verdict::Open, By::Matches, format!("{name} got {best} at best in {}", self.matches()))
            }
        }
    }

    fn monotonicity(&self, role: RoleId) -> Check {
        let check = |verdict, by, message| Check {
            role: Some(role),
            ..self.check(Property::Monotonicity, verdict, by, message)
        };
        let name = self.name(role);
        let (found, by) = match self.all {
            Some(all) => (&all.falling[role.0 as usize], By::EveryState),
            None => (&self.along().falling[role.0 as usize], By::Matches),
        };
        match (found, by) {
            (Some((from, to, rounds)), by) => {
                let message = format!("{name}'s goal falls from {from} to {to} in round {}", rounds.len());
                Check { example: Some(rounds.clone()), ..check(Verdict::Fails, by, message) }
            }
            (None, By::EveryState) => check(Verdict::Holds, by, format!("{name}'s goal never falls")),
            (None, _) => {
                let message = match self.along().matches {
                    0 => "there was no time to visit matches state by state".to_string(),
                    matches => format!("{name}'s goal did not fall in {}", random_matches(matches)),
                };
                check(Verdict::Open, by, message)
            }
        }
    }

    pub(crate) fn along(&self) -> &Along {
        self.along.get_or_init(|| self.walk())
    }

    fn walk(&self) -> Along {
        /// The most matches and rounds that are examined.
        const MATCHES: u64 = 200;
        const ROUNDS: usize = 50_000;
        let (game, rules) = (self.game, &self.game.rules);
        let fluents = turn_fluents(game);
        let mut along = Along { falling: vec![None; game.roles.len()], ..Along::default() };
        let mut watch = Watch::new(game, self.declared);
        let mut looked = 0;
        for number in 0..self.inquiry.summary.matches.min(MATCHES) {
            if self.inquiry.budget.is_spent() || looked > ROUNDS {
                break;
            }
            // If the time runs out in the middle of a match, its beginning counts.
            let (record, rounds) = self.play(number);
            if rounds.is_empty() && !self.is_whole(&record) {
                break;
            }
            along.matches += 1;
            let mut state = rules.initial();
            watched(game, &mut watch, &state, &[], &mut along.undeclared);
            let mut goals: Vec<Vec<i64>> = game.role_ids().map(|role| rules.goals(&state, role)).collect();
            for (at, joint) in rounds.iter().take(ROUNDS).enumerate() {
                looked += 1;
                if looked % 64 == 0 && self.inquiry.budget.is_spent() {
                    break;
                }
                let before = turns(&fluents, &state);
                if before.len() > 1 && along.turns.is_none() {
                    along.turns = Some((before, rounds[..at].to_vec()));
                }
                state = rules.next(&state, joint);
                watched(game, &mut watch, &state, &rounds[..=at], &mut along.undeclared);
                for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
                    let index = role.0 as usize;
                    let now = rules.goals(&state, role);
                    if let ([before], [after]) = (&goals[index][..], &now[..])
                        && after < before
                        && along.falling[index].is_none()
                    {
                        along.falling[index] = Some((*before, *after, rounds[..=at].to_vec()));
                    }
                    goals[index] = now;
                }
            }
        }
        along
    }
}

fn listed(goals: &[i64]) -> String {
    let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
    goals.join(", ")
}
