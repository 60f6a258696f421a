//! The best response of one role, one view at a time, depth first: only the way to the current view is in memory. A
//! view is the list of its nodes with the probability that all others play to them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use percept_game::{Game, MoveId};
use percept_infoset::Budget;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::RespondError;
use super::index::Index;
use super::lens::{Lens, behaviour};
use super::table::{Memory, Table};
use crate::arena::Arena;

/// The number of parts into which the work is divided for the threads.
const PARTS: usize = 2_048;
/// The number of nodes of views between two checks of the budget.
const MEMBERS: usize = 10_000;

/// A node of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub node: u32,
    /// The probability that chance and all other roles play to it.
    pub reach: f64,
}

/// The view before the first round.
const START: [Member; 1] = [Member { node: 0, reach: 1.0 }];

/// The part of the role's value that begins at a view, times the probability of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// If the role makes the best moves.
    pub best: f64,
    /// If it follows its own strategy.
    pub followed: f64,
    /// The number of views from here on in which the role has a choice.
    pub infosets: u64,
    /// The number of views in which it has only one move that elsewhere is a choice.
    pub forced: u64,
}

impl Worth {
    fn add(&mut self, other: Worth) {
        self.best += other.best;
        self.followed += other.followed;
        self.infosets += other.infosets;
        self.forced += other.forced;
    }
}

/// A walk over the views of one role.
pub(super) struct Walk<'a> {
    game: &'a Game,
    arena: &'a Arena,
    lens: &'a Lens,
    /// The role's own strategy.
    own: &'a Table<'a>,
    budget: &'a Budget,
    /// See [`Arena::forced`].
    forced: Vec<bool>,
    /// The number of views so far.
    done: AtomicUsize,
    failed: AtomicBool,
    failure: Mutex<Option<RespondError>>,
}

/// The views that can follow a view and a move.
#[derive(Default)]
struct After {
    /// The nodes of the views, one view after the other.
    members: Vec<Member>,
    /// For each view the number of its list of percepts, and the end of its nodes.
    views: Vec<(u32, usize)>,
    /// The goals of the matches that end with the move, times their probabilities.
    ended: f64,
}

impl After {
    fn views(&self) -> impl Iterator<Item = (u32, &[Member])> {
        let mut begin = 0;
        self.views.iter().map(move |&(percepts, end)| {
            let members = &self.members[begin..end];
            begin = end;
            (percepts, members)
        })
    }

    fn worth(&self) -> Worth {
        Worth { best: self.ended, followed: self.ended, ..Worth::default() }
    }
}

/// The memory of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    /// One for each round of the way.
    levels: Vec<After>,
    index: Index,
    /// The views since the last check of the budget, and their nodes.
    views: usize,
    members: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        game: &'a Game,
        arena: &'a Arena,
        lens: &'a Lens,
        own: &'a Table<'a>,
        budget: &'a Budget,
    ) -> Walk<'a> {
        let (done, failed, failure) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
        Walk { game, arena, lens, own, budget, forced: arena.forced(lens.role), done, failed, failure }
    }

    /// The role's worth.
    ///
    /// # Errors
    /// If the role does not know its legal moves, forgets its own moves, or the work is stopped.
    pub(super) fn run(&self) -> Result<Worth, RespondError> {
        self.budget.check()?;
        self.ended(self.wide(&START, self.own.start(), PARTS))
    }

    /// Walks the views of the first `depth` rounds. The worth of a view after them is that of `leaf`.
    ///
    /// # Errors
    /// Those of [`Walk::run`].
    pub(super) fn above(
        &self,
        depth: usize,
        leaf: &mut dyn FnMut(&[Member], Memory) -> Worth,
    ) -> Result<Worth, RespondError> {
        self.budget.check()?;
        self.ended(self.top(&START, self.own.start(), depth, leaf))
    }

    fn ended(&self, worth: Worth) -> Result<Worth, RespondError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(worth), Err)
    }

    fn top(
        &self,
        members: &[Member],
        memory: Memory,
        depth: usize,
        leaf: &mut dyn FnMut(&[Member], Memory) -> Worth,
    ) -> Worth {
        if self.failed.load(Ordering::Relaxed) {
            return Worth::default();
        }
        if depth == 0 {
            return leaf(members, memory);
        }
        let choice = match self.choice(members, memory) {
            Ok(choice) => choice,
            Err(failure) => return self.fail(failure),
        };
        let worths = choice.legal.iter().enumerate().map(|(at, &mv)| {
            let mut after = After::default();
            self.after(members, at, &mut Index::default(), &mut after);
            let mut worth = after.worth();
            for (percepts, members) in after.views() {
                worth.add(self.top(members, self.own.after(memory, mv, percepts), depth - 1, leaf));
            }
            worth
        });
        choice.worth(worths)
    }

    fn fail(&self, failure: RespondError) -> Worth {
        self.failed.store(true, Ordering::Relaxed);
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        Worth::default()
    }

    /// Walks a view with all threads: the views after it are walked side by side, until there are about `parts`.
    fn wide(&self, members: &[Member], memory: Memory, parts: usize) -> Worth {
        if self.failed.load(Ordering::Relaxed) {
            return Worth::default();
        }
        // Many parts are too small to check it themselves.
        if let Some(stop) = self.budget.stop() {
            return self.fail(stop.into());
        }
        if parts <= 1 {
            return self.narrow(&mut Scratch::default(), 0, members, memory);
        }
        let choice = match self.choice(members, memory) {
            Ok(choice) => choice,
            Err(failure) => return self.fail(failure),
        };
        let mut index = Index::default();
        let afters = (0..choice.legal.len()).map(|mv| {
            let mut after = After::default();
            self.after(members, mv, &mut index, &mut after);
            after
        });
        let afters: Vec<After> = afters.collect();
        let views: Vec<(usize, u32, &[Member])> = afters
            .iter()
            .enumerate()
            .flat_map(|(mv, after)| after.views().map(move |(percepts, members)| (mv, percepts, members)))
            .collect();
        let parts = parts / views.len().max(1);
        let walk = |&(mv, percepts, members): &(usize, u32, &[Member])| {
            self.wide(members, self.own.after(memory, choice.legal[mv], percepts), parts)
        };
        let below: Vec<Worth> = views.par_iter().map(walk).collect();
        let mut worths: Vec<Worth> = afters.iter().map(After::worth).collect();
        views.iter().zip(below).for_each(|(view, below)| worths[view.0].add(below));
        choice.worth(worths.into_iter())
    }

    /// Walks a view on this thread.
    pub(super) fn narrow(&self, scratch: &mut Scratch, depth: usize, members: &[Member], memory: Memory) -> Worth {
        if !self.goes_on(scratch, members.len()) {
            return Worth::default();
        }
        let choice = match self.choice(members, memory) {
            Ok(choice) => choice,
            Err(failure) => return self.fail(failure),
        };
        if scratch.levels.len() == depth {
            scratch.levels.push(After::default());
        }
        let worths = choice.legal.iter().enumerate().map(|(at, &mv)| {
            // The walk below needs the scratch, so this level's memory is out of it meanwhile.
            let mut after = std::mem::take(&mut scratch.levels[depth]);
            self.after(members, at, &mut scratch.index, &mut after);
            let mut worth = after.worth();
            for (percepts, members) in after.views() {
                worth.add(self.narrow(scratch, depth + 1, members, self.own.after(memory, mv, percepts)));
            }
            scratch.levels[depth] = after;
            worth
        });
        choice.worth(worths)
    }

    /// True if the work is not to end now. Counts a view with this many nodes.
    fn goes_on(&self, scratch: &mut Scratch, members: usize) -> bool {
        scratch.views += 1;
        scratch.members += members;
        if scratch.members >= MEMBERS {
            let views = self.done.fetch_add(scratch.views, Ordering::Relaxed) + scratch.views;
            (scratch.views, scratch.members) = (0, 0);
            self.budget.report("views", views, None);
            if let Some(stop) = self.budget.stop() {
                self.fail(stop.into());
            }
        }
        !self.failed.load(Ordering::Relaxed)
    }

    /// The choice of the role at a view.
    fn choice(&self, members: &[Member], memory: Memory) -> Result<Choice<'a>, RespondError> {
        let lists = &self.arena.moves[self.lens.role.0 as usize].list;
        let list = self.lens.legal(members[0].node);
        let legal = &lists[list as usize][..];
        if let Some(other) = members.iter().find(|member| self.lens.legal(member.node) != list) {
            let other = &lists[self.lens.legal(other.node) as usize];
            return Err(RespondError::unknown_moves(self.game, self.lens.role, legal, other));
        }
        if legal.len() > 1 && !self.game.knows_own_moves {
            self.remembers(members, legal)?;
        }
        let listed = self.own.is_listed(memory);
        let behaviour = listed.then(|| behaviour(self.game, self.own, memory, legal)).transpose()?;
        Ok(Choice { legal, behaviour, is_forced: self.forced[list as usize] })
    }

    /// Checks that what the role perceives after its choice depends on its move. Else it may forget the move, and the
    /// walk would know more than the role.
    fn remembers(&self, members: &[Member], legal: &[MoveId]) -> Result<(), RespondError> {
        let mut moves: FxHashMap<u32, usize> = FxHashMap::default();
        for member in members {
            for mv in 0..legal.len() {
                for edge in self.lens.after(member.node, mv).0 {
                    let other = *moves.entry(edge.percepts).or_insert(mv);
                    if other != mv {
                        return Err(RespondError::forgets(self.game, self.lens.role, legal[other], legal[mv]));
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds the views after a view and a move.
    fn after(&self, members: &[Member], mv: usize, index: &mut Index, after: &mut After) {
        index.clear();
        after.ended = 0.0;
        for member in members {
            let (edges, ended) = self.lens.after(member.node, mv);
            after.ended += member.reach * ended;
            for edge in edges {
                index.add(edge.percepts, edge.node, member.reach * edge.probability);
            }
        }
        after.members.clear();
        after.views.clear();
        let entries = index.by_percepts();
        after.members.extend(entries.iter().map(|entry| Member { node: entry.node, reach: entry.reach }));
        let mut end = 0;
        for view in entries.chunk_by(|one, other| one.percepts == other.percepts) {
            end += view.len();
            after.views.push((view[0].percepts, end));
        }
    }
}

/// The choice of a role at a view.
struct Choice<'a> {
    legal: &'a [MoveId],
    /// The probabilities that its own strategy gives to the moves; `None` if they are equal.
    behaviour: Option<Vec<f64>>,
    is_forced: bool,
}

impl Choice<'_> {
    /// The worth of a view from those of its moves.
    fn worth(&self, moves: impl Iterator<Item = Worth>) -> Worth {
        let infosets = u64::from(self.legal.len() > 1);
        let mut all = Worth { best: f64::NEG_INFINITY, followed: 0.0, infosets, forced: u64::from(self.is_forced) };
        for (at, worth) in moves.enumerate() {
            let probability = self.behaviour.as_ref().map_or(1.0 / self.legal.len() as f64, |it| it[at]);
            all.best = all.best.max(worth.best);
            all.followed += probability * worth.followed;
            all.infosets += worth.infosets;
            all.forced += worth.forced;
        }
        all
    }
}
