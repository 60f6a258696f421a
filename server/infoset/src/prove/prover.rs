//! The portfolio: the order of the methods, their shares of the time, and the independent check of proofs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use percept_game::bound::Bound;
use percept_game::symmetry::Symmetries;
use percept_game::{Game, Ground, RoleId};

use super::agree;
use super::attempt::by_induction;
use super::bounded::{Answer, Bounded, MOST_NODES};
use super::claims::{Agreement, Invariants};
use super::findings::{Argument, Ends, Finding, Induction, Method, Options, Refusal, Verdict, proved};
use super::leap;
use super::lemmas::Lemmas;
use super::matches;
use super::namesake::Decided;
use super::pairs;
use super::reader::Reader;
use super::setting::Setting;
use super::vacuous;
use crate::Budget;
use crate::reading::Reading;
use crate::verdict::Property;

/// Everything proved about one game so far, shared between roles and properties.
pub struct Prover<'a> {
    game: &'a Game,
    reader: Arc<Reader<'a>>,
    /// True after the first question: the game was ground, or found to be too large for that.
    is_begun: bool,
    /// `None` if the game is too large to ground: then only the explicit search works.
    ground: Option<Arc<Ground>>,
    lemmas: Option<Lemmas<'a>>,
    symmetries: OnceLock<Symmetries>,
    longest: OnceLock<Option<Bound>>,
    /// The ways in which matches end, computed on first use.
    ends: Option<vacuous::MatchEnds>,
    /// The verdicts so far, for use by symmetry.
    decided: Decided,
}

impl<'a> Prover<'a> {
    /// A prover without results.
    pub fn new(game: &'a Game) -> Self {
        Prover::with(game, Arc::new(Reader::new(game)))
    }

    /// Like [`Prover::new`], with a given second reader of the same game, which may have read the rules already.
    pub fn with(game: &'a Game, reader: Arc<Reader<'a>>) -> Self {
        let (symmetries, longest, decided) = (OnceLock::new(), OnceLock::new(), Decided::default());
        Prover { game, reader, is_begun: false, ground: None, lemmas: None, symmetries, longest, ends: None, decided }
    }

    /// Grounds the game, with half of the budget of the first question.
    fn begin(&mut self, budget: &Budget) {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.ground = self.reader.ground(&budget.share(2)).cloned();
            self.lemmas = self.ground.clone().map(|ground| Lemmas::new(self.game, ground));
        }
    }

    /// The verdict on one property of one role.
    pub fn prove(&mut self, role: RoleId, property: Property, options: &Options, budget: &Budget) -> Finding {
        let started = Instant::now();
        self.begin(budget);
        let (mut refused, mut checking) = (Vec::new(), Duration::ZERO);
        let verdict = loop {
            let found = self.verdict(role, property, options, &refused, budget).unless_incomplete(self.game);
            let found = if options.announce_end { found.unless_told_apart(self.game, property) } else { found };
            let begin = Instant::now();
            let read = self.checked((role, property), options.announce_end, found, budget);
            checking += begin.elapsed();
            match read {
                Ok(verdict) => break verdict,
                // Another method may still decide it.
                Err(refusal) => refused.push(refusal),
            }
        };
        if options.method == Method::Auto {
            self.decided.note(role, property, options.announce_end, &verdict);
        }
        let asks = property == Property::Goal && matches!(verdict, Verdict::Proved { .. });
        // A remark deserves less time than the answer.
        let vacuous = asks.then(|| self.ends(role, &budget.share(2))).flatten();
        Finding { role, property, verdict, vacuous, refused, elapsed: started.elapsed(), checking }
    }

    /// The verdict; if it is a proof, with the result of the second reader.
    ///
    /// # Errors
    /// The reader's objection.
    fn checked(
        &self,
        question: (RoleId, Property),
        announce_end: bool,
        verdict: Verdict,
        budget: &Budget,
    ) -> Result<Verdict, Refusal> {
        let Verdict::Proved { method, argument: Some(argument), .. } = verdict else { return Ok(verdict) };
        let proved = |checked| Verdict::Proved { method, argument: Some(argument.clone()), checked };
        match self.reader.follow(question, announce_end, &argument, budget) {
            Reading::Checked => Ok(proved(Ok(()))),
            Reading::Unchecked(why) => Ok(proved(Err(why))),
            Reading::Refused(why) => Err(Refusal { method, why }),
        }
    }

    /// The symmetries of the game that were found in an eighth of the budget of the first question.
    fn symmetries(&self, budget: &Budget) -> &Symmetries {
        self.symmetries.get_or_init(|| match &self.ground {
            Some(ground) => Symmetries::of(self.game, ground, &budget.share(8)),
            None => Symmetries::default(),
        })
    }

    /// The ways in which matches end for a role, which show if a proof that it knows its goal is vacuous. `None` if
    /// that is open.
    pub fn ends(&mut self, role: RoleId, budget: &Budget) -> Option<Ends> {
        self.begin(budget);
        let (game, ground) = (self.game, self.ground.as_deref());
        let match_ends = self.ends.get_or_insert_with(|| vacuous::MatchEnds::of(game, ground, budget));
        // As for verdicts: if the rules failed in some state, nothing is claimed.
        match_ends.ends(self.lemmas.as_mut(), role, budget).filter(|_| game.rules.fault().is_none())
    }

    /// The prover's own verdict, before the second reader. `refused`: methods that are not tried again.
    fn verdict(
        &mut self,
        role: RoleId,
        property: Property,
        options: &Options,
        refused: &[Refusal],
        budget: &Budget,
    ) -> Verdict {
        if property == Property::Terminal && options.announce_end {
            return Verdict::Proved { method: "announced", argument: None, checked: Ok(()) };
        }
        if property == Property::Own && self.game.knows_own_moves {
            return Verdict::Proved { method: "definition", argument: None, checked: Ok(()) };
        }
        let wants = |method| options.wants(method, refused);
        // If a method is not the only one, it leaves time for the others.
        let share = |parts: usize| if options.method == Method::Auto { budget.share(parts) } else { budget.clone() };
        if let (Some(ground), Some(lemmas)) = (self.ground.clone(), &mut self.lemmas) {
            let setting = Setting { game: self.game, ground: &ground, role, made: &[] };
            if wants(Method::Structure) {
                budget.report("structure", 0, None);
                let kept = lemmas.structural(role, &share(4));
                if let Some(kept) = kept.filter(|kept| agree::structurally_known(&setting, kept, property, &share(4))) {
                    let agreement = Agreement::clone(&kept);
                    let induction = Induction { invariants: Invariants::default(), agreement, back: 0 };
                    return proved("structure", Argument::Structure(Box::new(induction)));
                }
            }
        }
        if options.method == Method::Auto && refused.iter().all(|it| it.method != "symmetry") {
            let symmetries = || self.symmetries(budget);
            let of_another = self.decided.of_another(self.game, role, property, options.announce_end, symmetries);
            if let Some(verdict) = of_another {
                return verdict;
            }
        }
        // First a search of a few rounds: most faults show early, and a refuted property needs no attempt at a proof.
        let mut shallow = Verdict::Open { depth: 0 };
        if options.method == Method::Auto && wants(Method::Bounded) {
            let depth = options.depth.unwrap_or(usize::MAX).min(4);
            // Symmetries are used only if they were found already.
            shallow = self.bounded(role, property, depth, self.symmetries.get(), &budget.share(8));
        }
        match shallow.is_decided() {
            true => shallow,
            false => shallow.or(self.side_by_side(role, property, options, refused, budget)),
        }
    }

    /// Runs two lines of work; the first one with a decision ends the other. Each line takes the next untried method:
    /// induction and the search through pairs first, then ever longer matches, as soon as one of the two has given up,
    /// and random matches and leaps when both have.
    fn side_by_side(
        &mut self,
        role: RoleId,
        property: Property,
        options: &Options,
        refused: &[Refusal],
        budget: &Budget,
    ) -> Verdict {
        let decided = Arc::new(AtomicBool::new(false));
        let budget = &Budget { decided: Some(decided.clone()), ..budget.clone() };
        let (alone, depth) = (options.method != Method::Auto, options.depth);
        // If a method is not the only one, it leaves time for the others.
        let share = |parts: usize| if alone { budget.clone() } else { budget.share(parts) };
        let mut lemmas = self.lemmas.take();
        let this = &*self;
        let wants = |method| options.wants(method, refused);
        if let (Some(lemmas), true) = (&mut lemmas, wants(Method::Induction)) {
            lemmas.look_up_to(this.symmetries(budget));
        }
        let induction = || {
            let Some(lemmas) = &mut lemmas else { return Verdict::Open { depth: 0 } };
            by_induction(lemmas, role, property, options, budget).unwrap_or(Verdict::Open { depth: 0 })
        };
        // Pairs leave half of the time for longer matches. If the other line searches these already, they leave three
        // eighths for random ones.
        let (half, more) = (share(2), if alone { budget.clone() } else { budget.shares(5, 8) });
        let looks_at_matches = AtomicBool::new(false);
        let time_for_pairs = || if looks_at_matches.load(Ordering::Relaxed) { &more } else { &half };
        let pairs = || match property {
            Property::Own => pairs::own::by_pairs(this.game, role, depth, this.symmetries(budget), &time_for_pairs),
            _ => pairs::by_pairs(this.game, role, property, depth, this.symmetries(budget), &time_for_pairs),
        };
        let bounded = || {
            looks_at_matches.store(true, Ordering::Relaxed);
            this.bounded(role, property, depth.unwrap_or(usize::MAX), Some(this.symmetries(budget)), budget)
        };
        type Work<'w> = Box<dyn FnOnce() -> Verdict + Send + 'w>;
        let mut work: Vec<Work<'_>> = Vec::new();
        let leap = || leap::by_leaps(this.game, role, property, this.ground.clone(), depth, budget);
        // Random matches find a pair soon or hardly ever.
        let matches = || matches::by_matches(this.game, role, property, options.announce_end, depth, &share(2));
        // The methods are taken from the end of the list.
        if wants(Method::Leap) {
            work.push(Box::new(leap));
        }
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
            // Without threads, as in a web page, one line does all the work.
            let other = std::thread::Builder::new().spawn_scoped(scope, line);
            let found = line();
            let other = other.ok().and_then(|other| other.join().ok());
            found.or(other.unwrap_or(Verdict::Open { depth: 0 }))
        });
        drop(work);
        self.lemmas = lemmas;
        verdict
    }

    /// A length that no match exceeds, if one can be determined.
    fn longest(&self, budget: &Budget) -> Option<u64> {
        let budget = budget.share(8);
        let bound = || percept_game::bound::bound(self.game, None, &budget);
        self.longest.get_or_init(bound).as_ref().map(|bound| bound.rounds)
    }

    /// Searches for a pair of matches, one length after the other.
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
                Answer::Pair(pair) => return Verdict::Refuted { pair, method: "bounded" },
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
