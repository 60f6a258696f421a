//! The histories of a `Tree` in clauses, a round at a time.

use std::sync::Arc;

use percept_game::circuit::Lit;
use percept_game::{FluentId, Game, Ground, JointMove, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::sentence::Sentence;
use super::wish::{Plan, Wish};
use crate::clauses::Clauses;
use crate::net::Net;
use crate::prove::claims::{Agreement, Invariants};
use crate::prove::setting::Setting;
use crate::prove::twin::{Copy, Moves, Symbolic};
use crate::unroll::Values;

/// Assumptions about states that were not reached by play.
pub(crate) struct Assumed<'s> {
    pub(crate) invariants: &'s Invariants,
    /// For each role of the tree, its agreement.
    pub(crate) agreements: &'s FxHashMap<RoleId, Arc<Agreement>>,
}

/// All histories of a tree, up to the same round.
pub(super) struct Worlds<'a> {
    game: &'a Game,
    ground: Arc<Ground>,
    plan: &'a Plan,
    announce_end: bool,
    net: Net,
    clauses: Clauses,
    rounds: Vec<Vec<Copy>>,
    /// The size of the copies of all earlier rounds.
    held: usize,
    states: Vec<Symbolic>,
    now: Vec<Copy>,
    legal: Vec<FxHashMap<MoveId, Lit>>,
}

impl<'a> Worlds<'a> {
    /// All histories in the initial state.
    pub(super) fn first(
        game: &'a Game,
        ground: &Arc<Ground>,
        plan: &'a Plan,
        announce_end: bool,
        clauses: Clauses,
    ) -> Self {
        let first = game.rules.initial();
        let constant = |index| if first.has(FluentId(index)) { Lit::TRUE } else { Lit::FALSE };
        let fluents = (0..game.rules.fluent_count() as u32).map(constant).collect();
        let registers = first.registers.iter().map(|&value| Values::constant(value)).collect();
        let state = Symbolic { fluents, registers, made: Vec::new() };
        let mut worlds = Worlds::new(game, ground, plan, announce_end, clauses);
        worlds.look(vec![state; plan.tree.like.len() + 1], &[]);
        worlds
    }

    /// Histories that begin in any states that satisfy the assumptions.
    pub(super) fn anywhere(
        game: &'a Game,
        ground: &Arc<Ground>,
        plan: &'a Plan,
        announce_end: bool,
        clauses: Clauses,
        assumed: &Assumed<'_>,
    ) -> Self {
        let mut worlds = Worlds::new(game, ground, plan, announce_end, clauses);
        let made = &assumed.invariants.made;
        let setting = Setting { game, ground, role: RoleId(0), made };
        let states = (0..=plan.tree.like.len()).map(|_| setting.any_state(&mut worlds.net)).collect();
        worlds.assume(states, assumed);
        worlds
    }

    fn new(game: &'a Game, ground: &Arc<Ground>, plan: &'a Plan, announce_end: bool, clauses: Clauses) -> Self {
        let legal = ground.moves.iter().map(|moves| moves.iter().copied().collect()).collect();
        let (net, ground) = (Net::new(), ground.clone());
        let (rounds, states, now) = (Vec::new(), Vec::new(), Vec::new());
        Worlds { game, ground, plan, announce_end, net, clauses, rounds, held: 0, states, now, legal }
    }

    pub(super) fn depth(&self) -> usize {
        self.rounds.len()
    }

    /// The number of nodes of the formula, plus the size of the copies of its rounds.
    pub(super) fn size(&self) -> usize {
        self.net.len() + self.held
    }

    /// Makes these the current states, each with a copy of the round that follows.
    fn look(&mut self, states: Vec<Symbolic>, made: &[(RoleId, MoveId)]) {
        self.now.clear();
        for (world, state) in states.iter().enumerate() {
            let like = world.checked_sub(1).map(|index| self.plan.tree.like[index]);
            let role = like.map_or(RoleId(0), |(_, role)| role);
            let setting = Setting { game: self.game, ground: &self.ground, role, made };
            let moves = like.map_or(Moves::Own, |(like, _)| Moves::Shared(&self.now[like].does));
            let copy = setting.copy(&mut self.net, state, moves, &[]);
            self.now.push(copy);
        }
        self.states = states;
    }

    /// Makes states that satisfy the assumptions the current ones.
    fn assume(&mut self, mut states: Vec<Symbolic>, assumed: &Assumed<'_>) {
        let (net, clauses) = (&mut self.net, &mut self.clauses);
        for state in &mut states {
            assumed.invariants.demand(net, clauses, state);
            assumed.invariants.fix(state);
        }
        for (index, (like, role)) in self.plan.tree.like.iter().enumerate() {
            // The history that this one looks like is earlier in the list.
            let (before, from) = states.split_at_mut(index + 1);
            assumed.agreements[role].demand(net, clauses, &before[*like], &mut from[0]);
        }
        self.look(states, &assumed.invariants.made);
    }

    /// Advances all histories by one round. `assumed`: facts about all states, if the histories begin anywhere.
    pub(super) fn advance(&mut self, assumed: Option<&Assumed<'_>>) {
        let none = Invariants::default();
        let made = &assumed.map_or(&none, |assumed| assumed.invariants).made;
        let setting = |role| Setting { game: self.game, ground: &self.ground, role, made };
        let (net, clauses) = (&mut self.net, &mut self.clauses);
        for copy in &self.now {
            setting(RoleId(0)).demand_round(net, clauses, copy);
        }
        for (index, &(like, role)) in self.plan.tree.like.iter().enumerate() {
            setting(role).demand_same_percepts(net, clauses, &self.now[like], &self.now[index + 1]);
        }
        let states = self.now.iter().map(|copy| setting(RoleId(0)).next(net, copy)).collect();
        self.held += self.now.iter().map(Copy::size).sum::<usize>();
        self.rounds.push(std::mem::take(&mut self.now));
        match assumed {
            Some(assumed) => self.assume(states, assumed),
            None => self.look(states, made),
        }
    }

    fn setting(&self) -> Setting<'_> {
        Setting { game: self.game, ground: &self.ground, role: RoleId(0), made: &[] }
    }

    /// The wish as a literal. If the end is announced, histories that look alike are also over or not over together.
    fn wish(&mut self) -> Lit {
        let plan = self.plan;
        let wish = self.translate(&plan.wish);
        let mut all = vec![wish];
        for (index, &(like, _)) in plan.tree.like.iter().enumerate().filter(|_| self.announce_end) {
            let over = [like, index + 1].map(|world| self.now[world].terminal(&self.setting()));
            all.push(!self.net.differ(over[0], over[1]));
        }
        self.net.and(all)
    }

    fn translate(&mut self, wish: &Wish) -> Lit {
        match wish {
            Wish::Constant(true) => Lit::TRUE,
            Wish::Constant(false) => Lit::FALSE,
            Wish::Fact(world, fact, wanted) => {
                let lit = self.fact(*world, fact);
                if *wanted { lit } else { !lit }
            }
            Wish::All(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|part| self.translate(part)).collect();
                self.net.and(parts)
            }
            Wish::Any(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|part| self.translate(part)).collect();
                self.net.or(parts)
            }
        }
    }

    fn fact(&mut self, world: usize, fact: &Sentence) -> Lit {
        let (state, copy) = (&self.states[world], &self.now[world]);
        let over = copy.terminal(&self.setting());
        match fact {
            Sentence::Terminal => over,
            Sentence::Fluent(fluent) => state.fluents.get(fluent.0 as usize).copied().unwrap_or(Lit::FALSE),
            Sentence::Legal(role, mv) => {
                let legal = self.legal[role.0 as usize].get(mv).map_or(Lit::FALSE, |&gate| copy.lit(gate));
                self.net.and([!over, legal])
            }
            Sentence::Can(role) => {
                let moves = self.legal[role.0 as usize].iter().filter(|(mv, _)| **mv != MoveId::NOOP);
                let any: Vec<Lit> = moves.map(|(_, &gate)| copy.lit(gate)).collect();
                let any = self.net.or(any);
                self.net.and([!over, any])
            }
            Sentence::Goal(role, value) => {
                let goals = copy.goals(*role);
                let of = |wanted: i64| goals.iter().find(|(other, _)| *other == wanted).map_or(Lit::FALSE, |it| it.1);
                let (same, any) = (of(*value), of(Values::ANY_GOAL));
                let free = if any == Lit::FALSE { Lit::FALSE } else { self.net.input() };
                let perhaps = self.net.and([any, free]);
                let terms = Values::Terms(copy.goal_terms(*role).to_vec()).is(&mut self.net, *value);
                self.net.or([same, perhaps, terms])
            }
            Sentence::Number(register, value) => match state.registers.get(*register as usize) {
                // A register whose values are not followed may have this value or not. Counterexamples are replayed,
                // and proofs cover more states than exist.
                Some(values) => values.is(&mut self.net, *value),
                None => self.net.input(),
            },
            Sentence::Constant(value) => {
                if *value {
                    Lit::TRUE
                } else {
                    Lit::FALSE
                }
            }
            Sentence::Not(_) | Sentence::And(_) | Sentence::Or(_) | Sentence::Knows(..) => {
                unreachable!("a wish's facts are atoms")
            }
        }
    }

    /// True if the wish can be fulfilled in this round; `None` if time ran out.
    pub(super) fn ask(&mut self) -> Option<bool> {
        let wish = self.wish();
        self.clauses.solve(&self.net, &[wish])
    }

    /// Demands that the wish is not fulfilled in this round.
    pub(crate) fn forbid(&mut self) {
        let wish = self.wish();
        self.clauses.add(&self.net, [!wish]);
    }

    /// True if some history continues from here. `None` if time ran out.
    pub(super) fn goes_on(&mut self) -> Option<bool> {
        let over = self.now[0].terminal(&self.setting());
        self.clauses.solve(&self.net, &[!over])
    }

    /// The histories in the solver's last model.
    pub(super) fn histories(&self) -> Vec<Vec<JointMove>> {
        let history =
            |world: usize| self.rounds.iter().map(|round| round[world].joint(&self.setting(), &self.clauses)).collect();
        (0..self.states.len()).map(history).collect()
    }
}
