//! MAC-UCB-II: Koriche, Lagrue, Piette and Tabary, Stochastic Constraint Programming for General Game Playing with
//! Imperfect Information, IJCAI 2017, section 5. The game is a row of stages ([`crate::scsp`]). In each stage, the
//! decision part is solved by MAC, chance is enumerated with forward checking, and the states beyond are estimated by
//! UCB. A role's value of a state is maximin: the greatest, over its moves, of the least, over the others' moves, of
//! the mean over chance.
//!
//! Choices that the paper leaves open: A tenth of the clock goes to UCB from the members of the belief. It comes first,
//! as its means value the last stage of the search. The rest goes to stages, one deeper at a time. The last finished
//! depth counts; if not even one was finished, the values of UCB count. A state that UCB hardly met is estimated by 32
//! random matches in all members of the belief together. The conditional probabilities that percepts give are the
//! weights of the belief. The paper's fragment consists of games of shared information: in other games the player
//! believes that every role will see the states it assumes. Games too large for tables are played by the same stages
//! with the rules themselves as constraints; legal moves are then consistent by themselves.

use percept_game::onward::{Opening, play_on};
use percept_game::{Game, JointMove, MoveId, RoleId, State, joint_moves};
use percept_infoset::View;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use super::head::{Head, Look};
use super::search::{Eyes, Pick, Search};
use crate::belief::{Member, cumulative, pick};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};
use crate::scsp::{Stage, solutions};
use crate::simulation::{LONGEST, choices, goals, state_key};
use crate::tree::Tree;

/// The share of the clock for UCB.
const EXPLORATION: f64 = 0.1;
/// The most stages in a row.
const DEEPEST: usize = 100;
/// The number of random matches for the estimate of a state, shared among the members of the belief, over which it is a
/// mean.
const SAMPLES: usize = 32;
/// The memory for the states of one choice, in bytes (approximate); a depth that needs more is not finished.
const MEMORY: usize = 256 << 20;

pub(super) struct MacUcb<'g> {
    head: Head<'g>,
    search: Search<'g>,
    stage: Option<Stage>,
    stages: usize,
}

impl<'g> MacUcb<'g> {
    pub(super) fn new(seat: &'g Seat) -> MacUcb<'g> {
        let head = Head::new(seat);
        let search = Search::new(seat.game(), Eyes::All, Pick::Confidence, head.rng.clone());
        MacUcb { head, search, stage: None, stages: 0 }
    }
}

impl Player for MacUcb<'_> {
    fn prepare(&mut self, clock: &Clock) -> Result<(), Trouble> {
        self.stage = Stage::of(self.head.game, &clock.share(0.5).budget()).ok();
        Ok(())
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        self.search.make_room();
        let members = self.head.belief.members();
        let sums = cumulative(members);
        let exploring = clock.share(EXPLORATION);
        let mut done = 0;
        let rng = &mut self.head.rng;
        self.search.run(&exploring, &mut done, None, &mut || &members[pick(&sums, rng)].place);
        let mut stages = Stages {
            game: self.head.game,
            role: self.head.role,
            stage: self.stage.as_ref(),
            tree: self.search.tree(),
            clock,
            done,
            is_over: false,
            cut: false,
            answers: FxHashMap::default(),
            feasible: FxHashMap::default(),
            samples: (SAMPLES / members.len()).max(1),
            estimates: FxHashMap::default(),
            wanted: Vec::new(),
            state_bytes: members.first().map_or(0, |member| bytes(&member.place.state)),
            move_bytes: 0,
            rng: &mut self.head.rng,
        };
        // If not even one stage can be finished, the values of UCB count.
        let mut best: Vec<(MoveId, f64)> = moves.iter().map(|&mv| (mv, stages.explored(members, mv))).collect();
        for depth in 1..=DEEPEST {
            let Some(values) = stages.worth(members, &moves, depth) else { break };
            (best, self.stages) = (values, self.stages.max(depth));
            if !stages.cut {
                break;
            }
        }
        self.head.best(best.into_iter()).ok_or(Trouble::Lost)
    }

    fn remark(&self) -> Option<String> {
        let tables = if self.stage.is_some() { "tables" } else { "the rules as constraints" };
        Some(format!("{tables}, up to {} stages", self.stages))
    }
}

struct Stages<'a> {
    game: &'a Game,
    role: RoleId,
    stage: Option<&'a Stage>,
    tree: &'a Tree,
    clock: &'a Clock,
    done: u64,
    /// True if time ran out, or the memory was full, at the last check.
    is_over: bool,
    /// True if some state was estimated, not solved.
    cut: bool,
    /// The values of states, by the number of stages to go.
    answers: FxHashMap<(State, usize), f64>,
    /// The feasible moves of all roles in a state.
    feasible: FxHashMap<State, Vec<Vec<MoveId>>>,
    /// The number of random matches per estimate, the estimates, and the states that still need one.
    samples: usize,
    estimates: FxHashMap<State, f64>,
    wanted: Vec<State>,
    /// Bytes of a state in one of these tables.
    state_bytes: usize,
    /// Bytes of the moves in `feasible`.
    move_bytes: usize,
    rng: &'a mut Xoshiro256PlusPlus,
}

impl Stages<'_> {
    /// The value of a move by the belief; `None` if time runs out or the memory is full.
    fn of_belief(&mut self, members: &[Member], mv: MoveId, depth: usize) -> Option<f64> {
        members
            .iter()
            .try_fold(0.0, |sum, member| Some(sum + member.weight * self.of_move(&member.place.state, mv, depth)?))
    }

    /// The mean that UCB found for a move in the states of the belief in which it tried it; zero if it never did.
    fn explored(&self, members: &[Member], mv: MoveId) -> f64 {
        let tried = members.iter().filter_map(|member| {
            let node = self.tree.find(self.role, state_key(&member.place.state))?;
            let arm = node.arms.iter().find(|arm| arm.mv == mv && arm.visits > 0)?;
            Some((member.weight, member.weight * arm.mean()))
        });
        let (weight, sum) = tried.fold((0.0, 0.0), |(weights, sums), (weight, sum)| (weights + weight, sums + sum));
        if weight > 0.0 { sum / weight } else { 0.0 }
    }

    /// The value of a move in a state: the least over the others' moves of the mean over chance's.
    fn of_move(&mut self, state: &State, mv: MoveId, depth: usize) -> Option<f64> {
        let feasible = self.feasible(state);
        let is_chance = |at: usize| self.game.roles[at].is_chance;
        let pinned = |at: usize, moves: &Vec<MoveId>| if at == self.role.0 as usize { vec![mv] } else { moves.clone() };
        let decisions: Vec<Vec<MoveId>> = feasible
            .iter()
            .enumerate()
            .map(|(at, moves)| if is_chance(at) { vec![moves[0]] } else { pinned(at, moves) })
            .collect();
        let mut least = f64::INFINITY;
        for decided in joint_moves(&decisions) {
            let outcomes: Vec<Vec<MoveId>> = feasible
                .iter()
                .enumerate()
                .map(|(at, moves)| if is_chance(at) { moves.clone() } else { vec![decided[at]] })
                .collect();
            let count: usize = outcomes.iter().map(Vec::len).product();
            let mut sum = 0.0;
            for joint in joint_moves(&outcomes) {
                let next = self.game.rules.next(state, &joint);
                sum += self.of_state(&next, depth - 1)?;
            }
            least = least.min(sum / count as f64);
        }
        Some(least)
    }

    /// The value of a state: its reward if the match is over, else the greatest over the role's moves.
    fn of_state(&mut self, state: &State, depth: usize) -> Option<f64> {
        self.done += 1;
        let within = self.clock.simulations() == u64::MAX || self.done < self.clock.simulations().saturating_mul(64);
        let look = self.done.is_multiple_of(64);
        self.is_over |= !within || look && (self.clock.is_over() || self.bytes() > MEMORY);
        if self.is_over {
            return None;
        }
        if self.game.rules.terminal(state) {
            return Some(goals(self.game, state)[self.role.0 as usize]);
        }
        if depth == 0 {
            self.cut = true;
            return Some(self.estimate(state));
        }
        let key = (state.clone(), depth);
        if let Some(&answer) = self.answers.get(&key) {
            return Some(answer);
        }
        let own = self.feasible(state)[self.role.0 as usize].clone();
        let mut best = f64::NEG_INFINITY;
        for mv in own {
            best = best.max(self.of_move(state, mv, depth)?);
        }
        self.answers.insert(key, best);
        Some(best)
    }

    /// The memory of all states at hand, with the random matches that the wanted ones start.
    fn bytes(&self) -> usize {
        let states = self.answers.len() + self.estimates.len() + self.feasible.len() + self.wanted.len();
        let openings = self.wanted.len() * self.samples * size_of::<Opening>();
        states * self.state_bytes + self.move_bytes + openings
    }

    /// The mean of UCB's best move there, or of random matches. (With a single random match, the least over the others'
    /// moves would be the value of a lost match in every state in which a match can be lost.) Returns zero if the
    /// random matches must be played first.
    fn estimate(&mut self, state: &State) -> f64 {
        let enough = self.samples.max(2) as u64;
        let node = self.tree.find(self.role, state_key(state));
        let best = node.and_then(|node| node.arms.iter().max_by_key(|arm| arm.visits));
        if let Some(arm) = best.filter(|arm| u64::from(arm.visits) > enough) {
            return arm.mean();
        }
        if let Some(&estimate) = self.estimates.get(state) {
            return estimate;
        }
        // It is played together with the others of the stage.
        self.wanted.push(state.clone());
        self.estimates.insert(state.clone(), 0.0);
        0.0
    }

    /// Estimates the states that were met and had no estimate, by random matches from all of them at the same time;
    /// `None` if time runs out or the memory is full.
    fn play_out(&mut self) -> Option<()> {
        let wanted = std::mem::take(&mut self.wanted);
        let each = wanted.iter().flat_map(|state| std::iter::repeat_n(state, self.samples));
        let openings: Vec<Opening> = each.map(|state| Opening { state, first: None }).collect();
        self.done += openings.len() as u64;
        let (role, clock, samples) = (self.role.0 as usize, self.clock, self.samples);
        let mut sums = vec![0.0; wanted.len()];
        let all = play_on(self.game, &openings, LONGEST, self.rng, &|| clock.is_over(), &mut |opening, goals| {
            sums[opening / samples] += goals[role];
        });
        self.estimates.extend(wanted.into_iter().zip(sums).map(|(state, sum)| (state, sum / samples as f64)));
        all.then_some(())
    }

    /// The values of the moves, `depth` stages deep; `None` if time runs out or the memory is full.
    fn worth(&mut self, members: &[Member], moves: &[MoveId], depth: usize) -> Option<Vec<(MoveId, f64)>> {
        let values = self.visit(members, moves, depth)?;
        if self.wanted.is_empty() {
            return Some(values);
        }
        // Some states have to be estimated first.
        self.play_out()?;
        self.visit(members, moves, depth)
    }

    /// Like [`Stages::worth`], by the existing estimates.
    fn visit(&mut self, members: &[Member], moves: &[MoveId], depth: usize) -> Option<Vec<(MoveId, f64)>> {
        self.cut = false;
        self.answers.clear();
        moves.iter().map(|&mv| Some((mv, self.of_belief(members, mv, depth)?))).collect()
    }

    /// The moves of every role that some solution of the stage's decision part makes.
    fn feasible(&mut self, state: &State) -> Vec<Vec<MoveId>> {
        let Some(stage) = self.stage else { return choices(self.game, state) };
        if let Some(old) = self.feasible.get(state) {
            return old.clone();
        }
        let given: Vec<(usize, u32)> = stage.coding.before.iter().copied().zip(stage.coding.values(state)).collect();
        let wanted: Vec<usize> = stage.coding.moves.iter().map(|(variable, _)| *variable).collect();
        let found = solutions(stage, &given, &wanted);
        let mut moves: Vec<Vec<MoveId>> = vec![Vec::new(); wanted.len()];
        for solution in found {
            let joint: JointMove =
                solution.iter().zip(&stage.coding.moves).map(|(&value, (_, moves))| moves[value as usize]).collect();
            for (list, mv) in moves.iter_mut().zip(joint) {
                if !list.contains(&mv) {
                    list.push(mv);
                }
            }
        }
        self.move_bytes += moves.iter().map(|moves| size_of_val(moves) + size_of_val(&moves[..])).sum::<usize>();
        self.feasible.insert(state.clone(), moves.clone());
        moves
    }
}

/// The memory of a state in a table, in bytes: the state, its value, and the table's free places.
fn bytes(state: &State) -> usize {
    2 * size_of::<(State, Vec<Vec<MoveId>>)>() + size_of_val(&state.bits[..]) + size_of_val(&state.registers[..])
}
