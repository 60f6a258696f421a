//! POGDDL about numbers: wide, negative and clamped ones, their sums and products, counters as guards, thresholds in
//! every position of a condition. The other writer's games have few of them, because games without growing numbers can
//! be decided completely; here brute force gives up earlier, and matches are longer.
//!
//! Every number has a habit: it stays between bounds that the rules show (about as many values as a fluent may have, or
//! a few), or it grows. The values added to a growing number are usually those of bounded ones, which gives many values
//! at once.

use std::collections::BTreeSet;

use crate::dice::Dice;
use crate::sexp::Sexp;

/// The domain and the problem of a seed, with their features.
pub fn write(seed: u64) -> (Vec<Sexp>, BTreeSet<&'static str>) {
    let mut writer = Writer::new(seed);
    let (domain, problem) = writer.game();
    (vec![Sexp::one(&domain), Sexp::one(&problem)], writer.features)
}

/// The development of a number.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    /// It stays below this bound if it goes up, or above its negative.
    Bounded(i64),
    Grows,
}

/// A number of the game: the pattern of its instances, with `?` in place of an object.
struct Number {
    pattern: &'static str,
    habit: Habit,
    goes_up: bool,
}

/// Bounds of numbers that stay bounded; with more than 64 values they are not fluents.
const BOUNDS: [i64; 9] = [3, 9, 20, 31, 40, 62, 63, 64, 100];
/// Values of literals.
const CONSTANTS: [i64; 16] = [0, 1, 1, 2, 3, 5, 7, 12, 30, 63, 64, 65, 100, 255, 256, 1000];
/// Values too large to be multiplied twice.
const HUGE: [i64; 2] = [3_000_000_000, 9_000_000_000_000_000_000];

const PLAYERS: [&str; 2] = ["p1", "p2"];
const THINGS: [&str; 2] = ["b1", "b2"];
/// Any player: the action does not name one.
const ANYBODY: &str = "";

struct Writer {
    dice: Dice,
    features: BTreeSet<&'static str>,
    numbers: Vec<Number>,
    /// The maximum number of rounds of a match, and the advance of the clock in each.
    rounds: i64,
    tick: i64,
    /// The number of rounds with a choice.
    busy: i64,
    /// The variables in scope, of players and of things.
    player: Option<&'static str>,
    thing: Option<&'static str>,
    has_derived: bool,
    has_chance: bool,
    is_huge: bool,
    /// The share of actions that the other roles perceive.
    share_of_messages: f64,
}

/// A value as written: the language has no negative literals.
fn literal(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut dice = Dice::new(seed);
        let numbers = ["(pot)", "(debt)", "(score ?)", "(size ?)"].map(|pattern| {
            let bound = Habit::Bounded(dice.pick(&BOUNDS));
            let habit = if dice.flip(if pattern == "(pot)" { 0.15 } else { 0.6 }) { bound } else { Habit::Grows };
            Number { pattern, habit, goes_up: dice.flip(0.75) }
        });
        let rounds = dice.pick(&[2, 3, 4, 5, 6, 8, 10]);
        let busy = rounds.min(dice.pick(&[1, 2, 3, 4]));
        Writer {
            numbers: numbers.into(),
            rounds,
            tick: dice.pick(&[1, 1, 1, 1, 7, 13]),
            busy,
            player: None,
            thing: None,
            has_derived: dice.flip(0.4),
            has_chance: dice.flip(0.5),
            is_huge: dice.flip(0.06),
            share_of_messages: dice.pick(&[0.0, 0.5, 0.9, 1.0]),
            features: BTreeSet::new(),
            dice,
        }
    }

    fn mark(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    fn game(&mut self) -> (String, String) {
        if self.rounds > 6 {
            self.mark("long matches");
        }
        let rules = if self.has_derived { self.rules() } else { String::new() };
        let mut actions = if self.has_chance { self.deal() } else { String::new() };
        let count = 2 + self.dice.up_to(1);
        for index in 0..count {
            actions += &self.action(index);
        }
        actions += &self.flow();
        let gains: String = (0..1 + self.dice.up_to(2)).map(|_| self.gain()).collect();
        let domain = format!(
            "(define (domain numbers) (:requirements :adl :derived-predicates :fluents :pogddl)
              (:types player - role thing other)
              (:constants chance - role p1 p2 - player b1 b2 - thing all others u - other)
              (:predicates (whoseturn ?r - role) (flag) (marked ?x - thing) (rich ?r - role) (heavy ?x - thing))
              (:functions (clock) (pot) (debt) (rate) (score ?r - role) (size ?x - thing))\n{rules}{actions}{gains})"
        );
        (domain, self.problem())
    }

    fn problem(&mut self) -> String {
        let first = if self.has_chance { "chance" } else { self.dice.pick(&PLAYERS) };
        let mut facts = vec![format!("(whoseturn {first})"), format!("(= (rate) {})", 1 + self.dice.up_to(3))];
        facts.extend(
            ["(flag)", "(marked b1)", "(marked b2)"].into_iter().filter(|_| self.dice.flip(0.3)).map(Into::into),
        );
        let instances = ["(pot)", "(debt)", "(score p1)", "(score p2)", "(size b1)", "(size b2)"];
        for instance in instances {
            if self.dice.flip(0.25) {
                continue;
            }
            let value = self.dice.pick(&[0, 1, 1, 2, 3, -1, -3]);
            let value = if self.dice.flip(0.1) { self.constant() } else { literal(value) };
            facts.push(format!("(= {instance} {value})"));
        }
        format!("(define (problem small) (:domain numbers) (:init {}))", facts.join(" "))
    }

    fn constant(&mut self) -> String {
        if self.is_huge && self.dice.flip(0.3) {
            self.mark("numbers beyond 64 bits");
            return literal(self.dice.pick(&HUGE));
        }
        let value = self.dice.pick(&CONSTANTS);
        if self.dice.flip(0.15) {
            self.mark("negative numbers");
            return literal(-value);
        }
        literal(value)
    }

    /// An instance of a number, with variables in scope or objects.
    fn instance(&mut self, pattern: &str) -> String {
        let (variable, objects) = match pattern.starts_with("(score") {
            true => (self.player, PLAYERS),
            false => (self.thing, THINGS),
        };
        let object = match variable {
            Some(variable) if self.dice.flip(0.7) => variable,
            _ => self.dice.pick(&objects),
        };
        pattern.replace('?', object)
    }

    /// A number to read; usually a bounded one, if `few`.
    fn read(&mut self, few: bool) -> String {
        if self.dice.flip(0.08) {
            return "(clock)".to_owned();
        }
        if self.dice.flip(0.08) {
            return "(rate)".to_owned();
        }
        let is_fit = |number: &&Number| !few || number.habit != Habit::Grows;
        let fit: Vec<&str> = self.numbers.iter().filter(is_fit).map(|number| number.pattern).collect();
        let all: Vec<&str> = self.numbers.iter().map(|number| number.pattern).collect();
        let pattern = if fit.is_empty() { self.dice.pick(&all) } else { self.dice.pick(&fit) };
        self.instance(pattern)
    }

    fn operation(&mut self) -> String {
        let few = self.dice.flip(0.7);
        match self.dice.up_to(9) {
            0..4 => {
                self.mark("products");
                format!("(* {} {})", self.read(few), self.read(few))
            }
            4 | 5 => format!("(+ {} {})", self.read(few), self.read(few)),
            6 => format!("(- {} {})", self.read(few), self.read(few)),
            7 => {
                self.mark("sums of products");
                format!("(+ (* {} {}) {})", self.dice.pick(&[7, 64, 100]), self.read(true), self.read(few))
            }
            _ => {
                self.mark("divisions");
                // Sometimes a divisor that may be zero.
                let by = if self.dice.flip(0.1) { self.read(true) } else { (2 + self.dice.up_to(5)).to_string() };
                format!("(/ {} {by})", self.read(few))
            }
        }
    }

    fn value(&mut self) -> String {
        match self.dice.up_to(5) {
            0 | 1 => self.constant(),
            2 => self.read(false),
            _ => self.operation(),
        }
    }

    fn comparison(&mut self) -> String {
        let order = self.dice.pick(&["<", "<=", "=", ">=", ">"]);
        let left = if self.dice.flip(0.2) { self.operation() } else { self.read(false) };
        if self.dice.flip(0.3) {
            self.mark("numbers compared with numbers");
            return format!("({order} {left} {})", self.read(false));
        }
        let threshold = self.dice.pick(&[0, 0, 1, 2, 3, 5, 9, 30, 100]);
        format!("({order} {left} {threshold})")
    }

    fn condition(&mut self) -> String {
        let thing = self.thing.filter(|_| self.dice.flip(0.7)).unwrap_or_else(|| self.dice.pick(&THINGS));
        let player = self.player.filter(|_| self.dice.flip(0.7)).unwrap_or_else(|| self.dice.pick(&PLAYERS));
        match self.dice.up_to(9) {
            0..5 => self.comparison(),
            5 => "(flag)".to_owned(),
            6 => format!("(not (marked {thing}))"),
            7 if self.has_derived => format!("(rich {player})"),
            8 if self.has_derived => format!("(heavy {thing})"),
            _ => format!("({} {} {})", self.dice.pick(&["and", "or"]), self.comparison(), self.comparison()),
        }
    }

    /// Derived predicates about the size of numbers.
    fn rules(&mut self) -> String {
        self.mark("derived from numbers");
        self.has_derived = false;
        self.player = Some("?d");
        let rich = format!("(:derived (rich ?d - role) {})\n", self.condition());
        self.player = None;
        self.thing = Some("?d");
        let heavy = format!("(:derived (heavy ?d - thing) (and (marked ?d) {}))\n", self.condition());
        self.thing = None;
        self.has_derived = true;
        rich + &heavy
    }

    /// Changes a number. A bounded one goes one step further if the bound allows it, once per action, so that the rules
    /// show the bound.
    fn change(&mut self, at: usize) -> String {
        let Number { pattern, habit, goes_up } = self.numbers[at];
        let target = self.instance(pattern);
        let Habit::Bounded(bound) = habit else { return self.growth(&target) };
        self.mark("guarded increments");
        let step = 1 + self.dice.up_to((bound as usize / 3).min(20));
        match (self.dice.flip(0.15), goes_up) {
            (true, true) => format!("(assign {target} {})", self.dice.up_to(bound as usize)),
            (_, true) => format!("(when (< {target} {bound}) (increase {target} {step}))"),
            (_, false) => format!("(when (> {target} {}) (decrease {target} {step}))", literal(-bound)),
        }
    }

    fn growth(&mut self, target: &str) -> String {
        self.mark("numbers that grow");
        match self.dice.up_to(13) {
            0..4 => format!("(assign {target} {})", self.operation()),
            4..8 => format!("(increase {target} {})", self.value()),
            8 => format!("(decrease {target} {})", self.value()),
            9 => format!("(scale-up {target} {})", 2 + self.dice.up_to(2)),
            10 => format!("(scale-down {target} {})", 2 + self.dice.up_to(2)),
            11 => format!("(forall (?y - thing) (increase {target} (* (size ?y) {})))", self.read(true)),
            12 => format!("(when {} (increase {target} {}))", self.condition(), self.value()),
            _ => {
                self.mark("many increments at once");
                let one = |power: u32| {
                    let condition = self.condition();
                    format!(" (when {condition} (increase {target} {}))", 1i64 << power)
                };
                let all: String = (0..9).map(one).collect();
                format!("(and{all})")
            }
        }
    }

    /// Changes numbers and facts, rarely one number twice.
    fn changes(&mut self) -> String {
        let mut changed = BTreeSet::new();
        let mut effects = String::new();
        for _ in 0..1 + self.dice.up_to(2) {
            let at = self.dice.up_to(self.numbers.len() - 1);
            if changed.insert(at) || self.dice.flip(0.1) {
                effects += &format!(" {}", self.change(at));
            }
        }
        if self.dice.flip(0.25) {
            let thing = self.thing.unwrap_or("b1");
            let fact =
                self.dice.pick(&["(flag)", "(not (flag))", "(marked ?)", "(not (marked ?))"]).replace('?', thing);
            effects += &match self.dice.flip(0.3) {
                true => format!(" (when {} {fact})", self.condition()),
                false => format!(" {fact}"),
            };
        }
        effects
    }

    /// The percepts of an action: the action itself, the size of a number, or none, to some of the roles.
    fn percepts(&mut self, name: &str, who: &str) -> String {
        let mut text = String::new();
        if who == ANYBODY {
            self.mark("moves of any player");
            let (of, to) = (self.dice.pick(&PLAYERS), self.dice.pick(&["all", "p1", "p2"]));
            return match self.dice.flip(0.7) {
                true => format!(" (when (whoseturn {of}) (observe ({to} (did{name} u))))"),
                false => format!(" (observe ({to} (did{name} u)))"),
            };
        }
        if self.dice.flip(self.share_of_messages) {
            self.mark("actions told");
            let to = self.dice.pick(&["all", "all", "all", "others", "p1", who]);
            let thing = if self.dice.flip(0.5) { self.thing.unwrap_or("u") } else { "u" };
            text += &match self.dice.flip(0.3) {
                true => format!(" (observe ({who} (did{name} {thing})) (others (did{name} u)))"),
                false => format!(" (observe ({to} (did{name} {thing})))"),
            };
        }
        if self.dice.flip(0.25) {
            self.mark("thresholds told");
            let to = self.dice.pick(&["all", "p1", "p2"]);
            text += &format!(" (when {} (observe ({to} (much))))", self.comparison());
        }
        text
    }

    fn turn(&mut self, who: &str) -> String {
        let other = if who == "p1" { "p2" } else { "p1" };
        match self.dice.up_to(11) {
            0 if who != ANYBODY => {
                self.mark("the turn depends on numbers");
                let condition = self.comparison();
                format!(
                    "(not (whoseturn {who})) (when {condition} (whoseturn p1)) (when (not {condition}) (whoseturn p2))"
                )
            }
            _ if who == ANYBODY => {
                let go = |from: &str, to: &str| {
                    format!("(when (whoseturn {from}) (and (not (whoseturn {from})) (whoseturn {to})))")
                };
                format!("{} {}", go("p1", "p2"), go("p2", "p1"))
            }
            1..4 if who != "chance" => String::new(),
            4 if self.has_chance => format!("(not (whoseturn {who})) (whoseturn chance)"),
            _ => format!("(not (whoseturn {who})) (whoseturn {other})"),
        }
    }

    /// The clock is an ordinary number; matches end in its last round.
    fn time(&self) -> (String, String) {
        (format!("(< (clock) {})", self.rounds * self.tick), format!("(increase (clock) {})", self.tick))
    }

    fn deal(&mut self) -> String {
        self.mark("chance deals");
        self.thing = Some("?x");
        let (time, tick) = self.time();
        let (changes, percepts, turn) = (self.changes(), self.percepts("-dealt", "chance"), self.turn("chance"));
        let set = self.dice.pick(&["(assign (debt) 0)", "(assign (debt) 1)", "(marked ?x)", "(flag)"]);
        self.thing = None;
        format!(
            "(:action deal :parameters (?x - thing) :precondition (and (whoseturn chance) {time})
              :effect (and {tick} {turn} (when (= ?x b1) {set}) {changes}{percepts}))\n"
        )
    }

    fn action(&mut self, index: usize) -> String {
        let who = self.dice.pick(&["p1", "p1", "p2", "p2", "?r", "?r", "?r", "?r", ANYBODY]);
        let mut typed = if who == "?r" { "?r - player".to_owned() } else { String::new() };
        self.player = (who == "?r").then_some("?r");
        if self.dice.flip(0.2) {
            typed += " ?x - thing";
            self.thing = Some("?x");
        }
        let (time, tick) = self.time();
        let mut conditions = if who == ANYBODY { time } else { format!("(whoseturn {who}) {time}") };
        if self.busy < self.rounds {
            conditions += &format!(" (< (clock) {})", self.busy * self.tick);
        }
        if self.dice.flip(0.25) {
            self.mark("thresholds in preconditions");
            conditions += &format!(" {}", self.condition());
        }
        let (turn, changes) = (self.turn(who), self.changes());
        let percepts = self.percepts(&index.to_string(), who);
        (self.player, self.thing) = (None, None);
        format!(
            "(:action act{index} :parameters ({typed}) :precondition (and {conditions})
              :effect (and {tick} {turn}{changes}{percepts}))\n"
        )
    }

    /// The course of the game in states without a choice.
    fn flow(&mut self) -> String {
        self.player = Some("?r");
        let (time, tick) = self.time();
        let from = if self.dice.flip(0.8) { self.busy * self.tick } else { 0 };
        let (changes, percepts) = (self.changes(), self.percepts("-flow", "?r"));
        let turn = if self.dice.flip(0.5) { self.turn("?r") } else { String::new() };
        self.player = None;
        format!(
            "(:action flow :parameters (?r - role) :precondition (and (whoseturn ?r) {time} (>= (clock) {from}))
              :effect (and {tick} {turn}{changes}{percepts}))\n"
        )
    }

    fn gain(&mut self) -> String {
        self.player = Some("?g");
        let value = match self.dice.up_to(9) {
            0 => "0".to_owned(),
            1 | 2 => (1 + self.dice.up_to(9)).to_string(),
            3..6 => self.operation(),
            _ => self.read(false),
        };
        if value.starts_with('(') {
            self.mark("gains are numbers");
        }
        let over = format!("(>= (clock) {})", self.rounds * self.tick);
        let condition = match self.dice.up_to(3) {
            0 => self.condition(),
            1 => format!("(and {over} {})", self.condition()),
            _ => over,
        };
        self.player = None;
        format!("(:gain ?g - {} {value} {condition})\n", self.dice.pick(&["role", "player"]))
    }
}
