//! GRAVE: Cazenave, Generalized Rapid Action Value Estimation, IJCAI 2015.
//!
//! At each node a move's value is mixed from its own mean and from the mean of all matches in which the role made it at
//! any time after the nearest ancestor that was visited often (*all moves as first*). Chosen where the paper leaves it
//! open: such an ancestor has 50 visits, the bias is 1e-10, as in its experiments; under hidden information it plays
//! like [`super::uct`], on states drawn from the belief.

use percept_game::MoveId;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::search::Pick;
use super::uct::Uct;
use crate::player::Seat;
use crate::tree::{Node, Span, Tree};

const ENOUGH: u32 = 50;
const BIAS: f64 = 1e-10;

pub fn player(seat: &Seat) -> Uct<'_> {
    Uct::picking(seat, Pick::Grave)
}

/// The nearest node of the same role that was visited often: the node itself, else the last such ancestor, else the first.
pub fn reference(tree: &Tree, ancestors: &mut dyn Iterator<Item = u32>, node: u32) -> u32 {
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
pub fn pick(node: &Node, reference: &Node, among: &[usize], span: Span, rng: &mut Xoshiro256PlusPlus) -> usize {
    node.greatest(among, rng, |arm| {
        let same = reference.arm(arm.mv);
        let (elsewhere, sum) = same.map_or((0, 0.0), |other| (other.amaf_visits, other.amaf_sum));
        // Matches under way count as if they were lost, so that not all of them go the same way.
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

/// Notes what was done after a node, each move once.
pub fn learn(node: &mut Node, later: impl Iterator<Item = MoveId>, goal: f64) {
    let mut seen: Vec<MoveId> = Vec::new();
    for mv in later {
        if !seen.contains(&mv)
            && let Some(arm) = node.arms.iter_mut().find(|arm| arm.mv == mv)
        {
            arm.amaf_visits += 1;
            arm.amaf_sum += goal;
            seen.push(mv);
        }
    }
}
