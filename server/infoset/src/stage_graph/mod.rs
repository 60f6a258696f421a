//! CSP-InfosetSample as in the paper (Richards & Amir 2012, Figures 5 and 6), for comparison. A graph of stages holds
//! each proposition as TRUE, FALSE or UNKNOWN. Between two stages it holds the plausible actions with their definite
//! preconditions and effects. Stages whose neighbours changed are evaluated again until a fixpoint is reached. A random
//! action at a random time step is then fixed and propagated, until all actions are set or a conflict ends the attempt.
//!
//! Two things are more general than in the paper. A variable belongs to a round *and a role*, because GDL-II's moves
//! are simultaneous and the role's own moves are fixed. The consequences of one action are found by propagation inside
//! its round, because preconditions and effects of GDL-II are arbitrary formulas.

mod stage;

use percept_game::{Game, JointMove, TooLarge};
use rand::{Rng, SeedableRng, seq::IteratorRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Budget, Stop,
    member::{Member, Members},
};
use percept_game::view::View;
use stage::{Inconsistent, Info, Step};

/// Options of the paper's algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PaperOptions {
    /// The full-set variant of the paper's footnote 1: tries every plausible action in turn instead of a random one.
    pub(crate) full_set: bool,
    /// The heuristic of footnote 2: picks the time step with the fewest plausible actions instead of a random one.
    pub most_constrained: bool,
    pub seed: u64,
}

/// The values known in each stage and the actions plausible in each step.
#[derive(Clone)]
struct Graph {
    /// `stages[t]` holds the fluents before round t.
    stages: Vec<Vec<Option<bool>>>,
    /// The plausibility of each move, by round, group of unknown moves, and move.
    plausible: Vec<Vec<Vec<bool>>>,
}

impl Graph {
    /// Yields each open choice: the round, the group and the number of its plausible actions, more than one.
    fn open(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.plausible.iter().enumerate().flat_map(|(round, groups)| {
            groups.iter().enumerate().filter_map(move |(group, options)| {
                let count = options.iter().filter(|&&option| option).count();
                (count > 1).then_some((round, group, count))
            })
        })
    }
}

/// The number of attempts in a row that may fail before the search gives up.
const PATIENCE: u32 = 20_000;

/// The sampler (the search if `full_set` is set) over the stage graph.
pub(crate) struct PaperCsp<'a> {
    game: &'a Game,
    view: &'a View,
    options: PaperOptions,
    steps: Vec<Step>,
    graph: Option<Graph>,
    rng: Xoshiro256PlusPlus,
    budget: Budget,
    stopped: Option<Stop>,
    /// The open branches of the full-set variant.
    branches: Vec<Graph>,
    complete: bool,
    pub attempts: u64,
}

impl<'a> PaperCsp<'a> {
    /// Builds the graph (INITGRAPH).
    ///
    /// # Errors
    /// Fails if a round is too large to ground.
    pub(crate) fn new(
        game: &'a Game,
        view: &'a View,
        options: PaperOptions,
        budget: Budget,
    ) -> Result<PaperCsp<'a>, TooLarge> {
        let mut search = PaperCsp {
            game,
            view,
            options,
            steps: vec![],
            graph: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(options.seed),
            budget,
            stopped: None,
            branches: vec![],
            complete: false,
            attempts: 0,
        };
        search.graph = search.init_graph()?.ok();
        search.complete = search.graph.is_none();
        if options.full_set {
            search.branches.extend(search.graph.clone());
        }
        Ok(search)
    }

    fn init_graph(&mut self) -> Result<Result<Graph, Inconsistent>, TooLarge> {
        let initial = self.game.rules.initial();
        let fluents = self.game.rules.fluent_count();
        let value = |index: usize| Some(initial.has(percept_game::FluentId(index as u32)));
        let mut graph = Graph { stages: vec![(0..fluents).map(value).collect()], plausible: vec![] };
        let mut registers: Vec<Option<i64>> = initial.registers.iter().map(|&value| Some(value)).collect();
        let mut redo = vec![false; self.view.len()];
        for round in 0..self.view.len() {
            if self.budget.stop().is_some() {
                break;
            }
            self.budget.report("stages built", round, Some(self.view.len()));
            let (step, after) = Step::new(self.game, self.view, round, &graph.stages[round], &registers, &self.budget)?;
            registers = after;
            graph.plausible.push(step.all_plausible());
            graph.stages.push(step.frame(fluents));
            self.steps.push(step);
            match self.plausible_action_info(&mut graph, round) {
                Ok(info) => redo = apply(&mut graph, round, &info, redo),
                Err(conflict) => return Ok(Err(conflict)),
            }
        }
        Ok(self.reevaluate(&mut graph, redo).map(|()| graph))
    }

    /// PLAUSIBLEACTIONINFO: drops implausible actions of a step and finds its definite preconditions and effects.
    fn plausible_action_info(&self, graph: &mut Graph, round: usize) -> Result<Info, Inconsistent> {
        let (before, after) = graph.stages.split_at(round + 1);
        self.steps[round].info(&before[round], &after[0], &mut graph.plausible[round])
    }

    /// REEVALUATE: repeats until no stage changes.
    fn reevaluate(&self, graph: &mut Graph, mut redo: Vec<bool>) -> Result<(), Inconsistent> {
        while let Some(round) = redo.iter().position(|&flag| flag) {
            if self.budget.stop().is_some() {
                return Err(Inconsistent);
            }
            redo[round] = false;
            let info = self.plausible_action_info(graph, round)?;
            redo = apply(graph, round, &info, redo);
        }
        Ok(())
    }

    /// PROPAGATE: fixes one action.
    fn propagate(&self, graph: &Graph, round: usize, group: usize, option: usize) -> Result<Graph, Inconsistent> {
        let mut graph = graph.clone();
        for (index, plausible) in graph.plausible[round][group].iter_mut().enumerate() {
            *plausible &= index == option;
        }
        let mut redo = vec![false; self.view.len()];
        redo[round] = true;
        self.reevaluate(&mut graph, redo)?;
        Ok(graph)
    }

    /// RANDOMUNSETTIMESTEP, or the most constrained time step.
    fn choose(&mut self, graph: &Graph) -> Option<(usize, usize)> {
        let step = if self.options.most_constrained {
            graph.open().min_by_key(|&(_, _, count)| count)
        } else {
            graph.open().choose(&mut self.rng)
        };
        step.map(|(round, group, _)| (round, group))
    }

    fn options_of(graph: &Graph, round: usize, group: usize) -> Vec<usize> {
        let options = &graph.plausible[round][group];
        (0..options.len()).filter(|&option| options[option]).collect()
    }

    fn history(&self, graph: &Graph) -> Vec<JointMove> {
        self.steps.iter().zip(&graph.plausible).map(|(step, plausible)| step.joint(plausible)).collect()
    }

    /// Makes one attempt of CSP-InfosetSample.
    fn attempt(&mut self) -> Option<Vec<JointMove>> {
        let mut graph = self.graph.clone()?;
        while let Some((round, group)) = self.choose(&graph) {
            let options = Self::options_of(&graph, round, group);
            let option = options[self.rng.random_range(0..options.len())];
            graph = self.propagate(&graph, round, group, option).ok()?;
        }
        Some(self.history(&graph))
    }

    fn next_sample(&mut self) -> Option<Member> {
        let mut failures = 0;
        while self.stopped.is_none() && self.graph.is_some() {
            self.attempts += 1;
            let history = self.attempt();
            if let Some(member) = history.and_then(|moves| Member::checked(self.game, self.view, moves)) {
                return Some(member);
            }
            failures += 1;
            self.stopped = self.budget.stop().or((failures >= PATIENCE).then_some(Stop::DeadEnds));
        }
        None
    }

    fn next_of_all(&mut self) -> Option<Member> {
        while let Some(graph) = self.branches.pop() {
            self.stopped = self.budget.stop();
            if self.stopped.is_some() {
                return None;
            }
            self.attempts += 1;
            let Some((round, group)) = self.choose(&graph) else {
                if let Some(member) = Member::checked(self.game, self.view, self.history(&graph)) {
                    return Some(member);
                }
                continue;
            };
            for option in Self::options_of(&graph, round, group).into_iter().rev() {
                self.branches.extend(self.propagate(&graph, round, group, option).ok());
            }
        }
        // An interrupted propagation looks like a conflict.
        self.stopped = self.budget.stop();
        self.complete = self.stopped.is_none();
        None
    }
}

/// Adopts the facts that a step made certain, and marks the steps next to the stages that changed.
fn apply(graph: &mut Graph, round: usize, info: &Info, mut redo: Vec<bool>) -> Vec<bool> {
    for &(fluent, value) in &info.preconditions {
        graph.stages[round][fluent] = Some(value);
    }
    for &(fluent, value) in &info.effects {
        graph.stages[round + 1][fluent] = Some(value);
    }
    if !info.preconditions.is_empty() && round > 0 {
        redo[round - 1] = true;
    }
    // A step not built yet will read the changed stage when it is built.
    if !info.effects.is_empty() && round + 1 < graph.plausible.len() {
        redo[round + 1] = true;
    }
    redo
}

impl Iterator for PaperCsp<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        if self.options.full_set { self.next_of_all() } else { self.next_sample() }
    }
}

impl Members for PaperCsp<'_> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn complete(&self) -> bool {
        self.complete
    }
}
