//! The second opinion on a role's knowledge along a match: the same view on the rules as written.
//!
//! In: the match and its findings. Out: for each round and property with the verdict `known`, the agreement of a second
//! reading of the rules ([`Reader`]). The match is played again on these rules by the names of its moves, and a solver
//! looks for a history of the same view in which the property has another value.

use std::time::Duration;

use percept_game::view::{View, play};
use percept_game::{Game, JointMove, MoveId, RoleId};

use crate::prove::Reader;
use crate::reading::{Reading, Unchecked};
use crate::verdict::{Finding, Property, RoleMatch, Verdict};
use crate::{Budget, csp::CspError, sat::by_sat};

/// True if the verdict is `known` and not confirmed yet.
fn is_open(finding: &&Finding) -> bool {
    finding.verdict == Verdict::Known && finding.reading.is_none()
}

/// A match and the role whose knowledge of it is confirmed.
pub(crate) struct Match<'a> {
    pub game: &'a Game,
    pub moves: &'a [JointMove],
    pub role: RoleId,
    pub announce_end: bool,
}

impl Match<'_> {
    /// Reads the rules a second time and writes the outcome into each finding with the verdict `known`.
    pub(crate) fn confirm(&self, reader: &Reader<'_>, findings: &mut [Finding], memory: usize, budget: &Budget) {
        let all = |findings: &mut [Finding], reading: Reading| {
            findings.iter_mut().filter(|it| is_open(&&**it)).for_each(|it| it.reading = Some(reading.clone()));
        };
        // An announced end is granted, and so are own moves that the language gives to the role.
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

    /// Returns the plain game, and the match in its moves.
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

    /// Checks every finding with the verdict `known`. Returns the reason why the remaining ones have no answer.
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
        let properties: Vec<Property> = Property::ALL.into_iter().chain([Property::Own]).collect();
        let role_match = RoleMatch { game: plain, view, moves, states: &states, announce_end, properties: &properties };
        let wanted: Vec<(usize, Property)> =
            findings.iter().filter(is_open).map(|it| (it.round, it.property)).collect();
        if wanted.is_empty() {
            return Unchecked::Time;
        }
        let is_wanted = |round, property| wanted.contains(&(round, property));
        let outcome = by_sat(&role_match, memory, Duration::MAX, budget, is_wanted, |round, property, verdict| {
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
