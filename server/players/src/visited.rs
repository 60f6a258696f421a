//! A cache of places of simulated matches, so that the rules are queried about each of them once.
//!
//! Simulated matches begin at a few members of a belief, and the search sends most of them the same way. Near the root
//! of any game, and everywhere in a small one, the same joint moves are made in the same states again and again. The
//! cache keeps the rules' answers about a state (terminal, legal moves, goals) and about a round (percepts, the next
//! state). A cached round costs a table lookup instead of a sweep of the rules' circuit.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use percept_game::{Cursor, Game, MoveId, PerceptId, RoleId, State, States};
use rustc_hash::FxHasher;

use crate::simulation::{Key, goals_at, key_after, learn};

/// The most memory of the cache, in bytes.
const MOST_BYTES: usize = 64 << 20;
/// The number of lookups before the cache checks if it pays off.
const TRIAL: u64 = 8_192;
/// The number of a state that is not cached.
const UNKEPT: u32 = u32::MAX;

/// The rules' answers about a state, as far as they were queried.
#[derive(Clone, Debug, Default)]
struct RuleAnswers {
    is_terminal: Option<bool>,
    /// The start of its legal moves in [`Visited::ends`], by role.
    legal: Option<u32>,
    /// The goals of all roles.
    goals: Option<Box<[f64]>>,
}

/// A cursor that queries the rules once for each answer.
///
/// It caches states and rounds until they take 64 MiB, or until lookups show that they do not repeat. From then on it
/// passes every query to the rules, until [`Visited::renew`].
pub(crate) struct Visited<'g> {
    game: &'g Game,
    roles: usize,
    inner: Box<dyn Cursor + 'g>,
    /// The number of the inner cursor's state.
    inner_at: u32,
    here: u32,
    states: States,
    answers: Vec<RuleAnswers>,
    /// The legal moves of all states. `ends` has one more entry per state than there are roles: the start of the moves,
    /// then their end for each role.
    legal: Vec<MoveId>,
    ends: Vec<u32>,
    rounds: Rounds,
    /// Scratch space for the percepts of a role.
    percepts: Vec<PerceptId>,
    looked: u64,
    missed: u64,
    is_off: bool,
}

/// Rounds, by their first state and their joint move (`roles` moves per round).
#[derive(Default)]
struct Rounds {
    index: HashTable<u32>,
    from: Vec<u32>,
    to: Vec<u32>,
    moves: Vec<MoveId>,
    percepts: Vec<PerceptId>,
    /// The end of each role's percepts.
    ends: Vec<u32>,
}

fn hash(from: u32, joint: &[MoveId]) -> u64 {
    let mut hasher = FxHasher::default();
    from.hash(&mut hasher);
    joint.iter().for_each(|mv| mv.0.hash(&mut hasher));
    hasher.finish()
}

impl Rounds {
    fn joint(&self, round: u32, roles: usize) -> &[MoveId] {
        &self.moves[round as usize * roles..][..roles]
    }

    fn find(&self, from: u32, joint: &[MoveId]) -> Option<u32> {
        // For few moves, a loop is faster than a comparison of memory.
        let same = |round: u32| self.joint(round, joint.len()).iter().zip(joint).all(|(one, other)| one == other);
        let is_it = |round: u32| self.from[round as usize] == from && same(round);
        self.index.find(hash(from, joint), |&round| is_it(round)).copied()
    }

    /// Adds a round that is not cached.
    fn insert(&mut self, from: u32, joint: &[MoveId], to: u32) -> u32 {
        let round = self.to.len() as u32;
        self.from.push(from);
        self.to.push(to);
        self.moves.extend_from_slice(joint);
        let (starts, moves, roles) = (&self.from, &self.moves, joint.len());
        self.index.insert_unique(hash(from, joint), round, |&it| {
            hash(starts[it as usize], &moves[it as usize * roles..][..roles])
        });
        round
    }

    fn percepts(&self, round: u32, role: usize, roles: usize) -> &[PerceptId] {
        let at = round as usize * roles + role;
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.percepts[begin as usize..self.ends[at] as usize]
    }

    fn bytes(&self) -> usize {
        4 * (self.percepts.len() + self.moves.len() + self.ends.len()) + 20 * self.to.len()
    }
}

impl<'g> Visited<'g> {
    /// Starts at the beginning of the match with an empty cache.
    pub(crate) fn new(game: &'g Game) -> Visited<'g> {
        let mut visited = Visited {
            game,
            roles: game.roles.len(),
            inner: game.start(),
            inner_at: UNKEPT,
            here: UNKEPT,
            states: States::default(),
            answers: Vec::new(),
            legal: Vec::new(),
            ends: Vec::new(),
            rounds: Rounds::default(),
            percepts: Vec::new(),
            looked: 0,
            missed: 0,
            is_off: false,
        };
        visited.here = visited.keep();
        visited
    }

    /// Empties the cache and starts to cache again, if it was full or off.
    pub(crate) fn renew(&mut self) {
        if self.keeps() {
            return;
        }
        self.settle();
        (self.states, self.rounds) = (States::default(), Rounds::default());
        self.answers.clear();
        self.legal.clear();
        self.ends.clear();
        (self.looked, self.missed, self.is_off) = (0, 0, false);
        self.here = self.keep();
    }

    /// The inner cursor, at the current state, to walk on without the cache. The position of this cursor is then
    /// undefined until [`Visited::go`].
    pub(crate) fn through(&mut self) -> &mut dyn Cursor {
        self.settle();
        (self.here, self.inner_at) = (UNKEPT, UNKEPT);
        &mut *self.inner
    }

    fn bytes(&self) -> usize {
        self.states.bytes()
            + size_of::<RuleAnswers>() * self.answers.len()
            + 4 * (self.legal.len() + self.ends.len())
            + self.rounds.bytes()
    }

    fn keeps(&self) -> bool {
        !self.is_off && self.bytes() < MOST_BYTES
    }

    /// The inner cursor, moved to the current state.
    fn settle(&mut self) -> &mut dyn Cursor {
        if self.here != UNKEPT && self.inner_at != self.here {
            self.inner.go(&self.states[self.here]);
            self.inner_at = self.here;
        }
        &mut *self.inner
    }

    /// The number of the inner cursor's state.
    fn keep(&mut self) -> u32 {
        let (number, is_new) = self.states.insert(self.inner.state().clone());
        if is_new {
            self.answers.push(RuleAnswers::default());
        }
        self.inner_at = number;
        number
    }

    /// The cached round of a joint move made here; `None` if it cannot be cached.
    fn round(&mut self, joint: &[MoveId]) -> Option<u32> {
        if self.here == UNKEPT {
            return None;
        }
        self.looked += 1;
        if let Some(round) = self.rounds.find(self.here, joint) {
            return Some(round);
        }
        self.missed += 1;
        // A cached round saves a sweep, a missing one costs a fraction of it. In a large game hardly any round repeats:
        // the cache would then only cost.
        self.is_off |= self.looked > TRIAL && self.missed * 4 > self.looked * 3;
        self.keeps().then(|| self.make(joint))
    }

    /// Queries the rules for a round and caches their answers.
    fn make(&mut self, joint: &[MoveId]) -> u32 {
        let from = self.here;
        self.settle();
        for role in 0..self.roles {
            self.inner.percepts_into(joint, RoleId(role as u16), &mut self.rounds.percepts);
            self.rounds.ends.push(self.rounds.percepts.len() as u32);
        }
        self.inner.step(joint);
        let to = self.keep();
        self.rounds.insert(from, joint, to)
    }

    /// The start of the current state's legal moves in the list of ends.
    fn legal_here(&mut self) -> usize {
        if let Some(at) = self.answers[self.here as usize].legal {
            return at as usize;
        }
        self.settle();
        let at = self.ends.len();
        self.ends.push(self.legal.len() as u32);
        for role in 0..self.roles {
            self.inner.legal_into(RoleId(role as u16), &mut self.legal);
            self.ends.push(self.legal.len() as u32);
        }
        self.answers[self.here as usize].legal = Some(at as u32);
        at
    }

    /// Moves to another state.
    pub(crate) fn go(&mut self, state: &State) {
        if let Some(number) = self.states.find(state) {
            self.here = number;
            return;
        }
        self.inner.go(state);
        (self.here, self.inner_at) = (UNKEPT, UNKEPT);
        if self.keeps() {
            self.here = self.keep();
        }
    }

    /// The current state.
    pub(crate) fn state(&self) -> &State {
        if self.here == UNKEPT { self.inner.state() } else { &self.states[self.here] }
    }

    /// Moves to the state after a joint move, and updates `keys`, one per role, if they are given.
    pub(crate) fn step(&mut self, joint: &[MoveId], keys: Option<&mut [Key]>) {
        let Some(round) = self.round(joint) else {
            if let Some(keys) = keys {
                self.settle();
                learn(self.game, &mut *self.inner, joint, keys, &mut self.percepts);
            }
            self.settle().step(joint);
            (self.here, self.inner_at) = (UNKEPT, UNKEPT);
            return;
        };
        for (role, key) in keys.into_iter().flatten().enumerate() {
            *key =
                key_after(self.game, RoleId(role as u16), *key, joint, self.rounds.percepts(round, role, self.roles));
        }
        self.here = self.rounds.to[round as usize];
    }

    /// True if the match is over here.
    pub(crate) fn is_terminal(&mut self) -> bool {
        if self.here == UNKEPT {
            return self.inner.is_terminal();
        }
        if let Some(is_terminal) = self.answers[self.here as usize].is_terminal {
            return is_terminal;
        }
        let is_terminal = self.settle().is_terminal();
        self.answers[self.here as usize].is_terminal = Some(is_terminal);
        is_terminal
    }

    /// Adds the legal moves of a role to `moves`, as [`Cursor::legal_into`] does.
    pub(crate) fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        if self.here == UNKEPT {
            return self.inner.legal_into(role, moves);
        }
        let at = self.legal_here() + usize::from(role.0);
        moves.extend_from_slice(&self.legal[self.ends[at] as usize..self.ends[at + 1] as usize]);
    }

    /// Replaces `goals` with the goals of all roles here; see [`goals_at`].
    pub(crate) fn goals_into(&mut self, goals: &mut Vec<f64>) {
        goals.clear();
        if self.here == UNKEPT {
            goals.extend(goals_at(self.game, &mut *self.inner));
            return;
        }
        if self.answers[self.here as usize].goals.is_none() {
            self.settle();
            self.answers[self.here as usize].goals = Some(goals_at(self.game, &mut *self.inner).into());
        }
        goals.extend(self.answers[self.here as usize].goals.iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use percept_syntax::{Language, Source};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::briefing::Briefing;
    use crate::simulation::{Place, goals};

    /// Compares the rules and their cache along random matches with moves common to both. The answers must be the same,
    /// whatever is forgotten or not cached in between.
    fn say_the_same(path: &str) {
        let text = percept_test::read(percept_test::games().join(path));
        let game = Briefing::of_gdl(&Source::parse(text, Language::GdlPrefix)).expect("a game").game;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut visited = Visited::new(&game);
        let mut met_again = 0;
        for _ in 0..300 {
            let mut place = Place::start(&game);
            visited.go(&place.state);
            let mut keys = place.keys.clone();
            while !game.rules.terminal(&place.state) {
                assert!(!visited.is_terminal() && *visited.state() == place.state);
                let mut joint = Vec::new();
                for role in game.role_ids() {
                    let mut legal = Vec::new();
                    visited.legal_into(role, &mut legal);
                    assert_eq!(legal, game.rules.legal(&place.state, role));
                    joint.push(legal[rng.random_range(0..legal.len())]);
                }
                match rng.random_range(0..20) {
                    0 => visited.is_off = true,
                    1 => visited.renew(),
                    2 => {
                        assert_eq!(visited.through().state(), &place.state);
                        visited.go(&place.state);
                    }
                    _ => {}
                }
                let before = visited.missed;
                visited.step(&joint, Some(&mut keys));
                met_again += u64::from(visited.here != UNKEPT && visited.missed == before);
                place = place.after(&game, &joint);
                assert_eq!(keys, place.keys);
            }
            let mut ended = Vec::new();
            visited.goals_into(&mut ended);
            assert!(visited.is_terminal() && ended == goals(&game, &place.state));
        }
        assert!(met_again > 0, "nothing was met twice");
    }

    #[test]
    fn what_is_kept_is_what_the_rules_say() {
        for path in ["leduc-poker/leduc-poker.kif", "exploding-bomb/exploding-bomb.kif", "goofspiel/goofspiel-4.kif"] {
            say_the_same(path);
        }
    }
}
