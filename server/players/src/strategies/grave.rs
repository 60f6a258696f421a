//! GRAVE: Cazenave, Generalized Rapid Action Value Estimation, IJCAI 2015.
//!
//! At each node, a move's value is mixed from its own mean and from the mean of all matches in which the role made it
//! at any time after the nearest ancestor that was visited often (*all moves as first*). Choices that the paper leaves
//! open: such an ancestor has 50 visits. The bias is 1e-10, as in its experiments. Under hidden information it plays
//! like [`super::uct`], on states drawn from the belief.

use percept_game::{MoveId, RoleId};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::search::Pick;
use super::uct::Uct;
use crate::player::Seat;
use crate::tree::{Node, Span, Tree};

const ENOUGH: u32 = 50;
const BIAS: f64 = 1e-10;

pub(super) fn player(seat: &Seat) -> Uct<'_> {
    Uct::picking(seat, Pick::Grave)
}

/// The nearest node of the same role that was visited often: the node itself, else the last such ancestor, else the
/// first.
pub(super) fn reference(tree: &Tree, ancestors: &mut dyn Iterator<Item = u32>, node: u32) -> u32 {
    if tree.get(node).visits >= ENOUGH {
        return node;
    }
    let mut reference = None;
    for ancestor in ancestors {
        if reference.is_none() || tree.get(ancestor).visits >= ENOUGH {
            reference = Some(ancestor);
        }
    }
    reference.unwrap_or(node)
}

/// The arm with the greatest mixed value.
pub(super) fn pick(node: &Node, reference: &Node, among: &[usize], span: Span, rng: &mut Xoshiro256PlusPlus) -> usize {
    node.greatest(among, rng, |at, arm| {
        let same = reference.arm(arm.mv, at);
        let (elsewhere, sum) = same.map_or((0, 0.0), |other| (other.amaf_visits, other.amaf_sum));
        // Matches in progress count as lost, so that not all of them go the same way.
        let tried = arm.visits + arm.pending;
        let mean = || span.unit(arm.mean()) * f64::from(arm.visits) / f64::from(tried);
        match (tried, elsewhere) {
            (0, 0) => f64::INFINITY,
            (0, _) => span.unit(sum / f64::from(elsewhere)),
            (_, 0) => mean(),
            _ => {
                let (own, all) = (f64::from(tried), f64::from(elsewhere));
                let share = all / (all + own + BIAS * all * own);
                (1.0 - share) * mean() + share * span.unit(sum / all)
            }
        }
    })
}

/// The moves of each role that were made later in a match than the current node, each once.
#[derive(Default)]
pub(super) struct Later {
    /// The moves of each role; move `n` is bit `n % 64` of word `n / 64`.
    made: Vec<Vec<u64>>,
    /// The same moves, as a list of roles and moves.
    all: Vec<(RoleId, MoveId)>,
}

impl Later {
    /// Adds choices.
    pub(super) fn add(&mut self, moves: &[(RoleId, MoveId)]) {
        for &(role, mv) in moves.iter().filter(|(_, mv)| *mv != MoveId::NOOP) {
            self.all.push((role, mv));
            let (role, word) = (usize::from(role.0), mv.0 as usize / 64);
            if self.made.len() <= role {
                self.made.resize(role + 1, Vec::new());
            }
            let made = &mut self.made[role];
            if made.len() <= word {
                made.resize(word + 1, 0);
            }
            made[word] |= 1 << (mv.0 % 64);
        }
    }

    /// Forgets all moves, and keeps the memory.
    pub(super) fn clear(&mut self) {
        for (role, mv) in self.all.drain(..) {
            self.made[usize::from(role.0)][mv.0 as usize / 64] = 0;
        }
    }

    /// Records the result of these moves at a role's node.
    pub(super) fn learn(&self, role: RoleId, node: &mut Node, goal: f64) {
        let Some(made) = self.made.get(usize::from(role.0)) else { return };
        for arm in &mut node.arms {
            if made.get(arm.mv.0 as usize / 64).is_some_and(|word| word >> (arm.mv.0 % 64) & 1 == 1) {
                arm.amaf_visits += 1;
                arm.amaf_sum += goal;
            }
        }
    }
}
