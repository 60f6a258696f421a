//! Depth by depth: can two matches of `k` rounds be told apart by a property, though not by the role?
//!
//! One incremental solver; the first depth with a model gives a shortest pair. Where the rules compare registers the
//! encoding lets the comparison be anything, so "no pair" is still right and a pair is checked by replay.

use percept_game::JointMove;

use super::net::{Clauses, Net};
use super::twin::{Copy, Setting};
use super::{Budget, Property};

/// The unrolled pair of matches, ready to be asked about its last state.
pub struct Bounded<'a> {
    setting: Setting<'a>,
    net: Net,
    clauses: Clauses,
    rounds: Vec<(Copy, Copy)>,
    now: (Copy, Copy),
}

/// What a query at one depth gave.
pub enum Answer {
    /// No such pair at this depth.
    None,
    Pair(Vec<JointMove>, Vec<JointMove>),
    /// The time was up.
    Unknown,
}

impl<'a> Bounded<'a> {
    /// At depth 0: both matches in the first state.
    pub fn new(setting: Setting<'a>, budget: &Budget) -> Self {
        let (mut net, clauses) = (Net::new(), Clauses::new(budget));
        let state = setting.initial();
        let now = pair(&setting, &mut net, &state, &state);
        Bounded { setting, net, clauses, rounds: Vec::new(), now }
    }

    pub fn depth(&self) -> usize {
        self.rounds.len()
    }

    /// Number of nodes of the formula so far.
    pub fn size(&self) -> usize {
        self.net.size()
    }

    /// Goes one round deeper.
    pub fn deepen(&mut self) {
        let (a, b) = &self.now;
        self.setting.demand_round(&mut self.net, &mut self.clauses, a);
        self.setting.demand_round(&mut self.net, &mut self.clauses, b);
        self.setting.demand_same_percepts(&mut self.net, &mut self.clauses, a, b);
        let (next_a, next_b) = (self.setting.next(a), self.setting.next(b));
        let next = pair(&self.setting, &mut self.net, &next_a, &next_b);
        self.rounds.push(std::mem::replace(&mut self.now, next));
    }

    /// Whether the property can differ at this depth.
    pub fn ask(&mut self, property: Property) -> Answer {
        let differ = self.setting.differ(&mut self.net, property, &self.now.0, &self.now.1);
        match self.clauses.solve(&self.net, &[differ]) {
            Some(false) => Answer::None,
            None => Answer::Unknown,
            Some(true) => {
                let history = |side: fn(&(Copy, Copy)) -> &Copy| {
                    self.rounds.iter().map(|round| side(round).joint(&self.setting, &self.clauses)).collect()
                };
                Answer::Pair(history(|round| &round.0), history(|round| &round.1))
            }
        }
    }

    /// Whether any match at all lasts longer than the present depth: if not, no deeper pair exists either.
    /// `None` where the time was up.
    pub fn goes_on(&mut self) -> Option<bool> {
        let over = self.now.0.terminal(&self.setting);
        self.clauses.solve(&self.net, &[!over])
    }
}

fn pair(
    setting: &Setting<'_>,
    net: &mut Net,
    a: &[percept_game::circuit::Lit],
    b: &[percept_game::circuit::Lit],
) -> (Copy, Copy) {
    let moves_a = setting.moves(net, None);
    let moves_b = setting.moves(net, Some(&moves_a));
    let copy_a = setting.copy(net, a, moves_a, &|_| None);
    let copy_b = setting.copy(net, b, moves_b, &|_| None);
    (copy_a, copy_b)
}
