//! Transfers a verdict about one role to another that is the same under other names: both players of Goofspiel have the
//! same knowledge, so only one is examined.
//!
//! A symmetry renames whole matches with all observations in them. So a fact about all matches of one role holds for
//! all matches of the other, and a pair of matches that refutes it becomes a pair that does so, too.

use percept_game::symmetry::Symmetries;
use percept_game::{Game, JointMove, RoleId};

use super::findings::{Pair, Verdict, is_real};
use super::matches;
use crate::reading::Unchecked;
use crate::verdict::Property;

/// Verdicts on the roles of one game. `announce_end` is part of the question.
#[derive(Default)]
pub(super) struct Decided {
    all: Vec<(RoleId, Property, bool, Verdict)>,
}

impl Decided {
    /// Keeps a verdict, unless it is open.
    pub(super) fn note(&mut self, role: RoleId, property: Property, announce_end: bool, verdict: &Verdict) {
        if verdict.is_decided() {
            self.all.push((role, property, announce_end, verdict.clone()));
        }
    }

    /// The verdict on a role, if there is one on a role that a symmetry maps to it. `symmetries` is called only then.
    pub(super) fn of_another<'s>(
        &self,
        game: &Game,
        role: RoleId,
        property: Property,
        announce_end: bool,
        symmetries: impl Fn() -> &'s Symmetries,
    ) -> Option<Verdict> {
        let asks = |it: &&(RoleId, Property, bool, Verdict)| (it.1, it.2) == (property, announce_end) && it.0 != role;
        self.all.iter().filter(asks).find_map(|(other, _, _, verdict)| {
            let symmetry = symmetries().leading(*other, role)?;
            let image = |history: &[JointMove]| history.iter().map(|joint| symmetry.joint(joint)).collect();
            match verdict {
                Verdict::Proved { argument, .. } => {
                    let argument = argument.as_ref().map(|it| it.image(&symmetry));
                    let checked = if argument.is_none() { Ok(()) } else { Err(Unchecked::Time) };
                    Some(Verdict::Proved { method: "symmetry", argument, checked })
                }
                Verdict::Refuted { pair, method } => {
                    // The image of a pair that need not be shortest need not be shortest, either.
                    let method = if *method == matches::NAME { method } else { "symmetry" };
                    let pair = Pair { left: image(&pair.left), right: image(&pair.right) };
                    is_real(game, role, property, &pair).then_some(Verdict::Refuted { pair, method })
                }
                Verdict::Open { .. } => None,
            }
        })
    }
}
