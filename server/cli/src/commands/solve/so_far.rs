//! The lines before a game is solved. On a terminal, each piece is a line of its own as soon as it is known; if the
//! limits do not suffice, the message has the last one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use percept_game::{Game, RoleId};
use percept_infoset::Budget;
use percept_report::names;
use percept_report::words::counted;
use percept_solve::Point;
use percept_solve::outlook::{Prospect, Sampled, prospects, sampled};

use super::report::{Units, number};
use crate::pace::Pace;

/// The time to ground the rules for the first line, and the time of the random matches behind the second.
const GROUNDING: Duration = Duration::from_millis(800);
const PLAYING: Duration = Duration::from_millis(300);
/// The greatest share of the last width that bounds have on the next line.
const NARROWER: f64 = 0.5;

/// The knowledge so far, and the listener that prints it.
#[derive(Clone)]
pub(super) struct SoFar {
    game: Arc<Game>,
    units: Units,
    print: Arc<dyn Fn(&str) + Send + Sync>,
    knowledge: Arc<Mutex<Knowledge>>,
}

/// Bounds of the value of a role; without a role, of the gain of a deviation.
#[derive(Clone, Copy)]
struct Bounds {
    of: Option<RoleId>,
    low: f64,
    high: f64,
}

struct Knowledge {
    /// True if the answer is there: nothing more is printed.
    is_over: bool,
    /// The goals in the rules.
    by_rules: Vec<Prospect>,
    /// The best bounds by strategies and best responses.
    proved: Vec<Bounds>,
    pace: Pace,
    /// The last bounds that were printed.
    last: Option<Bounds>,
}

impl Knowledge {
    /// The best bounds, with those of this point.
    fn learn(&mut self, point: &Point) -> Bounds {
        let of_point = Bounds { of: point.of, low: point.bracket.low, high: point.bracket.high };
        let goals = self.by_rules.iter().find(|it| Some(it.role) == point.of).and_then(|it| it.goals);
        let old = self.proved.iter().find(|it| it.of == point.of).map(|it| (it.low, it.high));
        let old = old.or(goals.map(|(low, high)| (low as f64, high as f64)));
        // Bounds of a value stay true. Those of a gain belong to strategies that were replaced.
        let bounds = match old.filter(|_| point.of.is_some()) {
            Some((low, high)) => Bounds { low: of_point.low.max(low), high: of_point.high.min(high), ..of_point },
            None => of_point,
        };
        self.proved.retain(|it| it.of != point.of);
        self.proved.push(bounds);
        bounds
    }
}

impl SoFar {
    /// Nothing is known yet. `print` receives lines for people.
    pub(super) fn new(game: &Arc<Game>, units: Units, print: impl Fn(&str) + Send + Sync + 'static) -> SoFar {
        let (by_rules, proved) = (Vec::new(), Vec::new());
        let knowledge = Knowledge { is_over: false, by_rules, proved, pace: Pace::begin(), last: None };
        SoFar { game: game.clone(), units, print: Arc::new(print), knowledge: Arc::new(Mutex::new(knowledge)) }
    }

    /// Looks at the rules and at random matches, on a thread of its own: nothing waits for it.
    pub(super) fn begin(&self, seed: u64, budget: &Budget) {
        let (this, budget) = (self.clone(), budget.clone());
        // Without a thread, the first lines are missing.
        let _ = thread::Builder::new().name("so far".into()).spawn(move || {
            this.read_rules(&budget);
            let patience = this.knowledge().pace.patience();
            thread::sleep(patience);
            this.tell(|knowledge| Some(this.kind(&knowledge.by_rules)));
            if let Some(sampled) = sampled(&this.game, seed, PLAYING, &budget) {
                this.tell(|_| Some(this.in_matches(&sampled)));
            }
        });
    }

    /// Finds the bounds in the rules.
    fn read_rules(&self, budget: &Budget) {
        let found = prospects(&self.game, &budget.until(Instant::now() + GROUNDING));
        self.knowledge().by_rules = found;
    }

    fn knowledge(&self) -> MutexGuard<'_, Knowledge> {
        self.knowledge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, learn: impl FnOnce(&mut Knowledge) -> Option<String>) {
        let mut knowledge = self.knowledge();
        let line = learn(&mut knowledge);
        if let Some(line) = line.filter(|_| !knowledge.is_over) {
            (self.print)(&line);
        }
    }

    /// The bounds of a point, if they are much better than those printed before.
    pub(super) fn point(&self, point: &Point) {
        self.tell(|knowledge| {
            let bounds = knowledge.learn(point);
            let is_narrower =
                |last: Bounds| last.of != bounds.of || bounds.high - bounds.low <= NARROWER * (last.high - last.low);
            (knowledge.pace.is_due() && knowledge.last.is_none_or(is_narrower)).then(|| {
                knowledge.last = Some(bounds);
                knowledge.pace.printed();
                format!("so far: {}", self.bounds(&bounds))
            })
        });
    }

    /// Ends the lines: the answer is next.
    pub(super) fn end(&self) {
        self.knowledge().is_over = true;
    }

    /// The note with the best bounds known at the end, for a game that could not be solved.
    pub(super) fn best(&self) -> Option<String> {
        self.end();
        let is_read = !self.knowledge().by_rules.is_empty();
        if !is_read {
            // The rules were not read yet: if that is quick, it is worth it, although the time is over.
            self.read_rules(&Budget::default().until(Instant::now() + Duration::from_millis(100)));
        }
        self.note()
    }

    /// The note with the best bounds known now.
    pub(super) fn note(&self) -> Option<String> {
        let knowledge = self.knowledge();
        let proved = knowledge.proved.iter().filter(|it| it.of.is_some());
        let proved: Vec<String> = proved.map(|it| self.bounds(it)).collect();
        let bounds = if proved.is_empty() { self.by_rules(&knowledge.by_rules) } else { Some(proved.join("; ")) };
        bounds.map(|bounds| format!("so far: {bounds}"))
    }

    fn between(&self, low: f64, high: f64) -> String {
        let (low, high) = (number(self.units.of(low)), number(self.units.of(high)));
        if low == high { low } else { format!("between {low} and {high}") }
    }

    fn bounds(&self, it: &Bounds) -> String {
        match it.of {
            Some(role) => {
                format!(
                    "the value that {} can guarantee is {}",
                    names::role(&self.game, role),
                    self.between(it.low, it.high)
                )
            }
            None => {
                format!(
                    "strategies that no role can leave for a gain of more than {}",
                    number(self.units.apart(it.high / 2.0))
                )
            }
        }
    }

    /// The number of players, with the bounds by the rules.
    fn kind(&self, prospects: &[Prospect]) -> String {
        let players = counted(names::players(&self.game).len(), "player", "players");
        self.by_rules(prospects).map_or(players.clone(), |text| format!("{players}: {text}"))
    }

    /// The goals in the rules as bounds; those that are the same for all roles once.
    fn by_rules(&self, prospects: &[Prospect]) -> Option<String> {
        let bounds = |it: &Prospect| Some((it.role, it.goals?));
        let all: Vec<(RoleId, (i64, i64))> = prospects.iter().filter_map(bounds).collect();
        let between = |(low, high): (i64, i64)| self.between(low as f64, high as f64);
        let first = all.first()?.1;
        let text = match all.len() == prospects.len() && all.iter().all(|it| it.1 == first) {
            true if all.len() == 1 => format!("its value is {}", between(first)),
            true => format!("the value to each is {}", between(first)),
            false => {
                let each =
                    all.iter().map(|&(role, goals)| format!("{} {}", names::role(&self.game, role), between(goals)));
                format!("values of {}", each.collect::<Vec<_>>().join(", "))
            }
        };
        Some(format!("{text}, by the goals in the rules"))
    }

    fn in_matches(&self, sampled: &Sampled) -> String {
        let each = names::players(&self.game).into_iter().zip(&sampled.means).map(|(name, it)| {
            let (mean, margin) = (self.units.of(it.mean), self.units.apart(it.half_width));
            format!("{name} {} ± {}", short(mean), short(margin))
        });
        let against = match sampled.means.len() {
            1 => "; the best strategy gets at least about that",
            _ if sampled.opposed => "; there, a gain of one is a loss of the other",
            _ => "",
        };
        let matches = counted(sampled.matches as usize, "random match", "random matches");
        format!("in {matches}: {}{against}", each.collect::<Vec<_>>().join(", "))
    }
}

/// A number from samples, with three digits.
fn short(value: f64) -> String {
    let places = 2_i32.saturating_sub(value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    number(format!("{value:.places$}").parse().unwrap_or(value))
}
