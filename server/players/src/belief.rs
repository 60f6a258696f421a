//! One role's belief about the match: members of its information set, kept current round by round.
//!
//! While the set is small, the belief holds all of it, with its probabilities (opponents and chance move uniformly). If
//! it is too large, a few hundred members represent it. Each round they are moved on at random, and those that
//! contradict the percepts are dropped. If too few are left, they are drawn again by [`Follow`], the samplers of the
//! information sets, which look at the whole view at once.

use std::sync::Arc;

use percept_game::{Cursor, Game, JointMove, MoveId, RoleId, State, joint_moves};
use percept_infoset::{Budget, Follow, Options, Report, Round, View, Wanted};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::clock::Clock;
use crate::simulation::{Key, Place};

/// The most members of a set that is kept completely.
const MOST_KNOWN: usize = 4_096;
/// The most percepts looked at in one round to find all members.
const MOST_TRIED: usize = 60_000;
/// The number of members that represent a larger set.
const WANTED: usize = 300;
/// The number of random joint moves tried for each of these members.
const TRIES: usize = 24;
/// The number of joint moves between two checks of the clock.
const LOOK: usize = 32;
/// The share of these members below which they are drawn again.
const THIN: f64 = 0.25;
/// The memory for drawing members again, in bytes.
const MEMORY: usize = 256 << 20;

/// A history that fits the view, as the place in which it ends: the state, and the keys of all roles.
#[derive(Clone, Debug)]
pub struct Member {
    pub place: Place,
    /// Its probability among the members; the weights sum up to one.
    pub weight: f64,
}

/// Weights by state and the keys of all roles.
type Weights = FxHashMap<(State, Box<[Key]>), f64>;

/// Another source of members, such as a network that guesses the moves of the other roles.
pub trait Guess: Send + Sync {
    /// Returns the name of the role it guesses for.
    fn role(&self) -> &str;

    /// Draws histories of a view by their estimated probability: at most `count`, fewer if the work is stopped. The
    /// caller simulates them again.
    fn draw(&self, view: &View, count: usize, seed: u64, budget: &Budget) -> Vec<Vec<JointMove>>;
}

/// The members of one role's information set along a match.
pub struct Belief<'g> {
    game: &'g Game,
    role: RoleId,
    members: Vec<Member>,
    /// True if the members are the whole set.
    complete: bool,
    rounds: usize,
    /// If the time was too short for a round: the members before it, and true if they were the whole set.
    kept: Option<(Vec<Member>, bool)>,
    /// Created when members are drawn for the first time.
    follow: Option<Follow<'g>>,
    most_known: usize,
    /// True if members with one state are one, even if other roles have seen different things.
    by_state: bool,
    guess: Option<Arc<dyn Guess>>,
    rng: Xoshiro256PlusPlus,
}

impl<'g> Belief<'g> {
    /// Creates the belief before the first round.
    pub fn new(game: &'g Game, role: RoleId, seed: u64) -> Belief<'g> {
        Belief {
            game,
            role,
            members: vec![Member { place: Place::start(game), weight: 1.0 }],
            complete: true,
            rounds: 0,
            kept: None,
            follow: None,
            most_known: MOST_KNOWN,
            by_state: false,
            guess: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x0062_656c_6965_6673),
        }
    }

    /// Keeps all members as long as there are at most `most`.
    pub fn knowing(self, most: usize) -> Belief<'g> {
        Belief { most_known: most, ..self }
    }

    /// Keeps each state once. The views of other roles multiply members; without them, a set is small more often. This is
    /// for players that do not search.
    pub fn by_state(self) -> Belief<'g> {
        Belief { by_state: true, ..self }
    }

    /// The place after a joint move, with a cursor that is at the place.
    fn next(&self, place: &Place, at: &mut dyn Cursor, joint: &[MoveId]) -> Place {
        match self.by_state {
            true => Place { state: at.next(joint), keys: Box::default() },
            false => place.next(self.game, at, joint),
        }
    }

    /// The place after a history.
    fn end(&self, moves: &[JointMove]) -> Place {
        let start = Place::start(self.game);
        moves.iter().fold(start, |place, joint| self.next(&place, &mut *self.game.at(&place.state), joint))
    }

    /// Adds a source of guesses, which is used before the samplers if it serves this role.
    pub fn guessing(self, guess: Option<Arc<dyn Guess>>) -> Belief<'g> {
        let name = &self.game.roles[self.role.0 as usize].name;
        let guess = guess.filter(|it| it.role() == name);
        Belief { guess, ..self }
    }

    /// Returns the members; none if no match was found that fits.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// True if the members are the whole set.
    pub fn is_complete(&self) -> bool {
        self.complete && !self.is_behind()
    }

    /// True if the time was too short for the last rounds.
    pub fn is_behind(&self) -> bool {
        self.kept.is_some()
    }

    /// Adds the new rounds of a view. With `keep_over: false`, members whose match is over are dropped afterwards: a
    /// player that is asked for a move knows that the match goes on.
    pub fn observe(&mut self, view: &View, keep_over: bool, clock: &Clock) {
        if let Some(kept) = self.kept.take() {
            (self.members, self.complete) = kept;
        }
        while self.rounds < view.rounds.len() {
            let round = self.rounds;
            self.rounds += 1;
            if let Err(kept) = self.advance(&view.rounds[round], clock) {
                self.rounds = view.rounds.len();
                self.redraw_at_length(view, keep_over, clock);
                if self.members.is_empty() {
                    // The next question continues from here.
                    (self.rounds, self.kept) = (round, Some(kept));
                }
                return;
            }
            let is_last = self.rounds == view.rounds.len();
            if !(is_last && keep_over) {
                self.drop_finished();
            }
            if self.is_thin() && is_last {
                self.redraw_at_length(view, keep_over, clock);
            }
        }
    }

    /// Draws members from the whole view, and a second time if there are none.
    fn redraw_at_length(&mut self, view: &View, keep_over: bool, clock: &Clock) {
        self.redraw(view, keep_over, &clock.share(0.4));
        if self.members.is_empty() {
            // No search is possible without members, so the rest of the time is best spent here.
            self.redraw(view, keep_over, &clock.share(0.8));
        }
    }

    fn is_thin(&self) -> bool {
        !self.complete && (self.members.len() as f64) < THIN * WANTED as f64
    }

    fn drop_finished(&mut self) {
        let before = self.members.len();
        self.members.retain(|member| !self.game.rules.terminal(&member.place.state));
        if self.members.len() < before {
            normalize(&mut self.members);
        }
    }

    /// Moves the members forward by one round.
    ///
    /// # Errors
    /// Fails if the time is too short: returns the members before the round, and true if they were the whole set.
    fn advance(&mut self, seen: &Round, clock: &Clock) -> Result<(), (Vec<Member>, bool)> {
        self.drop_finished();
        if let Some(members) = self.complete.then(|| self.all_after(seen, &clock.share(0.3))).flatten() {
            self.members = members;
            return Ok(());
        }
        let were_all = std::mem::take(&mut self.complete);
        let before = std::mem::take(&mut self.members);
        let clock = clock.share(0.3);
        self.members = self.some_after(&before, seen, &clock);
        if self.members.is_empty() && !before.is_empty() && clock.is_over() {
            return Err((before, were_all));
        }
        Ok(())
    }

    /// All members after a round; `None` if they are too many, or take too long.
    fn all_after(&self, seen: &Round, clock: &Clock) -> Option<Vec<Member>> {
        let mut next: Weights = FxHashMap::default();
        let mut tried = 0;
        for member in &self.members {
            if clock.is_over() {
                return None;
            }
            let mut at = self.game.at(&member.place.state);
            let (legal, own_choices) = self.choices(&mut *at, seen.own);
            let joints: usize = legal.iter().map(Vec::len).try_fold(1usize, |all, count| all.checked_mul(count))?;
            tried += joints;
            if tried > MOST_TRIED {
                return None;
            }
            let share = member.weight * own_choices / joints as f64;
            for (index, joint) in joint_moves(&legal).enumerate() {
                if index % LOOK == LOOK - 1 && clock.is_over() {
                    return None;
                }
                if at.percepts(&joint, self.role) == seen.percepts {
                    let place = self.next(&member.place, &mut *at, &joint);
                    *next.entry((place.state, place.keys)).or_default() += share;
                }
            }
            if next.len() > self.most_known {
                return None;
            }
        }
        Some(members_of(next))
    }

    /// Random members after a round: draws a member by its weight and a joint move, and keeps the result if the
    /// percepts fit. Even without time, some are tried.
    fn some_after(&mut self, before: &[Member], seen: &Round, clock: &Clock) -> Vec<Member> {
        let mut next: Weights = FxHashMap::default();
        let mut found = 0;
        let sums = cumulative(before);
        let mut legal: Vec<Option<Vec<Vec<MoveId>>>> = vec![None; before.len()];
        for tried in 0..WANTED * TRIES {
            if before.is_empty() || found == WANTED || (tried >= TRIES && clock.is_over()) {
                break;
            }
            let index = pick(&sums, &mut self.rng);
            let place = &before[index].place;
            let mut at = self.game.at(&place.state);
            if legal[index].is_none() {
                legal[index] = Some(self.choices(&mut *at, seen.own).0);
            }
            let Some(legal) = legal[index].as_ref().filter(|legal| !legal.iter().any(Vec::is_empty)) else { continue };
            let joint: JointMove = legal.iter().map(|moves| moves[self.rng.random_range(0..moves.len())]).collect();
            if at.percepts(&joint, self.role) == seen.percepts {
                let after = self.next(place, &mut *at, &joint);
                *next.entry((after.state, after.keys)).or_default() += 1.0;
                found += 1;
            }
        }
        members_of(next)
    }

    /// Every role's moves at the cursor's position, the own one fixed if it is known, and the number of own moves.
    fn choices(&self, at: &mut dyn Cursor, own: Option<MoveId>) -> (Vec<Vec<MoveId>>, f64) {
        let mut legal: Vec<Vec<MoveId>> = self.game.role_ids().map(|role| at.legal(role)).collect();
        let mine = &mut legal[self.role.0 as usize];
        if let Some(own) = own {
            mine.retain(|&mv| mv == own);
            return (legal, 1.0);
        }
        let count = mine.len() as f64;
        (legal, count)
    }

    /// Draws members from the whole view.
    fn redraw(&mut self, view: &View, keep_over: bool, clock: &Clock) {
        if self.guess_anew(view, keep_over, &clock.share(0.5)) {
            return;
        }
        let budget = clock.budget();
        let follow = self.follow.get_or_insert_with(|| Follow::new(self.game, self.role, MEMORY));
        for round in &view.rounds[follow.view().len()..] {
            if follow.extend(round.clone(), &budget).is_err() {
                return;
            }
        }
        let options =
            Options { wanted: Wanted::ByProbability, limit: WANTED, seed: self.rng.random(), ..Options::default() };
        let Ok(mut report) = follow.infoset(&options, &budget) else { return };
        if report.complete && report.histories <= self.most_known.into() {
            let all = Options { wanted: Wanted::All, limit: usize::MAX, ..options };
            if let Ok(listing) = follow.infoset(&all, &budget)
                && listing.lists_all()
            {
                report = listing;
                self.complete = true;
            }
        }
        if report.members.is_empty() {
            return;
        }
        self.take(view, &report);
        if !keep_over {
            self.drop_finished();
        }
    }

    /// Draws members by the source of guesses; true if there is a source and it found a member whose match goes on.
    fn guess_anew(&mut self, view: &View, keep_over: bool, clock: &Clock) -> bool {
        let Some(guess) = self.guess.clone() else { return false };
        let mut next: Weights = FxHashMap::default();
        for moves in guess.draw(view, WANTED, self.rng.random(), &clock.budget()) {
            if percept_infoset::Member::checked(self.game, view, moves.clone()).is_none() {
                continue;
            }
            let place = self.end(&moves);
            *next.entry((place.state, place.keys)).or_default() += 1.0;
        }
        if next.is_empty() {
            return false;
        }
        self.members = members_of(next);
        if !keep_over {
            self.drop_finished();
        }
        !self.members.is_empty()
    }

    fn take(&mut self, view: &View, report: &Report) {
        let mut next: Weights = FxHashMap::default();
        for (member, chance) in report.members.iter().zip(report.chances()) {
            let place = self.end(&member.moves);
            *next.entry((place.state, place.keys)).or_default() += chance;
        }
        debug_assert_eq!(view.rounds.len(), self.rounds, "the view is that of now");
        self.members = members_of(next);
    }

    /// Returns the moves that are legal in every member, in the order of the first member; if there are none, those
    /// that are legal in most.
    pub fn moves(&self) -> Vec<MoveId> {
        let mut shares: Vec<(MoveId, f64)> = Vec::new();
        for member in &self.members {
            for mv in self.game.rules.legal(&member.place.state, self.role) {
                match shares.iter_mut().find(|(other, _)| *other == mv) {
                    Some((_, share)) => *share += member.weight,
                    None => shares.push((mv, member.weight)),
                }
            }
        }
        let most = shares.iter().map(|&(_, share)| share).fold(0.0, f64::max);
        shares.into_iter().filter(|&(_, share)| share > most - 1e-9).map(|(mv, _)| mv).collect()
    }

    /// Draws a member by its weight.
    pub fn draw(&mut self) -> Option<&Member> {
        let sums = cumulative(&self.members);
        (!sums.is_empty()).then(|| &self.members[pick(&sums, &mut self.rng)])
    }

    /// Returns the role that has this belief.
    pub fn role(&self) -> RoleId {
        self.role
    }
}

/// Members with weights that sum up to one, in an order that does not depend on the map's.
fn members_of(weights: Weights) -> Vec<Member> {
    let mut members: Vec<Member> =
        weights.into_iter().map(|((state, keys), weight)| Member { place: Place { state, keys }, weight }).collect();
    members.sort_unstable_by(|left, right| {
        (&left.place.state, &left.place.keys).cmp(&(&right.place.state, &right.place.keys))
    });
    normalize(&mut members);
    members
}

fn normalize(members: &mut [Member]) {
    let sum: f64 = members.iter().map(|member| member.weight).sum();
    members.iter_mut().for_each(|member| member.weight /= sum);
}

/// The sums of the weights up to each member.
pub(crate) fn cumulative(members: &[Member]) -> Vec<f64> {
    let mut sum = 0.0;
    let sums = members.iter().map(|member| {
        sum += member.weight;
        sum
    });
    sums.collect()
}

/// Draws an index in a list of sums, by its share of the last sum.
pub(crate) fn pick(sums: &[f64], rng: &mut Xoshiro256PlusPlus) -> usize {
    let at = rng.random::<f64>() * sums.last().copied().unwrap_or(0.0);
    sums.partition_point(|&sum| sum <= at).min(sums.len().saturating_sub(1))
}
