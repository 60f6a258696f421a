//! The second opinion on what a role knows along a match: the same view on the rules as they are written.
//!
//! In: the match, and what was found out. Out: for each round and property that is said to be known, whether the rules, read
//! a second time ([`Reader`]), say so too. The match is played again on them by the names of its moves, and a solver looks
//! for a history of the same view in which the property is another.

use std::time::Duration;

use percept_game::view::{View, play};
use percept_game::{Game, JointMove, MoveId, RoleId};

use crate::prove::Reader;
use crate::reading::{Reading, Unchecked};
use crate::verdict::{Finding, Property, Seen, Verdict};
use crate::{Budget, csp::CspError, sat::by_sat};

/// Whether it is said to be known, and not looked at yet.
fn is_open(finding: &&Finding) -> bool {
    finding.verdict == Verdict::Known && finding.reading.is_none()
}

/// A match and whose knowledge of it is looked at.
pub(crate) struct Match<'a> {
    pub game: &'a Game,
    pub moves: &'a [JointMove],
    pub role: RoleId,
    pub announce_end: bool,
}

impl Match<'_> {
    /// Reads the rules a second time and writes into each finding of something known what came of it.
    pub(crate) fn confirm(&self, reader: &Reader<'_>, findings: &mut [Finding], memory: usize, budget: &Budget) {
        let all = |findings: &mut [Finding], reading: Reading| {
            findings.iter_mut().filter(|it| is_open(&&**it)).for_each(|it| it.reading = Some(reading.clone()));
        };
        // An end that is announced is granted, and so is what the language tells a role of its own moves.
        let is_granted = |it: &&mut Finding| ["announced", "definition"].contains(&it.method);
        findings.iter_mut().filter(is_granted).for_each(|it| it.reading = Some(Reading::Checked));
        match self.second(reader, budget) {
            Ok((plain, moves)) => {
                let why = self.ask(&plain, &moves, findings, memory, budget);
                all(findings, Reading::Unchecked(why));
            }
            Err(why) => all(findings, Reading::Unchecked(why)),
        }
        for finding in findings.iter_mut().filter(|it| matches!(it.reading, Some(Reading::Refused(_)))) {
            finding.verdict = Verdict::Undecided { agreed: 0, why: crate::Stop::Disagreed };
        }
    }

    /// The plain game, and the match in its moves.
    fn second(
        &self,
        reader: &Reader<'_>,
        budget: &Budget,
    ) -> Result<(std::sync::Arc<Game>, Vec<JointMove>), Unchecked> {
        let plain = reader.plain(Property::Goal, budget)?;
        let named = |(role, &mv): (RoleId, &MoveId)| match mv {
            MoveId::NOOP => Some(mv),
            _ => plain.rules.move_named(role, &self.game.rules.move_term(role, mv)),
        };
        let joint = |joint: &JointMove| (0..).map(RoleId).zip(joint).map(named).collect::<Option<JointMove>>();
        let moves = self.moves.iter().map(joint).collect::<Option<Vec<_>>>().ok_or(Unchecked::OtherNames)?;
        Ok((plain, moves))
    }

    /// Asks about every finding of something known. What is left without an answer has none for the reason returned.
    fn ask(
        &self,
        plain: &Game,
        moves: &[JointMove],
        findings: &mut [Finding],
        memory: usize,
        budget: &Budget,
    ) -> Unchecked {
        let (Ok(states), Ok(view)) = (play(plain, moves), View::of_match(plain, self.role, moves)) else {
            return Unchecked::OtherNames;
        };
        let announce_end = self.announce_end;
        let asked: Vec<Property> = Property::ALL.into_iter().chain([Property::Own]).collect();
        let seen = Seen { game: plain, view, moves, states: &states, announce_end, asked: &asked };
        let wanted: Vec<(usize, Property)> =
            findings.iter().filter(is_open).map(|it| (it.round, it.property)).collect();
        if wanted.is_empty() {
            return Unchecked::Time;
        }
        let is_wanted = |round, property| wanted.contains(&(round, property));
        let outcome = by_sat(&seen, memory, Duration::MAX, budget, is_wanted, |round, property, verdict| {
            let same = |it: &&mut Finding| (it.round, it.property) == (round, property);
            let Some(finding) = findings.iter_mut().find(same) else { return };
            finding.reading = match verdict {
                Verdict::Known => Some(Reading::Checked),
                Verdict::Unknown(_) => Some(Reading::Refused("another history of the same view differs".to_owned())),
                Verdict::Undecided { .. } => None,
            };
        });
        match outcome {
            Err(CspError::TooLarge(_)) => Unchecked::Memory,
            _ => Unchecked::Time,
        }
    }
}
