//! The verdict for every match: does a role always know its legal moves, the end, and its goal? And its own moves, where no
//! language tells it?
//!
//! In: a game. Out: per role and property *proved* (for all matches, by which argument), *refuted* (a pair of
//! histories that the role cannot tell apart, replayed before it is shown), or *open* (nothing found up to a depth).
//! A portfolio, cheapest first, each part usable alone:
//!
//! | method | module | what it can do |
//! | --- | --- | --- |
//! | structure | [`agree::structural`] | prove, at once |
//! | induction | [`attempt`]: [`agree::refine`] under [`invariant`]s, mined by [`mine`] from [`sample`]s, with [`count`]s | prove for all depths |
//! | bounded | [`bounded`] | refute by a shortest pair; prove where all matches are short |
//! | pairs | [`pairs`] | both, where states are few |
//! | symmetry | `namesake` | both, of a role who is another under other names |
//! | matches | [`mod@matches`] | refute at any depth, by a pair that need not be shortest |
//!
//! Whether a proof about goals says anything, in a game whose matches may never end, is looked into as well.
//!
//! Several roles at a time: [`many`]. Every proof can be written down and followed without a search ([`certificate`]).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use percept_game::bound::Bound;
use percept_game::symmetry::Symmetries;
use percept_game::{Game, Ground, JointMove, RoleId, Scope, State};

mod agree;
mod alike;
mod attempt;
pub mod bounded;
mod candidates;
mod census;
pub mod certificate;
mod choice;
mod closure;
mod count;
mod invariant;
mod joint;
mod lemmas;
pub mod many;
mod matches;
mod mine;
mod namesake;
pub mod never;
pub mod pairs;
pub mod query;
mod sample;
mod sieve;
mod step;
mod tally;
mod twin;
mod vacuous;
mod vary;

use agree::Agreement;
use attempt::by_induction;
use bounded::{Answer, Bounded};
use invariant::Invariants;
use lemmas::Lemmas;
use namesake::Decided;
use twin::Setting;

use crate::Budget;
pub use crate::Property;
use crate::verdict::Witness;
use percept_game::view::{View, play, replay};

/// How a property is proved or refuted in all matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All of them, cheapest first.
    Auto,
    /// What the rules say of it without any search.
    Structure,
    /// By agreement that no round can break.
    Induction,
    /// By unrolling matches round by round.
    Bounded,
    /// By all pairs of states that the role cannot tell apart.
    Pairs,
    /// By what looks alike along random matches: refutes only.
    Matches,
}

/// What is tried, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is tried.
    pub method: Method,
    /// Rounds to search at most; `None`: as many as the time allows.
    pub depth: Option<usize>,
    /// Everybody is told when the match is over.
    pub announce_end: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { method: Method::Auto, depth: None, announce_end: false }
    }
}

/// Two matches that the role cannot tell apart, though the property differs after their last round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// One of the matches.
    pub left: Vec<JointMove>,
    /// The other.
    pub right: Vec<JointMove>,
}

impl Pair {
    /// The pair with what the role would know in each match. `None` where it is no pair of this property.
    pub fn witness(&self, game: &Game, role: RoleId, property: Property) -> Option<Witness> {
        let value = |history: &[JointMove]| property.after(game, history, play(game, history).ok()?.last()?, role);
        Some(Witness {
            first: self.left.clone(),
            second: self.right.clone(),
            first_value: value(&self.left)?,
            second_value: value(&self.right)?,
            first_is_match: false,
        })
    }
}

/// Whether a role knows something in every match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// For all matches. `argument`: `None` where there is nothing to prove, since the end is announced or the language tells a
    /// role its own moves, and where it was proved of another role, who is this one under other names.
    Proved {
        /// What settled it.
        method: &'static str,
        /// For a certificate.
        argument: Option<Argument>,
    },
    /// Not in these two matches.
    Refuted {
        /// A shortest one, unless the method looks otherwise.
        pair: Pair,
        /// What settled it.
        method: &'static str,
    },
    /// No pair in matches of up to `depth` rounds.
    Open {
        /// In rounds.
        depth: usize,
    },
}

impl Verdict {
    /// As commands print it.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Open { .. } => "open",
        }
    }

    const fn is_decided(&self) -> bool {
        !matches!(self, Verdict::Open { .. })
    }

    /// The verdict, if all that it rests on was complete: a state that the rules were too large for looks as if nothing were
    /// legal there and nothing came after it. [`percept_game::Rules::fault`] says which rule.
    fn unless_incomplete(self, game: &Game) -> Verdict {
        match game.rules.fault() {
            Some(_) => Verdict::Open { depth: 0 },
            None => self,
        }
    }

    /// The verdict, unless it is a pair of rounds of which one ends the match, which the role is told: only the search along a
    /// match heeds that of own moves.
    fn unless_told_apart(self, game: &Game, property: Property) -> Verdict {
        let Verdict::Refuted { pair: Pair { left, right }, .. } = &self else { return self };
        let over = |history: &[JointMove]| play(game, history).ok()?.last().map(|state| game.rules.terminal(state));
        match property == Property::Own && over(left) != over(right) {
            true => Verdict::Open { depth: left.len().saturating_sub(1) },
            false => self,
        }
    }

    /// The one that says more.
    fn or(self, other: Verdict) -> Verdict {
        match (&self, &other) {
            (Verdict::Open { depth }, Verdict::Open { depth: more }) if depth >= more => self,
            (Verdict::Open { .. }, _) => other,
            _ => self,
        }
    }
}

/// What a certificate is written from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A proof by agreement.
    Induction(Box<Induction>),
    /// No match is longer.
    Bounded {
        /// Of the longest match.
        rounds: usize,
    },
    /// All pairs of states were looked at.
    Pairs,
}

/// A proof by agreement (see [`agree`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Induction {
    pub(crate) invariants: Invariants,
    pub(crate) agreement: Agreement,
    /// How many rounds before the last one the induction on the property looks back.
    pub back: usize,
}

/// The answer about one role and one property in every match.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whose knowledge.
    pub role: RoleId,
    /// Of what.
    pub property: Property,
    /// The answer.
    pub verdict: Verdict,
    /// Of a proof about goals: whether it says nothing, since no match ever ends. `None` where that stays open, and for
    /// all other findings.
    pub vacuous: Option<bool>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Everything proved about one game so far, shared between roles and properties.
pub struct Prover<'a> {
    game: &'a Game,
    /// Whether a question was asked: then the game was ground, or found to be too large for that.
    is_begun: bool,
    /// `None` where the game is too large to ground: then only the explicit search works.
    ground: Option<Arc<Ground>>,
    lemmas: Option<Lemmas<'a>>,
    symmetries: OnceLock<Symmetries>,
    longest: OnceLock<Option<Bound>>,
    /// Whether some match ends, once it was asked.
    ends: Option<Option<bool>>,
    /// With all methods.
    decided: Decided,
}

impl<'a> Prover<'a> {
    /// Nothing is proved yet.
    pub fn new(game: &'a Game) -> Self {
        let (symmetries, longest, decided) = (OnceLock::new(), OnceLock::new(), Decided::default());
        Prover { game, is_begun: false, ground: None, lemmas: None, symmetries, longest, ends: None, decided }
    }

    /// Grounds the game, in half of the time of the first question.
    fn begin(&mut self, budget: &Budget) {
        if !std::mem::replace(&mut self.is_begun, true) {
            let until = Some(&budget.share(2));
            self.ground = self.game.rules.ground(&Scope { until, ..Scope::default() }).ok();
            self.lemmas = self.ground.clone().map(|ground| Lemmas::new(self.game, ground));
        }
    }

    /// The verdict on one property of one role.
    pub fn prove(&mut self, role: RoleId, property: Property, options: &Options, budget: &Budget) -> Finding {
        let started = Instant::now();
        self.begin(budget);
        let verdict = self.verdict(role, property, options, budget).unless_incomplete(self.game);
        let verdict = if options.announce_end { verdict.unless_told_apart(self.game, property) } else { verdict };
        if options.method == Method::Auto {
            self.decided.note(role, property, options.announce_end, &verdict);
        }
        let asks = property == Property::Goal && matches!(verdict, Verdict::Proved { .. });
        // Nobody waits for a remark as long as for the answer.
        let vacuous = asks.then(|| self.is_vacuous(&budget.share(2))).flatten();
        Finding { role, property, verdict, vacuous, elapsed: started.elapsed() }
    }

    /// What becomes what in this game, as far as it was found in an eighth of the time of the first question.
    fn symmetries(&self, budget: &Budget) -> &Symmetries {
        self.symmetries.get_or_init(|| match &self.ground {
            Some(ground) => Symmetries::of(self.game, ground, &budget.share(8)),
            None => Symmetries::default(),
        })
    }

    /// Whether what is proved about the ends of matches says nothing, since there are none; `None` where that stays open.
    pub fn is_vacuous(&mut self, budget: &Budget) -> Option<bool> {
        self.begin(budget);
        let lemmas = self.lemmas.as_mut();
        let game = self.game;
        let ends = *self.ends.get_or_insert_with(|| vacuous::some_match_ends(game, lemmas, budget));
        // As for verdicts.
        ends.map(|ends| !ends).filter(|_| game.rules.fault().is_none())
    }

    fn verdict(&mut self, role: RoleId, property: Property, options: &Options, budget: &Budget) -> Verdict {
        if property == Property::Terminal && options.announce_end {
            return Verdict::Proved { method: "announced", argument: None };
        }
        if property == Property::Own && self.game.knows_own_moves {
            return Verdict::Proved { method: "definition", argument: None };
        }
        let wants = |method| options.method == Method::Auto || options.method == method;
        // What is not tried alone leaves time for the rest.
        let share = |parts: usize| if options.method == Method::Auto { budget.share(parts) } else { budget.clone() };
        if let (Some(ground), Some(lemmas)) = (self.ground.clone(), &mut self.lemmas) {
            let setting = Setting { game: self.game, ground: &ground, role, made: &[] };
            if wants(Method::Structure) {
                budget.report("structure", 0, None);
                let kept = lemmas.structural(role, &share(4));
                if let Some(kept) = kept.filter(|kept| agree::structurally_known(&setting, kept, property, &share(4))) {
                    let agreement = Agreement::clone(&kept);
                    let induction = Induction { invariants: Invariants::default(), agreement, back: 0 };
                    return proved("structure", Argument::Induction(Box::new(induction)));
                }
            }
        }
        if options.method == Method::Auto {
            let symmetries = || self.symmetries(budget);
            let of_another = self.decided.of_another(self.game, role, property, options.announce_end, symmetries);
            if let Some(verdict) = of_another {
                return verdict;
            }
        }
        // A few rounds of search first: most faults show early, and a refuted property needs no proof attempt.
        let mut shallow = Verdict::Open { depth: 0 };
        if options.method == Method::Auto {
            let depth = options.depth.unwrap_or(usize::MAX).min(4);
            // Nobody waits for symmetries to be found.
            shallow = self.bounded(role, property, depth, self.symmetries.get(), &budget.share(8));
        }
        match shallow.is_decided() {
            true => shallow,
            false => shallow.or(self.side_by_side(role, property, options, budget)),
        }
    }

    /// Two lines of work; the first that decides ends the other. Each takes the next thing that nobody tried: induction
    /// and the search through pairs first, then ever longer matches, as soon as one of the two has given up, and random
    /// matches when both have.
    fn side_by_side(&mut self, role: RoleId, property: Property, options: &Options, budget: &Budget) -> Verdict {
        let decided = Arc::new(AtomicBool::new(false));
        let budget = &Budget { decided: Some(decided.clone()), ..budget.clone() };
        let (alone, depth) = (options.method != Method::Auto, options.depth);
        // What is not tried alone leaves time for the rest.
        let share = |parts: usize| if alone { budget.clone() } else { budget.share(parts) };
        let mut lemmas = self.lemmas.take();
        let this = &*self;
        let wants = |method| options.method == Method::Auto || options.method == method;
        if let (Some(lemmas), true) = (&mut lemmas, wants(Method::Induction)) {
            lemmas.look_up_to(this.symmetries(budget));
        }
        let induction = || {
            let Some(lemmas) = &mut lemmas else { return Verdict::Open { depth: 0 } };
            by_induction(lemmas, role, property, options, budget).unwrap_or(Verdict::Open { depth: 0 })
        };
        // Pairs leave half of the time for longer matches; where the other line looks at these already, three eighths for
        // random ones.
        let (half, more) = (share(2), if alone { budget.clone() } else { budget.shares(5, 8) });
        let looks_at_matches = AtomicBool::new(false);
        let time_for_pairs = || if looks_at_matches.load(Ordering::Relaxed) { &more } else { &half };
        let pairs = || pairs::by_pairs(this.game, role, property, depth, this.symmetries(budget), &time_for_pairs);
        let bounded = || {
            looks_at_matches.store(true, Ordering::Relaxed);
            this.bounded(role, property, depth.unwrap_or(usize::MAX), Some(this.symmetries(budget)), budget)
        };
        type Work<'w> = Box<dyn FnOnce() -> Verdict + Send + 'w>;
        let mut work: Vec<Work<'_>> = Vec::new();
        let matches = || matches::by_matches(this.game, role, property, options.announce_end, depth, budget);
        // The last is taken first.
        if wants(Method::Matches) {
            work.push(Box::new(matches));
        }
        if wants(Method::Bounded) {
            work.push(Box::new(bounded));
        }
        if wants(Method::Pairs) {
            work.push(Box::new(pairs));
        }
        if wants(Method::Induction) {
            work.push(Box::new(induction));
        }
        let work = Mutex::new(work);
        let line = || {
            let mut found = Verdict::Open { depth: 0 };
            while !found.is_decided() {
                let Some(next) = work.lock().ok().and_then(|mut work| work.pop()) else { break };
                found = found.or(next());
            }
            if found.is_decided() {
                decided.store(true, Ordering::Relaxed);
            }
            found
        };
        let verdict = std::thread::scope(|scope| {
            // Where no thread is to be had, in a web page, one line does all the work.
            let other = std::thread::Builder::new().spawn_scoped(scope, line);
            let found = line();
            let other = other.ok().and_then(|other| other.join().ok());
            found.or(other.unwrap_or(Verdict::Open { depth: 0 }))
        });
        drop(work);
        self.lemmas = lemmas;
        verdict
    }

    /// A length that no match exceeds, where one can be told.
    fn longest(&self, budget: &Budget) -> Option<u64> {
        let budget = budget.share(8);
        let bound = || percept_game::bound::bound(self.game, None, &budget);
        self.longest.get_or_init(bound).as_ref().map(|bound| bound.rounds)
    }

    /// Looks for a pair of matches of one length after the other.
    fn bounded(
        &self,
        role: RoleId,
        property: Property,
        depth: usize,
        symmetries: Option<&Symmetries>,
        budget: &Budget,
    ) -> Verdict {
        let Ok(mut search) = Bounded::new(self.game, role, self.ground.clone(), budget) else {
            return Verdict::Open { depth: 0 };
        };
        let longest = self.longest(budget);
        loop {
            match search.ask(property) {
                Answer::None => {}
                Answer::Unknown => return Verdict::Open { depth: search.depth().saturating_sub(1) },
                Answer::Pair(left, right) => {
                    let pair = Pair { left, right };
                    if !is_real(self.game, role, property, &pair) {
                        // Only registers are encoded loosely; then the search cannot say more than it has.
                        return Verdict::Open { depth: search.depth().saturating_sub(1) };
                    }
                    return Verdict::Refuted { pair, method: "bounded" };
                }
            }
            if search.depth() >= depth || search.size() > MOST_NODES {
                return Verdict::Open { depth: search.depth() };
            }
            if longest.is_some_and(|longest| search.depth() as u64 >= longest) {
                return proved("bounded", Argument::Bounded { rounds: search.depth() });
            }
            match search.goes_on() {
                Some(true) => {}
                Some(false) => return proved("bounded", Argument::Bounded { rounds: search.depth() }),
                None => return Verdict::Open { depth: search.depth() },
            }
            if search.deepen().is_err() {
                return Verdict::Open { depth: search.depth() };
            }
            if let (1, Some(symmetries)) = (search.depth(), symmetries) {
                search.look_up_to(symmetries);
            }
            budget.report("pairs of matches, rounds", search.depth(), None);
        }
    }
}

fn proved(method: &'static str, argument: Argument) -> Verdict {
    Verdict::Proved { method, argument: Some(argument) }
}

/// Nodes of the formula and literals of its copies beyond which no further round is added.
const MOST_NODES: usize = 40_000_000;

/// Replays both matches with the game's own rules: legal, not over before their end, the same own moves and percepts
/// for the role in every round, and the property differs at the end.
pub fn is_real(game: &Game, role: RoleId, property: Property, pair: &Pair) -> bool {
    let Ok(view) = View::of_match(game, role, &pair.left) else { return false };
    let (Ok((left, _)), Ok((right, _))) = (replay(game, &view, &pair.left), replay(game, &view, &pair.right)) else {
        return false;
    };
    match property {
        Property::Own => {
            property.after(game, &pair.left, &left, role) != property.after(game, &pair.right, &right, role)
        }
        _ => differs(game, role, property, &left, &right),
    }
}

/// A shortest pair of matches of up to `depth` rounds that look alike to the role, in whose last rounds it makes two different ones
/// of these moves; `None` where there is none, or none was found within the limits.
pub fn moves_alike(
    game: &Game,
    role: RoleId,
    wanted: &dyn Fn(percept_game::MoveId) -> bool,
    depth: usize,
    budget: &Budget,
) -> Option<Pair> {
    let ground = game.rules.ground(&Scope { until: Some(budget), ..Scope::default() }).ok();
    let mut search = Bounded::new(game, role, ground, budget).ok()?;
    loop {
        match search.ask_of_moves(wanted) {
            Answer::None => {}
            Answer::Unknown => return None,
            Answer::Pair(left, right) => {
                let pair = Pair { left, right };
                return is_real(game, role, Property::Own, &pair).then_some(pair);
            }
        }
        if search.depth() >= depth || search.goes_on() != Some(true) || search.size() > MOST_NODES {
            return None;
        }
        search.deepen().ok()?;
    }
}

/// Whether the rules alone tell a role every move it makes: no two rounds that give it the same differ in its move, as far as
/// that was found out in time.
pub(crate) fn own_moves_are_told(game: &Game, role: RoleId, budget: &Budget) -> bool {
    let Ok(ground) = game.rules.ground(&Scope { until: Some(budget), ..Scope::default() }) else { return false };
    let setting = Setting { game, ground: &ground, role, made: &[] };
    let kept = agree::structural(&setting, budget);
    kept.is_some_and(|kept| agree::structurally_known(&setting, &kept, Property::Own, budget))
}

/// Whether the property tells the two states apart.
fn differs(game: &Game, role: RoleId, property: Property, a: &State, b: &State) -> bool {
    match (property.of(game, a, role), property.of(game, b, role)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}
