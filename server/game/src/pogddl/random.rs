//! Random play without listing the legal actions one by one.
//!
//! Most plans end in a scan over one contiguous run of bits (the cells not shot at, the cards in a hand). The set bits
//! of such a run are counted, and only the chosen one becomes a binding, so a step costs only the choices before the
//! last variable.

use std::ops::ControlFlow;

use super::{
    engine::Engine,
    eval::World,
    model::*,
    plan::{Scan, Step},
    step::{Changes, MAX_LEGAL},
};
use crate::{MoveId, State};

/// The legal actions of a state in groups, in the order of the file and of the plans.
#[derive(Default)]
struct Choices {
    args: Vec<Obj>,
    groups: Vec<Group>,
}

/// Actions that differ only in the bindings of the plan's last scan.
struct Group {
    schema: u16,
    /// The index of the arguments; those of the last scan are not set.
    args: u32,
    /// The first atom of the scan's run; unused if the group is a single action.
    start: u32,
    /// The number of actions up to the end of this group.
    end: u32,
}

/// An observer of a match.
pub(crate) trait Watch {
    /// Chooses among `legal` actions of a role; returns the choice.
    fn choose(&mut self, mover: usize, legal: u32) -> u32;
    /// The action that was chosen.
    fn acts(&mut self, _mover: usize, _schema: u16, _args: &[Obj]) {}
    /// True to stop after `played` actions.
    fn stops(&mut self, played: u32) -> bool;
}

impl Engine {
    /// Plays from `state` until the match is over or `watch` stops it; changes `state` to the final one. Returns the
    /// number of actions, and true if the match is over.
    pub(super) fn play(&self, state: &mut State, ends_at_payoff: bool, watch: &mut impl Watch) -> (u32, bool) {
        let (mut choices, mut changes, mut buffer) = (Choices::default(), Changes::default(), Vec::new());
        let mut args: Vec<Obj> = Vec::new();
        for played in 0.. {
            {
                let bits = self.extended(state, &mut buffer);
                let world = self.world(bits, state);
                if ends_at_payoff && self.is_paid(world) {
                    return (played, true);
                }
                let Some(mover) = self.mover(bits) else { return (played, true) };
                let legal = self.choices(world, &mut choices);
                if legal == 0 {
                    return (played, true);
                }
                if watch.stops(played) {
                    return (played, false);
                }
                let schema = self.chosen(world, &choices, watch.choose(mover, legal), &mut args);
                watch.acts(mover, schema, &args);
                self.changes(world, schema, &args, &mut changes);
            }
            self.write(&changes, state);
        }
        (u32::MAX, false)
    }

    /// Finds all legal actions; returns their number.
    fn choices(&self, world: World, out: &mut Choices) -> u32 {
        out.args.clear();
        out.groups.clear();
        let mut frame = [0; MAX_SLOTS];
        let mut end = 0;
        for (id, schema) in self.schemas.iter().enumerate() {
            let count = self.model.schemas[id].params.len();
            let (steps, run) = split(&schema.plan.steps);
            let _ = world.each_of(steps, &mut frame, &mut |frame| {
                let start = run.map_or(0, |scan| scan.start.id(frame));
                let found = run.map_or(1, |scan| scan.count(&world, start));
                if found > 0 {
                    end += found;
                    out.groups.push(Group { schema: id as u16, args: out.args.len() as u32, start, end });
                    out.args.extend_from_slice(&frame[..count]);
                }
                if out.groups.len() < MAX_LEGAL { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        end
    }

    /// The schema and arguments of one of the choices, by index.
    fn chosen(&self, world: World, choices: &Choices, place: u32, args: &mut Vec<Obj>) -> u16 {
        let index = choices.groups.partition_point(|group| group.end <= place);
        let group = &choices.groups[index];
        let schema = &self.schemas[group.schema as usize];
        let count = self.model.schemas[group.schema as usize].params.len();
        args.clear();
        args.extend_from_slice(&choices.args[group.args as usize..group.args as usize + count]);
        if let (_, Some(scan)) = split(&schema.plan.steps) {
            let before = index.checked_sub(1).map_or(0, |index| choices.groups[index].end);
            scan.nth(&world, group.start, place - before, &mut |slot, object| args[slot as usize] = object);
        }
        group.schema
    }
}

/// A plan's steps before a last scan that is one run of bits, and that scan; all steps if it does not end in one.
fn split(steps: &[Step]) -> (&[Step], Option<&Scan>) {
    match steps.split_last() {
        Some((Step::Scan(scan), before)) if scan.is_run() => (before, Some(scan)),
        _ => (steps, None),
    }
}

/// Stops at a number of actions and draws from a generator.
pub(crate) struct RandomChoice<'r> {
    pub limit: u32,
    pub rng: &'r mut dyn rand::RngCore,
}

impl Watch for RandomChoice<'_> {
    fn choose(&mut self, _: usize, legal: u32) -> u32 {
        rand::Rng::random_range(&mut *self.rng, 0..legal)
    }

    fn stops(&mut self, played: u32) -> bool {
        played >= self.limit
    }
}

/// Fills a match's record, and its moves if requested.
pub(crate) struct Recorded<'a, I: FnMut(u16, &[Obj]) -> MoveId> {
    pub limits: &'a crate::play::Limits,
    pub stream: &'a mut crate::play::Stream,
    pub record: &'a mut crate::play::MatchRecord,
    pub moves: Option<(&'a mut Vec<crate::JointMove>, I)>,
}

/// The number of actions between two checks of the clock.
const UNWATCHED: u32 = 64;

impl<I: FnMut(u16, &[Obj]) -> MoveId> Watch for Recorded<'_, I> {
    fn choose(&mut self, mover: usize, legal: u32) -> u32 {
        self.record.saw(mover, legal);
        self.stream.below(legal)
    }

    fn acts(&mut self, mover: usize, schema: u16, args: &[Obj]) {
        if let Some((moves, intern)) = &mut self.moves {
            let mut joint = vec![MoveId::NOOP; self.record.goals.len()];
            joint[mover] = intern(schema, args);
            moves.push(joint);
        }
    }

    fn stops(&mut self, played: u32) -> bool {
        played >= self.limits.max_rounds || (played.is_multiple_of(UNWATCHED) && self.limits.is_late())
    }
}

#[cfg(test)]
mod tests {
    use percept_syntax::{Language, Source, Syntax, pddl::Definition};

    use super::super::{generate, lower, step::Bindings};
    use super::*;
    use crate::play::Stream;

    fn engine(texts: [&str; 2]) -> Engine {
        let (mut domain, mut problem) = (None, None);
        for text in texts {
            let Syntax::Pddl(file) = Source::parse(text, Language::Pogddl).syntax else { panic!("not PDDL") };
            for definition in file.into_content().definitions {
                match definition {
                    Definition::Domain(found) => domain = Some(found),
                    Definition::Problem(found) => problem = Some(found),
                }
            }
        }
        let model = lower::lower(&domain.expect("a domain"), &problem.expect("a problem")).expect("it is right");
        Engine::new(model, false, &crate::Budget::NONE).expect("it is small")
    }

    /// In every state of a random match, compares the choices, taken one by one, with the list of legal actions.
    struct Compared<'e> {
        engine: &'e Engine,
        state: State,
        stream: Stream,
        most: u32,
    }

    impl Compared<'_> {
        fn compare(&self) -> u32 {
            let (mut choices, mut bindings, mut buffer) = (Choices::default(), Bindings::default(), Vec::new());
            let world = self.engine.world(self.engine.extended(&self.state, &mut buffer), &self.state);
            let count = self.engine.choices(world, &mut choices);
            self.engine.bindings(world, &mut bindings);
            let mut chosen: Vec<(u16, Vec<Obj>)> = (0..count)
                .map(|place| {
                    let mut args = Vec::new();
                    (self.engine.chosen(world, &choices, place, &mut args), args)
                })
                .collect();
            chosen.sort();
            let listed: Vec<(u16, Vec<Obj>)> = bindings.iter().map(|(schema, args)| (schema, args.to_vec())).collect();
            assert_eq!(chosen, listed);
            count
        }
    }

    impl Watch for Compared<'_> {
        fn choose(&mut self, _: usize, legal: u32) -> u32 {
            assert_eq!(self.compare(), legal);
            self.most = self.most.max(legal);
            self.stream.below(legal)
        }

        fn acts(&mut self, _: usize, schema: u16, args: &[Obj]) {
            let (mut changes, mut buffer) = (Changes::default(), Vec::new());
            let world = self.engine.world(self.engine.extended(&self.state, &mut buffer), &self.state);
            self.engine.changes(world, schema, args, &mut changes);
            self.engine.write(&changes, &mut self.state);
        }

        fn stops(&mut self, played: u32) -> bool {
            played >= 200
        }
    }

    #[test]
    fn every_legal_action_has_one_place() {
        let everything = "(define (problem small) (:domain everything)
            (:objects b1 b2 - box g1 - bag)
            (:init (whoseturn p1) (opponent p1 p2) (opponent p2 p1) (linked g1 g1) (odd b1)
                (= (score p1) 0) (= (score p2) 1) (= (weight b1) 2) (= (weight g1) 3) (= (fuel p1) 4) (= (fuel p2) 3)))";
        // The cells are more than one word, and begin in the middle of one.
        let battleship = generate::battleship(2, 9).expect("feasible");
        let gops = generate::gops(3, 66, true).expect("feasible");
        let racko = generate::racko(3, 9).expect("feasible");
        let games = [
            (include_str!("../../tests/suite/support/everything.pog"), everything, 5),
            (generate::BATTLESHIP, &battleship, 81),
            (generate::GOPS, &gops, 75),
            (generate::RACKO, &racko, 4),
        ];
        for (domain, problem, least) in games {
            let engine = engine([domain, problem]);
            let mut most = 0;
            for seed in 0..4 {
                let state = engine.initial.clone();
                let mut watch =
                    Compared { engine: &engine, state: state.clone(), stream: Stream::new(seed, 0), most: 0 };
                let mut played = state;
                let (rounds, _) = engine.play(&mut played, false, &mut watch);
                assert!(rounds > 3 && played == watch.state);
                most = most.max(watch.most);
            }
            assert!(most >= least, "at most {most} legal actions");
        }
    }
}
