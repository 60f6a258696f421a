//! Lists every member, by search with full propagation. A complete search proves their number.

use percept_game::Game;

use super::{engine::Engine, problem::Problem};
use crate::{
    Budget, Stop,
    member::{Member, Members},
    net::Lit,
};
use percept_game::view::View;

/// Lists the members of a problem. Probing it first is optional, but faster.
pub struct Listing<'a> {
    game: &'a Game,
    view: &'a View,
    problem: &'a Problem,
    engine: Option<Engine<'a>>,
    /// The groups decided on the current path, each with the next option to try.
    path: Vec<(u32, u32)>,
    started: bool,
    budget: Budget,
    stopped: Option<Stop>,
    nodes: u64,
    /// The nodes after which the search is given up if it has found fewer members than the second number.
    patience: Option<(u64, usize)>,
    found: usize,
}

impl<'a> Listing<'a> {
    pub fn new(game: &'a Game, view: &'a View, problem: &'a Problem, budget: Budget) -> Listing<'a> {
        let engine = Engine::new(problem).ok();
        Listing {
            game,
            view,
            problem,
            engine,
            path: vec![],
            started: false,
            budget,
            stopped: None,
            nodes: 0,
            patience: None,
            found: 0,
        }
    }

    /// The same search, given up after `nodes` nodes if it has found fewer than `members` by then.
    pub(crate) fn giving_up_after(self, nodes: u64, members: usize) -> Listing<'a> {
        Listing { patience: Some((nodes, members)), ..self }
    }

    fn is_given_up(&self) -> bool {
        self.patience.is_some_and(|(nodes, members)| self.nodes > nodes && self.found < members)
    }

    /// The open group with the fewest options.
    fn next_group(&self, engine: &Engine<'_>) -> Option<u32> {
        let mut best = None;
        let mut least = usize::MAX;
        for (index, group) in self.problem.groups.iter().enumerate() {
            let mut open = 0;
            let mut decided = false;
            for &(_, input) in &group.options {
                match engine.node_value(input) {
                    None => open += 1,
                    Some(true) => decided = true,
                    Some(false) => {}
                }
            }
            if !decided && open < least {
                (best, least) = (Some(index as u32), open);
            }
        }
        best
    }

    /// Goes to the next leaf, at which everything is decided without a contradiction.
    fn leaf(&mut self) -> bool {
        let Some(mut engine) = self.engine.take() else {
            return false;
        };
        let mut descend = !self.started;
        self.started = true;
        let found = loop {
            if descend {
                match self.next_group(&engine) {
                    Some(group) => self.path.push((group, 0)),
                    None => break true,
                }
            } else if engine.level() > 0 {
                engine.undo();
            }
            let Some(mut step) = self.path.pop() else {
                break false;
            };
            self.nodes += 1;
            if self.nodes.is_multiple_of(16) {
                self.stopped = self.budget.stop().or(self.is_given_up().then_some(Stop::OutOfSteps));
                self.budget.report("search nodes", self.nodes as usize, None);
            }
            if self.stopped.is_some() {
                break false;
            }
            descend = false;
            let group = &self.problem.groups[step.0 as usize];
            while let Some(&(_, input)) = group.options.get(step.1 as usize) {
                step.1 += 1;
                if engine.node_value(input).is_some() {
                    continue;
                }
                if engine.assume(Lit::new(input, false)).is_ok() {
                    descend = true;
                    break;
                }
                engine.undo();
            }
            if descend {
                self.path.push(step);
            } else if self.path.is_empty() {
                break false;
            }
        };
        if found || self.stopped.is_some() {
            self.engine = Some(engine);
        }
        found
    }
}

impl Iterator for Listing<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        while self.stopped.is_none() && self.leaf() {
            let engine = self.engine.as_ref()?;
            let history = self.problem.history(|group| {
                let options = &self.problem.groups[group].options;
                options.iter().position(|&(_, input)| engine.node_value(input) == Some(true)).unwrap_or(0)
            });
            let member = Member::checked(self.game, self.view, history);
            if member.is_some() {
                self.found += 1;
                return member;
            }
        }
        None
    }
}

impl Members for Listing<'_> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn complete(&self) -> bool {
        self.engine.is_none() && self.stopped.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csp::Csp;
    use percept_game::RoleId;
    use percept_test::gdl;

    /// Ten coins that the player does not see, each a fluent of its own.
    const COINS: &str =
        "(role p) (role random) (init (round 0)) (legal p wait) (legal random heads) (legal random tails)
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
        (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
        (<= (next (head ?n)) (true (round ?n)) (does random heads)) (<= (next (head ?n)) (true (head ?n)))
        (<= terminal (true (round 10))) (goal p 50)";

    #[test]
    fn a_search_is_given_up_only_if_it_finds_hardly_any() {
        let game = gdl(COINS);
        let heads = |role, name| game.rules.find_move(RoleId(role), name).expect("a move");
        let moves = vec![vec![heads(0, "wait"), heads(1, "heads")]; 10];
        let view = View::of_match(&game, RoleId(0), &moves).expect("a match");
        let csp = Csp::new(&game, &view, crate::DEFAULT_MEMORY, &Budget::default()).expect("it is small");
        let listed = |nodes, members| {
            let listing = csp.listing(Budget::default()).expect("there are members");
            let mut listing = listing.giving_up_after(nodes, members);
            let count = listing.by_ref().count();
            (count, listing.stopped(), listing.complete())
        };
        assert_eq!(listed(0, 0), (1024, None, true), "enough were found at once");
        assert_eq!(listed(u64::MAX, 2_000), (1024, None, true), "there was patience for all of them");
        let (count, stopped, complete) = listed(200, 2_000);
        assert!((50..1024).contains(&count), "{count}");
        assert_eq!((stopped, complete), (Some(Stop::OutOfSteps), false));
    }
}
