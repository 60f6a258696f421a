//! The solution of a game: values, strategies and their quality.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::{Game, RoleId};
use percept_infoset::Stop;

use crate::blocks::Blocks;
use crate::cfr::{Bracket, Variant};
use crate::correlated::Correlated;
use crate::options::Point;
use crate::sampling::Sampled;
use crate::strategy::Strategy;
use crate::tree::Tree;
use crate::zero_sum::Opposed;

/// The variant of regret minimization that `Auto` uses for larger games.
pub const DEFAULT_VARIANT: Variant = Variant::Predictive;

/// The kind of a game, which decides the meaning of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Two players with opposed goals: each can secure its value.
    ZeroSum(Opposed),
    /// One player and chance. The value of the player is the best it can expect, and that of a role without a choice
    /// the least.
    Alone,
    /// Several players with the same goals: the values are those of the best joint strategy, chosen before the match.
    Together,
    /// Any other game: the values are those that each role can secure.
    General,
}

/// A value of one role, in its goals.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleValue {
    /// The role.
    pub role: RoleId,
    /// The lower bound of the goal that the role can secure.
    pub low: f64,
    /// The upper bound of that goal.
    pub high: f64,
    /// The value itself, if it was proved.
    pub exact: Option<BigRational>,
}

impl RoleValue {
    /// The middle of the bounds.
    pub fn middle(&self) -> f64 {
        self.exact.as_ref().and_then(ToPrimitive::to_f64).unwrap_or((self.low + self.high) / 2.0)
    }

    pub(crate) fn exactly(role: RoleId, value: BigRational) -> RoleValue {
        let number = value.to_f64().unwrap_or(f64::NAN);
        RoleValue { role, low: number, high: number, exact: Some(value) }
    }
}

/// A role's value under the strategies, and its gain from leaving them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The role.
    pub role: RoleId,
    /// The value of following the strategies, in its goals.
    pub value: f64,
    /// The greatest gain from leaving them.
    pub gain: f64,
}

/// The source of the strategies.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Blocks { blocks: Arc<Blocks>, behaviour: [Vec<f64>; 2] },
    Tree { tree: Tree, behaviour: Vec<Vec<f64>>, fractions: Vec<Option<Vec<BigRational>>> },
    Sampled(Sampled),
}

/// The solution of a game.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The kind of the game.
    pub kind: Kind,
    /// `lp`, `cfr+`, `dcfr`, `pcfr+`, `optimum`, `branch and bound`, `mccfr-external` or `mccfr-outcome`.
    pub method: &'static str,
    /// One value for each role other than chance; empty if nothing was proved (sampling).
    pub values: Vec<RoleValue>,
    /// Half of the joint gain of both players from best responses, in the first one's goals. In a game without a value,
    /// the greatest gain of a role. `None` if it was not computed.
    pub exploitability: Option<f64>,
    /// The values of the strategies, in games without a value and after sampling (which leaves `gain` unknown, as NaN).
    pub profile: Vec<Deviation>,
    /// The joint play of regret minimization, in games without a value: a coarse correlated equilibrium.
    pub correlated: Option<Correlated>,
    /// The number of iterations of regret minimization; 0 for a linear program.
    pub iterations: u64,
    /// The seconds that the whole work took.
    pub seconds: f64,
    /// The convergence over time.
    pub curve: Vec<Point>,
    /// The reason why the work ended early, if it did.
    pub stopped: Option<Stop>,
    pub(crate) found: Origin,
}

impl Solution {
    /// The tree that was solved, if one was built.
    pub fn tree(&self) -> Option<&Tree> {
        match &self.found {
            Origin::Tree { tree, .. } => Some(tree),
            Origin::Sampled(_) | Origin::Blocks { .. } => None,
        }
    }

    /// The sampled strategies, if the game was sampled.
    pub fn sampled(&self) -> Option<&Sampled> {
        match &self.found {
            Origin::Sampled(sampled) => Some(sampled),
            Origin::Tree { .. } | Origin::Blocks { .. } => None,
        }
    }

    /// The game as blocks, if its tree was too large.
    pub fn blocks(&self) -> Option<&Blocks> {
        match &self.found {
            Origin::Blocks { blocks, .. } => Some(blocks),
            Origin::Tree { .. } | Origin::Sampled(_) => None,
        }
    }

    /// The probability of each sequence's last move, by player; `None` if there is no tree.
    pub fn behaviour(&self) -> Option<&[Vec<f64>]> {
        match &self.found {
            Origin::Tree { behaviour, .. } => Some(behaviour),
            Origin::Sampled(_) | Origin::Blocks { .. } => None,
        }
    }

    /// The strategies as tables, by the views of the roles.
    pub fn strategy(&self, game: &Game) -> Strategy {
        match &self.found {
            Origin::Tree { tree, behaviour, fractions } => Strategy::of_tree(game, tree, behaviour, fractions),
            Origin::Sampled(sampled) => sampled.strategy(game),
            Origin::Blocks { blocks, behaviour } => blocks.strategy(game, behaviour),
        }
    }
}

/// The values of two players with opposed goals.
pub(crate) fn between(map: &Opposed, roles: [RoleId; 2], bracket: Bracket) -> Vec<RoleValue> {
    let Bracket { low, high } = bracket;
    let (constant, slope) = (map.constant.to_f64().unwrap_or(f64::NAN), map.slope.to_f64().unwrap_or(f64::NAN));
    let other = |value: f64| constant - slope * value;
    vec![
        RoleValue { role: roles[0], low, high, exact: None },
        RoleValue { role: roles[1], low: other(high), high: other(low), exact: None },
    ]
}
