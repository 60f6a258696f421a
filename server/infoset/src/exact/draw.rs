//! Histories from the layers: listed one after the other, or drawn at random without any dead end.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use percept_game::{Game, JointMove};
use rand::Rng;

use super::{Counts, Edge, Filter};
use crate::{
    Budget, Stop,
    member::{Member, Members},
};
use percept_game::view::View;

/// The distribution of drawn histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawWeight {
    /// Every history is equally likely.
    Uniformly,
    /// Every history is as likely as chance and uniform opponents make it.
    ByProbability,
}

/// Draws histories at random.
pub struct Draw<'a> {
    filter: &'a Filter<'a>,
    counts: &'a Counts,
    weight: DrawWeight,
}

impl<'a> Draw<'a> {
    /// Creates draws from the histories that were counted.
    pub fn new(filter: &'a Filter<'a>, counts: &'a Counts, weight: DrawWeight) -> Draw<'a> {
        Draw { filter, counts, weight }
    }

    /// Draws a random history; `None` if the information set is empty.
    pub fn history(&self, rng: &mut impl Rng) -> Option<Vec<JointMove>> {
        if self.counts.total().is_zero() {
            return None;
        }
        let mut at = 0;
        let mut history = Vec::with_capacity(self.filter.rounds());
        for (round, layer) in self.filter.layers.iter().enumerate().take(self.filter.rounds()) {
            let first = &self.counts.first_edge[round];
            let edges = &layer.edges[first[at]..first[at + 1]];
            let edge = match self.weight {
                DrawWeight::Uniformly => self.by_ways(round, at, edges, rng),
                DrawWeight::ByProbability => self.by_mass(round, edges, rng),
            };
            history.push(layer.joints[edge.joint as usize].clone());
            at = edge.to as usize;
        }
        Some(history)
    }

    fn by_ways<'e>(&self, round: usize, at: usize, edges: &'e [Edge], rng: &mut impl Rng) -> &'e Edge {
        let later = &self.counts.ways[round + 1];
        let total = &self.counts.ways[round][at];
        if let Some(total) = total.to_u128() {
            let mut rest = rng.random_range(0..total);
            for edge in edges {
                let ways = later[edge.to as usize].to_u128().unwrap_or(u128::MAX);
                if rest < ways {
                    return edge;
                }
                rest -= ways;
            }
        }
        let mut rest = below(total, rng);
        for edge in edges {
            let ways = &later[edge.to as usize];
            if rest < *ways {
                return edge;
            }
            rest -= ways;
        }
        unreachable!("the ways of the edges add up to the state's")
    }

    fn by_mass<'e>(&self, round: usize, edges: &'e [Edge], rng: &mut impl Rng) -> &'e Edge {
        let mass = |edge: &Edge| edge.probability * self.counts.mass[round + 1][edge.to as usize];
        let total: f64 = edges.iter().map(mass).sum();
        let mut rest = rng.random::<f64>() * total;
        let mut last = &edges[0];
        for edge in edges.iter().filter(|edge| mass(edge) > 0.0) {
            last = edge;
            rest -= mass(edge);
            if rest < 0.0 {
                break;
            }
        }
        last
    }
}

/// A uniformly random number below `bound`, by rejection.
fn below(bound: &BigUint, rng: &mut impl Rng) -> BigUint {
    let bits = bound.bits();
    let words = bits.div_ceil(32) as usize;
    loop {
        let mut digits: Vec<u32> = (0..words).map(|_| rng.random()).collect();
        let spare = words as u64 * 32 - bits;
        if let Some(top) = digits.last_mut() {
            *top >>= spare;
        }
        let number = BigUint::new(digits);
        if number < *bound {
            return number;
        }
    }
}

/// Lists every history once, in the order of the layers' edges.
pub struct Listing<'a> {
    game: &'a Game,
    view: &'a View,
    filter: &'a Filter<'a>,
    counts: &'a Counts,
    budget: Budget,
    /// For each round, the edge taken and the end of its state's edges.
    path: Vec<(usize, usize)>,
    state: Next,
    stopped: Option<Stop>,
}

#[derive(PartialEq)]
enum Next {
    Start,
    Advance,
    Done,
}

impl<'a> Listing<'a> {
    /// Creates a list that has not begun.
    pub fn new(game: &'a Game, view: &'a View, filter: &'a Filter<'a>, counts: &'a Counts, budget: Budget) -> Self {
        Listing { game, view, filter, counts, budget, path: vec![], state: Next::Start, stopped: None }
    }

    /// Extends the path to the last round along the first edges that lead there.
    fn descend(&mut self) {
        while self.path.len() < self.filter.rounds() {
            let round = self.path.len();
            let at = match self.path.last() {
                Some(&(edge, _)) => self.filter.layers[round - 1].edges[edge].to as usize,
                None => 0,
            };
            let first = &self.counts.first_edge[round];
            let edge = self.alive(round, first[at], first[at + 1]);
            self.path.push((edge, first[at + 1]));
        }
    }

    /// The first edge from `edge` on that can finish the view; `end` if there is none.
    fn alive(&self, round: usize, edge: usize, end: usize) -> usize {
        let ways = |edge: &Edge| !self.counts.ways[round + 1][edge.to as usize].is_zero();
        (edge..end).find(|&index| ways(&self.filter.layers[round].edges[index])).unwrap_or(end)
    }

    /// Moves the path to the next history; false after the last.
    fn advance(&mut self) -> bool {
        while let Some((edge, end)) = self.path.pop() {
            let next = self.alive(self.path.len(), edge + 1, end);
            if next < end {
                self.path.push((next, end));
                self.descend();
                return true;
            }
        }
        false
    }
}

impl Iterator for Listing<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        self.stopped = self.budget.stop();
        if self.stopped.is_some() {
            return None;
        }
        let more = match self.state {
            Next::Start if self.counts.total().is_zero() => false,
            Next::Start => {
                self.descend();
                true
            }
            Next::Advance => self.advance(),
            Next::Done => false,
        };
        if !more {
            self.state = Next::Done;
            return None;
        }
        self.state = Next::Advance;
        let history = self
            .path
            .iter()
            .zip(&self.filter.layers)
            .map(|(&(edge, _), layer)| layer.joints[layer.edges[edge].joint as usize].clone())
            .collect();
        Member::checked(self.game, self.view, history)
    }
}

impl Members for Listing<'_> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn complete(&self) -> bool {
        self.state == Next::Done
    }
}
