//! Many simulated matches at once, each in a lane of the rules' circuit. One sweep moves all of them on by a round, in
//! the tree or at random below it. A lane whose match is over begins the next one.
//!
//! The results of matches in progress are unknown while others choose. As in Liu et al., Watch the Unobserved (WU-UCT,
//! ICLR 2020), they count as tries, not as results: UCB1's bonus shrinks with them, but its mean does not change. So
//! that a search begins with some results, the number of matches in progress is at most an eighth of those that ended,
//! plus one.

use percept_game::{Lanes, MoveId, PerceptId, RoleId};
use rand::Rng;

use super::path::Path;
use super::{Eyes, Root, Search, key_at};
use crate::clock::Clock;
use crate::simulation::{LONGEST, Place, key_after, state_key};

/// The number of ended matches for each one that may be in progress.
const ENDED_PER_LANE: u64 = 8;

/// Matches in lanes. Sets of lanes are bits of a word.
pub(super) struct Flock<'g> {
    lanes: Lanes<'g>,
    roles: usize,
    /// Four sets of lanes: those with a match, with one in the tree, with one before its first step, and with one that
    /// left the tree in this round.
    flying: u64,
    in_tree: u64,
    fresh: u64,
    leaving: u64,
    /// The path of each lane.
    paths: Vec<Path>,
    rounds: Vec<usize>,
    /// The moves, by lane and role.
    joints: Vec<MoveId>,
    percepts: Vec<Vec<PerceptId>>,
    legal: Vec<MoveId>,
}

impl<'g> Flock<'g> {
    pub(super) fn new(lanes: Lanes<'g>, roles: usize) -> Flock<'g> {
        Flock {
            lanes,
            roles,
            flying: 0,
            in_tree: 0,
            fresh: 0,
            leaving: 0,
            paths: (0..Lanes::COUNT).map(|_| Path::default()).collect(),
            rounds: vec![0; Lanes::COUNT],
            joints: vec![MoveId::NOOP; Lanes::COUNT * roles],
            percepts: vec![Vec::new(); Lanes::COUNT],
            legal: Vec::new(),
        }
    }

    fn begin(&mut self, place: &Place) {
        let lane = self.flying.trailing_ones() as usize;
        self.lanes.put(lane, &place.state);
        self.paths[lane].begin(&place.keys);
        self.rounds[lane] = 0;
        self.flying |= 1 << lane;
        self.in_tree |= 1 << lane;
        self.fresh |= 1 << lane;
    }

    fn count(&self) -> u64 {
        u64::from(self.flying.count_ones())
    }

    fn set(&mut self, lane: usize, role: RoleId, mv: MoveId) {
        self.lanes.make(lane, role, mv);
        self.joints[lane * self.roles + usize::from(role.0)] = mv;
    }
}

impl<'g> Search<'g> {
    /// Simulates matches at once, until the clock ends or most stay in the tree.
    pub(super) fn run_at_once<'p>(
        &mut self,
        flock: &mut Flock<'g>,
        clock: &Clock,
        done: &mut u64,
        root: Root,
        start: &mut dyn FnMut() -> &'p Place,
    ) {
        loop {
            let most = (1 + *done / ENDED_PER_LANE).min(Lanes::COUNT as u64);
            while self.at_once && flock.count() < most && *done + flock.count() < clock.simulations() {
                flock.begin(start());
            }
            if flock.flying == 0 {
                return;
            }
            if clock.is_over() {
                Lanes::each(flock.flying).for_each(|lane| self.grower.give_up(&flock.paths[lane]));
                flock.flying = 0;
                return;
            }
            flock.lanes.look();
            let over = flock.lanes.over() & flock.flying;
            let long = Lanes::each(flock.flying).filter(|&lane| flock.rounds[lane] >= LONGEST);
            let mut ending = long.fold(over, |ending, lane| ending | 1 << lane);
            for role in self.game.role_ids() {
                ending |= self.choose_at_once(flock, role, root, flock.flying & !ending);
            }
            Lanes::each(ending).for_each(|lane| self.end(flock, lane));
            *done += u64::from(ending.count_ones());
            self.go_on(flock);
        }
    }

    /// Picks a role's move in these lanes; returns the lanes in which it has none.
    fn choose_at_once(&mut self, flock: &mut Flock<'g>, role: RoleId, root: Root, going: u64) -> u64 {
        flock.lanes.read(role);
        let is_chance = self.game.roles[usize::from(role.0)].is_chance;
        let is_recorded = self.grower.wants_to_be_told();
        let mut stuck = 0;
        for lane in Lanes::each(going) {
            let bit = 1 << lane;
            let mv = match flock.lanes.count(lane) {
                0 => {
                    stuck |= bit;
                    continue;
                }
                1 => flock.lanes.nth(lane, 0),
                _ if flock.in_tree & bit != 0 && !is_chance => {
                    let (mv, is_new) = self.pick_in_lane(flock, lane, role, root);
                    flock.leaving |= if is_new { bit } else { 0 };
                    mv
                }
                count => {
                    let mv = flock.lanes.nth(lane, self.grower.rng.random_range(0..count));
                    if is_recorded && flock.in_tree & bit == 0 {
                        flock.paths[lane].moves.push((role, mv));
                    }
                    mv
                }
            };
            flock.set(lane, role, mv);
        }
        stuck
    }

    /// Picks a role's move in the tree.
    fn pick_in_lane(&mut self, flock: &mut Flock<'g>, lane: usize, role: RoleId, root: Root) -> (MoveId, bool) {
        flock.legal.clear();
        flock.lanes.legal_into(lane, &mut flock.legal);
        let own = match self.eyes {
            Eyes::All => state_key(&flock.lanes.states()[lane]),
            Eyes::Own => flock.paths[lane].keys[usize::from(role.0)],
        };
        let root = root.filter(|_| flock.fresh >> lane & 1 == 1);
        self.grower.pick(&mut flock.paths[lane], role, key_at(root, role, own), &flock.legal)
    }

    /// Ends the match of a lane in its current state.
    fn end(&mut self, flock: &mut Flock<'g>, lane: usize) {
        self.goals.clear();
        for role in self.game.role_ids() {
            let goals = flock.lanes.goals(lane, role);
            self.goals.push(goals.iter().sum::<i64>() as f64 / goals.len().max(1) as f64);
        }
        self.grower.give_back(&flock.paths[lane], &self.goals);
        self.count(flock.in_tree >> lane & 1 == 0);
        flock.flying &= !(1 << lane);
    }

    /// Moves all lanes forward by a round, and updates the keys of the roles in the lanes that need them.
    fn go_on(&mut self, flock: &mut Flock<'g>) {
        flock.in_tree &= flock.flying & !flock.leaving;
        (flock.leaving, flock.fresh) = (0, 0);
        if self.eyes == Eyes::Own && flock.in_tree != 0 {
            for role in self.game.role_ids().filter(|role| !self.game.roles[usize::from(role.0)].is_chance) {
                flock.lanes.percepts_into(role, flock.in_tree, &mut flock.percepts);
                for lane in Lanes::each(flock.in_tree) {
                    let joint = &flock.joints[lane * flock.roles..][..flock.roles];
                    let key = &mut flock.paths[lane].keys[usize::from(role.0)];
                    *key = key_after(self.game, role, *key, joint, &flock.percepts[lane]);
                    flock.percepts[lane].clear();
                }
            }
        }
        Lanes::each(flock.flying).for_each(|lane| flock.rounds[lane] += 1);
        flock.lanes.step();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use percept_game::Game;
    use percept_syntax::{Language, Source};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::briefing::Briefing;
    use crate::strategies::search::Pick;

    fn game(path: &str) -> std::sync::Arc<Game> {
        let text = percept_test::read(percept_test::games().join(path));
        Briefing::of_gdl(&Source::parse(text, Language::GdlPrefix)).expect("a game").game
    }

    fn search(game: &Game, eyes: Eyes, pick: Pick) -> Search<'_> {
        Search::new(game, eyes, pick, Xoshiro256PlusPlus::seed_from_u64(5))
    }

    /// Checks that every arm's tries sum up to the number of simulations, and that no match is in progress.
    fn is_settled(search: &Search<'_>, simulated: u64) {
        let nodes = || (0..search.tree().len()).map(|node| search.tree().get(node as u32));
        let at_roots = nodes().map(|node| u64::from(node.visits)).max().unwrap_or(0);
        assert_eq!(at_roots, simulated);
        for node in nodes() {
            assert!(node.arms.iter().all(|arm| arm.pending == 0));
            assert_eq!(node.visits, node.arms.iter().map(|arm| arm.visits).sum::<u32>());
        }
    }

    #[test]
    fn every_match_is_counted_once() {
        let game = game("phantom-tic-tac-toe/phantom-tic-tac-toe.kif");
        let place = Place::start(&game);
        for (eyes, pick) in [
            (Eyes::Own, Pick::Confidence),
            (Eyes::Own, Pick::Grave),
            (Eyes::All, Pick::Regret),
            (Eyes::All, Pick::Smooth),
        ] {
            let mut search = search(&game, eyes, pick);
            let mut done = 0;
            let clock = Clock::starts(None, Some(3_000), &Arc::default());
            search.run(&clock, &mut done, None, &mut || &place);
            assert!(search.at_once);
            assert_eq!((done, search.simulations), (3_000, 3_000));
            is_settled(&search, 3_000);
        }
    }

    #[test]
    fn matches_under_way_when_the_clock_ends_are_forgotten() {
        let game = game("latent-tic-tac-toe/latent-tic-tac-toe.kif");
        let place = Place::start(&game);
        let mut search = search(&game, Eyes::Own, Pick::Confidence);
        let mut done = 0;
        let clock = Clock::starts(Some(Duration::from_millis(60)), None, &Arc::default());
        search.run(&clock, &mut done, None, &mut || &place);
        assert_eq!(search.simulations, done);
        is_settled(&search, done);
    }

    #[test]
    fn where_matches_stay_in_the_tree_they_are_simulated_one_by_one() {
        let game = game("kuhn-poker/kuhn-poker.kif");
        let place = Place::start(&game);
        let mut search = search(&game, Eyes::Own, Pick::Confidence);
        let mut done = 0;
        let clock = Clock::starts(None, Some(5_000), &Arc::default());
        search.run(&clock, &mut done, None, &mut || &place);
        assert!(!search.at_once);
        assert_eq!(done, 5_000);
    }
}
