//! Builds the blocks round by round. A *block* is a core, a set of views of the first player and one of the second:
//! every view of the one set together with every view of the other is a way to the core. So a block stands for as many
//! positions as the product of the sizes of its sets.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::Budget;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::core::Cores;
use super::parts::{NONE, Parts, Raw, Views};
use super::unite::{Child, Sides, unite};
use super::{Built, Passage};
use crate::arena::{Arena, RespondError};
use crate::shape::{Shape, Stage};
use crate::tree::Space;

/// Marks the number of a sum among the variables until the number of moves is known.
const SUM: u32 = 1 << 31;

/// A core that is reached by all views of a set of each player.
#[derive(Clone, Copy, Debug)]
struct Block {
    core: u32,
    sets: [u32; 2],
    weight: f64,
}

/// The decisions of one player so far.
struct Decisions {
    shape: Shape,
    /// The sums, by content.
    sums: FxHashMap<Vec<u32>, u32>,
    moves: Vec<MoveId>,
    infosets: f64,
    forced: f64,
    /// For each of the player's lists of legal moves: true if it has one move that elsewhere is a choice.
    is_forced: Vec<bool>,
    passages: Vec<Vec<Passage>>,
    deciding: Vec<Vec<u32>>,
    /// The sets of variables at the ends of matches.
    gathers: Vec<Box<[u32]>>,
}

struct Builder<'a> {
    game: &'a Game,
    arena: &'a Arena,
    cores: &'a Cores,
    space: &'a Space,
    budget: &'a Budget,
    views: [Views; 2],
    sets: [Vec<Box<[u32]>>; 2],
    blocks: Vec<Block>,
    players: [Decisions; 2],
    leaves: Vec<(u32, u32, f64)>,
    offset: i64,
    held: usize,
    rounds: usize,
    largest: usize,
}

/// Builds the blocks of a game.
///
/// # Errors
/// If a player does not know its legal moves, or the limits are reached.
pub(super) fn build(
    game: &Game,
    arena: &Arena,
    cores: &Cores,
    space: &Space,
    budget: &Budget,
) -> Result<Built, RespondError> {
    let decisions = cores.players.map(|role| Decisions {
        shape: Shape { firsts: Vec::new(), parents: Vec::new(), sums: vec![0], items: Vec::new(), stages: Vec::new() },
        sums: FxHashMap::default(),
        moves: vec![MoveId(u32::MAX)],
        infosets: 0.0,
        forced: 0.0,
        is_forced: arena.forced(role),
        passages: Vec::new(),
        deciding: Vec::new(),
        gathers: Vec::new(),
    });
    let (core, notes) = cores.start;
    let first = |notes: u32| Views { notes: vec![notes], reach: vec![0], count: vec![1.0], ..Views::default() };
    let mut builder = Builder {
        game,
        arena,
        cores,
        space,
        budget,
        views: [first(notes[0]), first(notes[1])],
        sets: [vec![[0].into()], vec![[0].into()]],
        blocks: vec![Block { core, sets: [0, 0], weight: 1.0 }],
        players: decisions,
        leaves: Vec::new(),
        offset: commonest(arena, cores.players[0]),
        held: 0,
        rounds: 0,
        largest: 1,
    };
    while !builder.blocks.is_empty() {
        budget.check()?;
        builder.advance()?;
    }
    Ok(builder.finish())
}

/// The goal of a role at the end of the most matches, by the number of joint moves that end them.
fn commonest(arena: &Arena, role: RoleId) -> i64 {
    let mut counts = FxHashMap::<i64, usize>::default();
    for state in 0..arena.states() as u32 {
        for (next, _) in arena.from(state) {
            if let Some(goals) = arena.goals(next) {
                *counts.entry(goals[role.0 as usize]).or_default() += 1;
            }
        }
    }
    counts.into_iter().max_by_key(|&(goal, count)| (count, goal)).map_or(0, |it| it.0)
}

impl Builder<'_> {
    /// Settles the blocks of a round and finds those of the next.
    fn advance(&mut self) -> Result<(), RespondError> {
        let lists = [self.settle(0)?, self.settle(1)?];
        let (mut children, parts) = self.expand(&lists);
        self.sets_of_ends(&parts);
        let mut sides = [Sides::new(parts[0].all.len()), Sides::new(parts[1].all.len())];
        let sets = [&self.sets[0], &self.sets[1]];
        let all = [&parts[0].all[..], &parts[1].all[..]];
        unite(&mut children, &mut sides, all, sets);
        for player in 0..2 {
            self.views(player, &mut children, &sides[player], &parts[player].all)?;
        }
        let block = |child: Child| Block { core: child.core, sets: child.sides, weight: child.weight };
        self.blocks = children.into_iter().map(block).collect();
        self.rounds += 1;
        self.largest = self.largest.max(self.blocks.len());
        self.budget.report("rounds", self.rounds, None);
        Ok(())
    }

    fn lists(&self, player: usize) -> &[Vec<MoveId>] {
        &self.arena.moves[self.cores.players[player].0 as usize].list
    }

    /// Finds the legal moves of a player at its views, and makes information sets of them. Returns the numbers of the
    /// lists of legal moves in each set.
    fn settle(&mut self, player: usize) -> Result<Vec<Vec<u32>>, RespondError> {
        let mut at: Vec<(u32, u32)> = self.blocks.iter().map(|block| (block.sets[player], block.core)).collect();
        at.sort_unstable();
        at.dedup();
        let views = &self.views[player];
        let list: Vec<AtomicU32> = views.notes.iter().map(|_| AtomicU32::new(NONE)).collect();
        let legal = &self.cores.legal[player];
        let of_set = |cores: &[(u32, u32)]| {
            let mut by_notes: FxHashMap<u32, u32> = FxHashMap::default();
            let mut lists = Vec::new();
            for &view in &self.sets[player][cores[0].0 as usize] {
                let notes = views.notes[view as usize];
                let here = match by_notes.get(&notes) {
                    Some(&here) => here,
                    None => {
                        let here = legal[&(cores[0].1, notes)];
                        if let Some(other) = cores.iter().map(|it| legal[&(it.1, notes)]).find(|&it| it != here) {
                            return Err((here, other));
                        }
                        by_notes.insert(notes, here);
                        lists.push(here);
                        here
                    }
                };
                let before = list[view as usize].swap(here, Ordering::Relaxed);
                if before != NONE && before != here {
                    return Err((before, here));
                }
            }
            lists.sort_unstable();
            lists.dedup();
            Ok(lists)
        };
        let groups: Vec<&[(u32, u32)]> = at.chunk_by(|one, other| one.0 == other.0).collect();
        let found: Result<Vec<Vec<u32>>, (u32, u32)> = groups.par_iter().map(|cores| of_set(cores)).collect();
        let found = found.map_err(|(one, other)| {
            let lists = self.lists(player);
            let (one, other) = (&lists[one as usize], &lists[other as usize]);
            RespondError::unknown_moves(self.game, self.cores.players[player], one, other)
        })?;
        let mut of_sets = vec![Vec::new(); self.sets[player].len()];
        groups.iter().zip(found).for_each(|(cores, lists)| of_sets[cores[0].0 as usize] = lists);
        self.views[player].list = list.into_iter().map(AtomicU32::into_inner).collect();
        self.decide(player);
        Ok(of_sets)
    }

    /// Makes information sets of the views with a choice.
    fn decide(&mut self, player: usize) {
        let lists = &self.arena.moves[self.cores.players[player].0 as usize].list;
        let (views, decisions) = (&mut self.views[player], &mut self.players[player]);
        views.first = vec![NONE; views.list.len()];
        let mut deciding = Vec::new();
        for view in 0..views.list.len() {
            let list = views.list[view];
            let legal = &lists[list as usize];
            if legal.len() > 1 {
                let first = decisions.moves.len() as u32;
                views.first[view] = first;
                decisions.shape.firsts.push(first);
                decisions.shape.parents.push(views.reach[view]);
                decisions.moves.extend_from_slice(legal);
                decisions.infosets += views.count[view];
                deciding.push(view as u32);
            } else if decisions.is_forced[list as usize] {
                decisions.forced += views.count[view];
            }
        }
        decisions.deciding.push(deciding);
    }

    /// Finds the successors of the blocks. Matches that end are counted, the others returned.
    fn expand(&mut self, lists: &[Vec<Vec<u32>>; 2]) -> (Vec<Child>, [Parts; 2]) {
        let mut parts = [Parts::default(), Parts::default()];
        let mut children = Vec::new();
        let first = self.cores.players[0].0 as usize;
        for block in &self.blocks {
            for step in self.cores.from(block.core) {
                let mut part = |player: usize| {
                    let (set, symbol) = (block.sets[player], step.symbols[player]);
                    let mv = self.cores.symbols[player][symbol as usize].mv;
                    let legal = self.lists(player);
                    let is_open = || lists[player][set as usize].iter().any(|&list| legal[list as usize].contains(&mv));
                    parts[player].id(set, symbol, is_open)
                };
                let sides = [part(0), part(1)];
                if sides.contains(&NONE) {
                    continue;
                }
                let weight = block.weight * step.probability;
                let outcome = self.cores.over[step.next as usize];
                if outcome == Arena::ON {
                    children.push(Child { core: step.next, sides, weight });
                    continue;
                }
                let goal = self.arena.outcomes.list[outcome as usize][first] - self.offset;
                if goal != 0 {
                    let ends = [0, 1]
                        .map(|player| parts[player].end(sides[player], self.players[player].gathers.len() as u32));
                    self.leaves.push((ends[0], ends[1], weight * goal as f64));
                }
            }
        }
        (children, parts)
    }

    /// Lists the variables of the sets with which matches end.
    fn sets_of_ends(&mut self, parts: &[Parts; 2]) {
        for (player, parts) in parts.iter().enumerate() {
            let lists = self.lists(player);
            let (views, symbols) = (&self.views[player], &self.cores.symbols[player]);
            let gathers = parts.ends.par_iter().map(|&part| {
                let (set, symbol) = parts.all[part as usize];
                let mv = symbols[symbol as usize].mv;
                let variable = |&view: &u32| {
                    let legal = &lists[views.list[view as usize] as usize];
                    let place = legal.binary_search(&mv).ok()?;
                    Some(variable(views, view as usize, place))
                };
                self.sets[player][set as usize].iter().filter_map(variable).collect::<Box<[u32]>>()
            });
            let gathers: Vec<Box<[u32]>> = gathers.collect();
            self.held += gathers.iter().map(|gather| 8 * gather.len() + 32).sum::<usize>();
            self.players[player].gathers.extend(gathers);
        }
    }

    /// Finds the views of the next round and the sets of them, and gives the children the numbers of the sets.
    fn views(
        &mut self,
        player: usize,
        children: &mut [Child],
        sides: &Sides,
        parts: &[(u32, u32)],
    ) -> Result<(), RespondError> {
        let mut numbers = vec![NONE; sides.list.len()];
        let mut used = Vec::new();
        for child in children {
            let number = &mut numbers[child.sides[player] as usize];
            if *number == NONE {
                *number = used.len() as u32;
                used.push(child.sides[player]);
            }
            child.sides[player] = *number;
        }
        let raw = Raw::new(&self.views[player], self.lists(player), &self.cores.symbols[player], sides, parts, &used);
        let (sets, views, known) = (&self.sets[player], &self.views[player], &raw);
        let items = |&side: &u32| {
            let parts = sides.list[side as usize].iter().map(|&part| parts[part as usize]);
            let mut items: Vec<u32> = parts
                .flat_map(|(set, symbol)| {
                    let number = move |&view: &u32| known.number(views, view, symbol);
                    sets[set as usize].iter().filter_map(number)
                })
                .collect();
            if sides.list[side as usize].len() > 1 {
                items.sort_unstable();
            }
            items.into_boxed_slice()
        };
        let mut found: Vec<Box<[u32]>> = used.par_iter().map(items).collect();
        let bytes = self.held + found.iter().map(|set| 4 * set.len() + 16).sum::<usize>() + 64 * raw.len();
        if bytes > self.space.bytes {
            let what = "blocks of positions";
            return Err(RespondError::TooLarge { what, count: self.blocks.len(), space: self.space.bytes });
        }
        self.budget.check()?;
        let (next, kept) = self.classes(player, &raw, &found);
        found.par_iter_mut().for_each(|set| {
            *set = set.iter().map(|&it| kept[it as usize]).filter(|&it| it != NONE).collect();
        });
        self.views[player] = next;
        self.sets[player] = found;
        Ok(())
    }

    /// Views that belong to the same sets are one from here on. Returns the views of the next round, and for each raw
    /// one its number, if it is the first of its kind.
    fn classes(&mut self, player: usize, raw: &Raw, sets: &[Box<[u32]>]) -> (Views, Vec<u32>) {
        let marks: Vec<[AtomicU64; 2]> = (0..raw.len()).map(|_| Default::default()).collect();
        sets.par_iter().enumerate().for_each(|(set, items)| {
            let mark = [spread(set as u64 + 1), spread(!(set as u64))];
            for &item in items {
                for (sum, mark) in marks[item as usize].iter().zip(mark) {
                    sum.fetch_add(mark, Ordering::Relaxed);
                }
            }
        });
        let (before, decisions) = (&self.views[player], &mut self.players[player]);
        let mut classes: FxHashMap<(u64, u64, u32), u32> = FxHashMap::default();
        let (mut next, mut members): (Views, Vec<Vec<u32>>) = Default::default();
        let mut kept = vec![NONE; raw.len()];
        let mut passages = Vec::new();
        for (view, number, symbol, place) in raw.all(before) {
            let [one, other] = &marks[number as usize];
            let mark = (one.load(Ordering::Relaxed), other.load(Ordering::Relaxed));
            if mark == (0, 0) {
                continue;
            }
            let notes = self.cores.notes[player][&(before.notes[view], symbol)];
            let fresh = members.len() as u32;
            let class = *classes.entry((mark.0, mark.1, notes)).or_insert(fresh);
            if class == fresh {
                kept[number as usize] = class;
                members.push(Vec::new());
                next.notes.push(notes);
                next.count.push(0.0);
            }
            next.count[class as usize] += before.count[view];
            members[class as usize].push(variable(before, view, place));
            passages.push(Passage { before: view as u32, symbol, after: class });
        }
        next.reach = members.into_iter().map(|members| decisions.sum(members)).collect();
        let sums = decisions.shape.sums.len() - 1;
        decisions.shape.stages.push(Stage { infosets: decisions.shape.parents.len(), sums });
        decisions.passages.push(passages);
        (next, kept)
    }

    fn finish(self) -> Built {
        let Builder { players, leaves, offset, rounds, largest, .. } = self;
        Built { players: players.map(Decisions::finish), leaves, offset, rounds, largest }
    }
}

/// A number that looks random, a different one for each number.
fn spread(number: u64) -> u64 {
    let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The variable that leads from a view on by the legal move at this place.
fn variable(views: &Views, view: usize, place: usize) -> u32 {
    match views.first[view] {
        NONE => views.reach[view],
        first => first + place as u32,
    }
}

impl Decisions {
    /// The variable that is the sum of these.
    fn sum(&mut self, mut members: Vec<u32>) -> u32 {
        if let [only] = members[..] {
            return only;
        }
        members.sort_unstable();
        let fresh = self.sums.len() as u32;
        if let Some(&id) = self.sums.get(&members) {
            return id | SUM;
        }
        self.shape.items.extend_from_slice(&members);
        self.shape.sums.push(self.shape.items.len() as u32);
        self.sums.insert(members, fresh);
        fresh | SUM
    }

    /// Numbers the sums after the moves.
    fn finish(mut self) -> super::Player {
        let moves = self.moves.len() as u32;
        self.shape.firsts.push(moves);
        let number = |it: &mut u32| {
            if *it & SUM != 0 {
                *it = (*it & !SUM) + moves;
            }
        };
        self.shape.parents.iter_mut().for_each(number);
        self.shape.items.iter_mut().for_each(number);
        self.gathers.par_iter_mut().for_each(|gather| gather.iter_mut().for_each(number));
        super::Player {
            shape: self.shape,
            moves: self.moves,
            infosets: self.infosets,
            forced: self.forced,
            passages: self.passages,
            deciding: self.deciding,
            gathers: self.gathers,
        }
    }
}
