//! Random matches from any states, many at once if the rules support it.

use rand::{Rng, RngCore};

use crate::{Game, JointMove, Lanes, MoveId, RoleId, State};

/// The number of matches below which they are played one after the other.
const FEW: usize = 4;

/// The start of a random match.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// The state to begin in; not a terminal one if anything is to be played.
    pub state: &'a State,
    /// A role's fixed first move, in place of a random one.
    pub first: Option<(RoleId, MoveId)>,
}

impl Opening<'_> {
    fn first(&self, role: RoleId) -> Option<MoveId> {
        self.first.filter(|(own, _)| *own == role).map(|(_, mv)| mv)
    }
}

/// Plays uniformly at random from every opening until its match is over, a role has no legal move, or `limit` rounds
/// are made. `tell` receives the opening's index and, for each role, the mean of the goals that hold at its end (zero
/// if none does). Openings may end in any order. Returns true if all were played: `stop` is called before each round
/// and ends the work.
pub fn play_on(
    game: &Game,
    openings: &[Opening<'_>],
    limit: usize,
    rng: &mut dyn RngCore,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(usize, &[f64]),
) -> bool {
    match game.rules.lanes() {
        Some(lanes) if openings.len() >= FEW => {
            let mut onward = Onward { game, lanes, openings, begun: 0, there: 0, at: [0; 64], rounds: [0; 64], limit };
            onward.play(rng, stop, tell)
        }
        _ => one_by_one(game, openings, limit, rng, stop, tell),
    }
}

fn one_by_one(
    game: &Game,
    openings: &[Opening<'_>],
    limit: usize,
    rng: &mut dyn RngCore,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(usize, &[f64]),
) -> bool {
    for (place, opening) in openings.iter().enumerate() {
        if stop() {
            return false;
        }
        let mut state = opening.state.clone();
        match (opening.first, limit) {
            (Some(_), 1..) => {
                if open(game, opening, &mut state, rng) {
                    game.playout_until(&mut state, limit - 1, rng, stop);
                }
            }
            _ => _ = game.playout_until(&mut state, limit, rng, stop),
        }
        if stop() {
            return false;
        }
        let mut at = game.at(&state);
        let goals: Vec<f64> = game.role_ids().map(|role| mean(&at.goals(role))).collect();
        tell(place, &goals);
    }
    true
}

/// Plays the first round of an opening; true if there is one.
fn open(game: &Game, opening: &Opening<'_>, state: &mut State, rng: &mut dyn RngCore) -> bool {
    let mut at = game.at(state);
    if at.is_terminal() {
        return false;
    }
    let mut joint = JointMove::new();
    for role in game.role_ids() {
        let legal = at.legal(role);
        joint.push(match opening.first(role) {
            Some(first) => first,
            None if legal.is_empty() => return false,
            None => legal[rng.random_range(0..legal.len())],
        });
    }
    *state = at.next(&joint);
    true
}

fn mean(goals: &[i64]) -> f64 {
    goals.iter().sum::<i64>() as f64 / goals.len().max(1) as f64
}

/// Matches in lanes; a match that ends makes room for the next.
struct Onward<'a> {
    game: &'a Game,
    lanes: Lanes<'a>,
    openings: &'a [Opening<'a>],
    /// The number begun.
    begun: usize,
    /// The lanes with a match, as bits.
    there: u64,
    /// For each lane, its opening and the number of rounds played.
    at: [usize; Lanes::COUNT],
    rounds: [usize; Lanes::COUNT],
    limit: usize,
}

impl Onward<'_> {
    fn play(&mut self, rng: &mut dyn RngCore, stop: &dyn Fn() -> bool, tell: &mut dyn FnMut(usize, &[f64])) -> bool {
        let mut goals = vec![0.0; self.game.roles.len()];
        loop {
            while self.there != !0 && self.begun < self.openings.len() {
                let lane = self.there.trailing_ones() as usize;
                self.lanes.put(lane, self.openings[self.begun].state);
                (self.at[lane], self.rounds[lane]) = (self.begun, 0);
                self.there |= 1 << lane;
                self.begun += 1;
            }
            if self.there == 0 || stop() {
                return self.there == 0;
            }
            self.lanes.look();
            let mut over = self.lanes.over() & self.there;
            for lane in Lanes::each(self.there) {
                over |= u64::from(self.rounds[lane] >= self.limit) << lane;
            }
            for role in self.game.role_ids() {
                over |= self.choose(role, self.there & !over, rng);
            }
            for lane in Lanes::each(over) {
                let roles = self.game.role_ids();
                goals.iter_mut().zip(roles).for_each(|(goal, role)| *goal = mean(&self.lanes.goals(lane, role)));
                tell(self.at[lane], &goals);
            }
            self.there &= !over;
            Lanes::each(self.there).for_each(|lane| self.rounds[lane] += 1);
            self.lanes.step();
        }
    }

    /// Chooses a role's moves; returns the lanes in which it has none.
    fn choose(&mut self, role: RoleId, going: u64, rng: &mut dyn RngCore) -> u64 {
        self.lanes.read(role);
        let mut stuck = 0;
        for lane in Lanes::each(going) {
            let first = (self.rounds[lane] == 0).then(|| self.openings[self.at[lane]].first(role)).flatten();
            let mv = match (first, self.lanes.count(lane)) {
                (Some(first), _) => first,
                (None, 0) => {
                    stuck |= 1 << lane;
                    continue;
                }
                (None, 1) => self.lanes.nth(lane, 0),
                (None, count) => self.lanes.nth(lane, rng.random_range(0..count)),
            };
            self.lanes.make(lane, role, mv);
        }
        stuck
    }
}

#[cfg(test)]
mod tests {
    use percept_syntax::{Language, Source, Syntax};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Two roles count to four at the same time, by steps of one or two; the first to arrive wins.
    const RACE: &str = "(role a) (role b) (init (at a 0)) (init (at b 0))
        (plus 0 one 1) (plus 1 one 2) (plus 2 one 3) (plus 3 one 4) (plus 0 two 2) (plus 1 two 3) (plus 2 two 4)
        (<= (legal ?r ?m) (true (at ?r ?n)) (plus ?n ?m ?k))
        (<= (next (at ?r ?k)) (true (at ?r ?n)) (does ?r ?m) (plus ?n ?m ?k))
        (<= terminal (true (at ?r 4)))
        (<= (goal a 100) (true (at a 4)) (not (true (at b 4)))) (<= (goal b 100) (true (at b 4)) (not (true (at a 4))))
        (<= (goal a 40) (true (at a 4)) (true (at b 4))) (<= (goal b 60) (true (at a 4)) (true (at b 4)))
        (<= (goal a 0) (not (true (at a 4)))) (<= (goal b 0) (not (true (at b 4))))";

    fn race() -> Game {
        let source = Source::parse(RACE, Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
        Game::from_gdl(description).expect("a game")
    }

    /// Mean goals of many matches from an opening, in lanes and one by one.
    fn means(game: &Game, opening: Opening<'_>, limit: usize) -> [Vec<f64>; 2] {
        const MATCHES: usize = 20_000;
        let openings = vec![opening; MATCHES];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut sums = [vec![0.0; game.roles.len()], vec![0.0; game.roles.len()]];
        for (way, sums) in sums.iter_mut().enumerate() {
            let mut counts = vec![0; MATCHES];
            let mut tell = |at: usize, goals: &[f64]| {
                counts[at] += 1;
                sums.iter_mut().zip(goals).for_each(|(sum, goal)| *sum += goal / MATCHES as f64);
            };
            let all = match way {
                0 => play_on(game, &openings, limit, &mut rng, &|| false, &mut tell),
                _ => one_by_one(game, &openings, limit, &mut rng, &|| false, &mut tell),
            };
            assert!(all && counts.iter().all(|&times| times == 1));
        }
        sums
    }

    #[test]
    fn at_once_is_as_one_by_one() {
        let game = race();
        let start = game.rules.initial();
        let two = game.rules.find_move(RoleId(0), "two").expect("a move");
        let after = game.rules.next(&start, &[two, game.rules.find_move(RoleId(1), "one").expect("a move")]);
        let opening = |state, first| Opening { state, first };
        for (opening, limit) in [
            (opening(&start, None), 100),
            (opening(&start, Some((RoleId(0), two))), 100),
            (opening(&after, Some((RoleId(0), two))), 100),
            (opening(&start, None), 2),
            (opening(&start, Some((RoleId(0), two))), 0),
        ] {
            let [at_once, one_by_one] = means(&game, opening, limit);
            // Four standard deviations of the difference of two means of goals between 0 and 100.
            at_once
                .iter()
                .zip(&one_by_one)
                .for_each(|(one, other)| assert!((one - other).abs() < 2.0, "{one} {other}"));
        }
        // Two steps of two arrive first, or together with the other.
        let [at_once, _] = means(&game, opening(&after, Some((RoleId(0), two))), 100);
        assert!((at_once[0] - 100.0).abs() < 1e-6 && at_once[1] == 0.0, "{at_once:?}");
    }

    #[test]
    fn what_is_stopped_says_so() {
        let game = race();
        let start = game.rules.initial();
        let openings = [Opening { state: &start, first: None }; 10];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert!(!play_on(&game, &openings, 9, &mut rng, &|| true, &mut |_, _| panic!("nothing was played")));
    }
}
