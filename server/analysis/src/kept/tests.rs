//! After any edits of a large description, the findings are those of the same text without its history.
//!
//! `PERCEPT_CASES` sets the number of cases.

use std::cell::Cell;
use std::fmt::Write;

use percept_syntax::{Document, Language, Source, TextRange};

use crate::{Settings, check};

thread_local! {
    static PARTS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the checks of a part.
pub(super) fn count_part() {
    PARTS.with(|parts| parts.set(parts.get() + 1));
}

/// Small random numbers, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end.max(1)
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn often(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A description of `rooms` rooms of several kinds, some with faults; or all of one kind, without a fault.
fn description(dice: &mut Dice, rooms: usize, are_alike: bool) -> String {
    let mut text = String::from(
        "; Rooms with a hidden lamp in each.\n(role ann)\n(role bob)\n(role random)\n(place 1)\n(place 2)\n(place 3)\n\
         (place 4)\n(list red)\n(list green)\n(list blue)\n(succ 1 2)\n(succ 2 3)\n(succ 3 4)\n(succ 4 5)\n(legal bob wait)\n\
         (<= (sees bob (seen ?x)) won (role ?x))\n(<= (terminal) won)\n(<= (goal ann 100) won)\n(<= (goal ann 0) (not won))\n\
         (<= (goal bob 50) (role bob))\n",
    );
    let (with_base, with_faults) = (dice.often(50), dice.often(50) && !are_alike);
    let kinds = if are_alike { 1 } else { 1 + dice.below(3) };
    for n in 0..rooms {
        let kind = if n % 10 == 9 && !are_alike { dice.below(4) } else { n % kinds };
        let base = if with_base {
            format!("(base (lamp{n} off))\n(base (lamp{n} on))\n(<= (base (at{n} ann ?place)) (place ?place))\n")
        } else {
            String::new()
        };
        let _ = match kind {
            0 => write!(
                text,
                "; Room {n}\n(init (lamp{n} off))\n(init (at{n} ann 1))\n(step{n} 1 2)\n(step{n} 2 3)\n(step{n} 3 4)\n{base}\
                 (<= (legal ann (go{n} ?to))\n    (true (at{n} ann ?from))\n    (step{n} ?from ?to))\n(how{n} on)\n(how{n} off)\n\
                 (<= (legal random (switch{n} ?how))\n    (how{n} ?how)\n    (not (true (lamp{n} ?how))))\n\
                 (<= (next (lamp{n} ?how)) (does random (switch{n} ?how)))\n\
                 (<= (next (lamp{n} ?how))\n    (true (lamp{n} ?how))\n    (not (changed{n})))\n\
                 (<= (changed{n}) (does random (switch{n} ?_how)))\n(<= (next (at{n} ann ?to)) (does ann (go{n} ?to)))\n\
                 (<= (sees ann (light{n} ?how))\n    (true (lamp{n} ?how))\n    (true (at{n} ann ?place))\n    (distinct ?place 4))\n\
                 (<= won (true (at{n} ann 4)) (true (lamp{n} on)))\n"
            ),
            1 => write!(
                text,
                "(init (lamp{n} off)) (init (count{n} 1))\n{}(<= (next (count{n} ?b)) (true (count{n} ?a)) (succ ?a ?b))\n\
                 (<= (next (lamp{n} on)) (or (true (count{n} 3)) (true (lamp{n} on))))\n(<= (next (lamp{n} off)) (not (late{n})))\n\
                 (<= (late{n}) (true (count{n} ?x)) (later{n} ?x))\n(later{n} 3) (later{n} 4)\n\
                 (<= (sees bob (light{n} ?how)) (true (lamp{n} ?how)))\n(<= won (true (lamp{n} on)) (late{n}))\n",
                if with_base {
                    format!("(base (lamp{n} off)) (base (lamp{n} on)) (<= (base (count{n} ?a)) (succ ?a ?b))\n")
                } else {
                    String::new()
                }
            ),
            2 => write!(
                text,
                "(colour{n} a red) (colour{n} b green) (colour{n} c blue)\n(<= (legal ann (paint{n} ?c)) (colour{n} ?_a ?c) (not (true (dry{n}))))\n\
                 (init (dry{n}))\n(<= (next (dry{n})) (does ann (paint{n} ?_c)))\n(road{n} a b) (road{n} b c)\n(<= (reach{n} ?a ?b) (road{n} ?a ?b))\n\
                 (<= (reach{n} ?a ?c) (road{n} ?a ?b) (reach{n} ?b ?c))\n(<= (goal bob 0) (reach{n} a ?_b) won)\n"
            ),
            _ => write!(
                text,
                "(odd{n} x{n})\n(<= (even{n} ?x) (odd{n} ?x) (not (even{} ?x)))\n(<= won (even{n} ?x))\n",
                n.max(1) - 1
            ),
        };
        if with_faults && n % 17 == 3 {
            let _ = match dice.below(4) {
                0 => writeln!(text, "(<= (next (lamp{n} ?how)) (true (lmap{n} ?how)))"),
                1 => writeln!(text, "(<= won (true (lamp{n} ?how)) (true (lamp{n} ?how)))"),
                2 => writeln!(text, "; percept: allow(unused-relation)\n(unused{n} 1 2)"),
                _ => writeln!(text, "(<= (extra{n} ?x) (place ?x) (place ?y))"),
            };
        }
    }
    text
}

/// The word at or after a place.
fn word(text: &str, at: usize) -> std::ops::Range<usize> {
    let is_border = |c: char| c.is_whitespace() || "();".contains(c);
    let start = text[at..].find(|c: char| !is_border(c)).map_or(text.len(), |found| at + found);
    let end = text[start..].find(is_border).map_or(text.len(), |found| start + found);
    start..end
}

/// A statement at or after a place, if the brackets are right.
fn statement(text: &str, at: usize) -> std::ops::Range<usize> {
    let start = text[at..].find("\n(").map_or(0, |found| at + found + 1);
    let end = text[start..].find("\n(").map_or(text.len(), |found| start + found + 1);
    start..end
}

/// A random edit: the range it replaces, and the new text.
fn edit(dice: &mut Dice, text: &str, samples: &Samples) -> (std::ops::Range<usize>, String) {
    let at = if dice.often(15) { dice.below(400) } else { dice.below(text.len()) }.min(text.len());
    let other = dice.below(text.len());
    let place = word(text, at);
    match dice.below(17) {
        0 | 1 => (place.start..place.start, dice.one(&["x", "a", "1", "-", "?", "_"]).into()),
        2 => (place.end..place.end, dice.one(&["x", "s", "7", "-", "ed"]).into()),
        3 => (place.start..(place.start + 1).min(place.end), String::new()),
        4 | 5 => (place, text[word(text, other)].to_owned()),
        6 => (place, dice.one(samples.words).into()),
        7 => (statement(text, at), String::new()),
        8 => {
            let from = statement(text, at).start;
            (from..from, text[statement(text, other)].to_owned())
        }
        9 => {
            let first = statement(text, at);
            let last = statement(text, first.end.saturating_sub(1));
            (first.start + first.len() / 2..(last.start.max(first.end) + last.len() / 2).min(text.len()), String::new())
        }
        10 => (at..(at + 1).min(text.len()), String::new()),
        11 => (at..at, dice.one(&["(", ")", ";", "\n", " "]).into()),
        12 => {
            let line = text[..at].rfind('\n').map_or(0, |found| found + 1);
            (line..line, dice.one(samples.comments).into())
        }
        13 => {
            let from = statement(text, at).start;
            (from..from, dice.one(samples.statements).into())
        }
        14 => {
            // Two words, exchanged.
            let next = word(text, place.end);
            let exchanged = format!("{}{}{}", &text[next.clone()], &text[place.end..next.start], &text[place.clone()]);
            (place.start..next.end, exchanged)
        }
        15 => {
            // A name, everywhere.
            let (name, new) = (&text[place], dice.one(samples.names));
            let is_word = |c: char| c.is_alphanumeric() || c == '?';
            let mut renamed = String::new();
            for part in text.split_inclusive(|c: char| !is_word(c)) {
                let word = part.trim_end_matches(|c: char| !is_word(c));
                renamed += if word == name && !name.is_empty() { new } else { word };
                renamed += &part[word.len()..];
            }
            (0..text.len(), renamed)
        }
        _ => {
            // A name in its statement, everywhere.
            let whole = statement(text, at);
            let inside = word(text, whole.start);
            let name = &text[word(text, inside.end)];
            let renamed = text[whole.clone()].replace(name, dice.one(&["other", "lamp3", "?z"]));
            (whole, if name.is_empty() { String::new() } else { renamed })
        }
    }
}

/// Material for edits in a language.
struct Samples {
    words: &'static [&'static str],
    /// New names for all uses of a name.
    names: &'static [&'static str],
    statements: &'static [&'static str],
    comments: &'static [&'static str],
}

const GDL: Samples = Samples {
    words: &["ann", "on", "place", "won", "true", "next", "?how", "?x", "4", "9", "red", "role", "lamp"],
    names: &["other", "won", "plaec", "lamp4"],
    statements: &[
        "(<= (next ?f) (true ?f) won)\n",
        "(place 5)\n",
        "(<= (loop ?x) (place ?x) (not (loop ?x)))\n",
        "(<= (more ?x ?z) (more ?x ?y) (more ?y ?w))\n",
        "(legal ann (go1 7))\n",
        "(<= (goal ann ?x) (succ ?x 2))\n",
    ],
    comments: &["; ", "; percept: allow(unread-fluent)\n"],
};

const POGDDL: Samples = Samples {
    words: &[
        "whoseturn",
        "door",
        "hall",
        "u",
        "not",
        "and",
        "?r",
        "?p",
        "room",
        "role",
        "lamp",
        "at3",
        "observe",
        "lit7",
        "chance",
        ":effect",
        "-",
    ],
    names: &["other", "door", "rooom", "lamp4", "at9", "whoseturn"],
    statements: &[
        "(:action wait :parameters (?p - role) :precondition (whoseturn ?p) :effect (not (whoseturn ?p)))\n",
        "(:action idle :parameters (?p ?q - role) :precondition (whoseturn ?p))\n",
        "(:predicates (extra ?r - room))\n",
        "(lamp3 ?r - room)\n",
        "(extra ?r - room ?p)\n",
        "(:types cellar - room)\n",
        "(:derived (lit ?r - room) (lamp4 ?r))\n",
        "(:action odd :parameters (?r - room) :precondition (or (lamp3 ?r) (door ?r ?r)) :effect (probabilistic 0.5 (lamp4 ?r)))\n",
        "(:durative-action long :parameters () :duration (= ?duration 1) :condition () :effect ())\n",
    ],
    comments: &["; ", "; percept: allow(unused-predicate)\n"],
};

/// A domain of `rooms` rooms of several kinds, some with faults.
fn domain(dice: &mut Dice, rooms: usize) -> String {
    let (with_faults, is_game, kinds) = (dice.often(50), dice.often(75), 1 + dice.below(3));
    let (mut predicates, mut actions) = (String::new(), String::new());
    for n in 0..rooms {
        let kind = if n % 10 == 9 { dice.below(4) } else { n % kinds };
        let observe = |what: &str| if is_game { format!(" (observe {what})") } else { String::new() };
        predicates += &format!("(lamp{n} ?r - room)\n(at{n} ?p - role ?r - room)\n");
        let _ = match kind {
            0 => write!(
                actions,
                "; Room {n}\n(:action switch{n}\n  :parameters (?p - role ?r - room)\n  \
                 :precondition (and (whoseturn ?p) (at{n} ?p ?r) (not (lamp{n} ?r)))\n  \
                 :effect (and (not (whoseturn ?p)) (lamp{n} ?r){}))\n\
                 (:action go{n} :parameters (?p - role ?from ?to - room)\n  \
                 :precondition (and (whoseturn ?p) (at{n} ?p ?from) (door ?from ?to) (lamp{n} ?from))\n  \
                 :effect (and (not (at{n} ?p ?from)) (at{n} ?p ?to) (when (lamp{n} ?to) (shut ?from)){}))\n",
                observe(&format!("(?p (lit{n} ?r))")),
                observe(&format!("(all (went{n} ?p ?from ?to))")),
            ),
            1 => write!(
                actions,
                "(:action light{n} :parameters (?p - role)\n  :precondition (and (whoseturn ?p) (at{n} ?p hall))\n  \
                 :effect (and (forall (?r - room) (when (door hall ?r) (lamp{n} ?r))){}))\n\
                 (:action look{n} :parameters (?p - role ?r - room)\n  \
                 :precondition (and (whoseturn ?p) (or (lamp{n} ?r) (not (shut ?r))))\n  :effect (and (at{n} ?p ?r){}))\n",
                observe("(all (light))"),
                observe(&format!("(?p (look{n} ?p ?r)) (others (look{n} ?p u))")),
            ),
            2 => write!(
                actions,
                "(:action move{n} :parameters (?p - role ?a ?b - room)\n  \
                 :precondition (and (whoseturn ?p) (at{n} ?p ?a) (lamp{n} ?b) (not (= ?a ?b)))\n  \
                 :effect (and (at{n} ?p ?b) (not (at{n} ?p ?a)) (increase (steps) 1){}))\n\
                 (:action off{n} :parameters (?p - role ?r - room)\n  :precondition (and (whoseturn ?p) (lamp{n} ?r) (< (steps) 9))\n  \
                 :effect (and (not (lamp{n} ?r)) (shut ?r){}))\n",
                observe("(?p (walk ?p ?a ?b))"),
                observe(&format!("(?p (off{n} ?p ?r))")),
            ),
            _ => write!(
                actions,
                "(:action rare{n} :parameters (?p - role ?r - room)\n  :precondition (and (whoseturn ?p) (at{n} ?p ?r))\n  \
                 :effect (and (lamp{} ?r) (lamp{n} ?r) (not (at{n} ?p ?r)){}))\n",
                n.max(1) - 1,
                observe("(?p (strange ?p ?r))"),
            ),
        };
        if with_faults && n % 17 == 3 {
            match dice.below(4) {
                0 => actions += &format!("(:action bad{n} :parameters (?p - role ?r - room) :effect (lmap{n} ?r))\n"),
                1 => predicates += &format!("(unused{n})\n"),
                2 => predicates += &format!("; percept: allow(unused-predicate)\n(silent{n} ?x - room)\n"),
                _ => actions += &format!("(:action more{n} :parameters (?r - rom) :effect (lamp{n} ?r ?r))\n"),
            }
        }
    }
    let game = if is_game { " :pogddl" } else { "" };
    format!(
        "; Rooms with a hidden lamp in each.\n(define (domain rooms)\n(:requirements :strips :typing :conditional-effects \
         :negative-preconditions :disjunctive-preconditions :equality :fluents{game})\n(:types role room other - object)\n(:constants hall - room chance - role all others u - other)\n\
         (:predicates\n(door ?a - room ?b - room)\n(whoseturn ?r - role)\n(shut ?r - room)\n{predicates})\n\
         (:functions (steps))\n{actions})\n"
    )
}

fn compare(document: &mut Document, text: &str, trail: &str) {
    let settings = Settings::default();
    let source = document.snapshot();
    assert_eq!(&*source.text, text);
    let kept = check(&source, &settings);
    let fresh = check(&Source::parse(text, document.language()), &settings);
    let lines = |all: &[crate::Diagnostic]| all.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>();
    let (kept, fresh) = (lines(&kept), lines(&fresh));
    if kept != fresh {
        let only = |these: &[String], those: &[String]| {
            let mut lines: Vec<String> = these.iter().filter(|it| !those.contains(it)).take(3).cloned().collect();
            lines.iter_mut().for_each(|line| line.truncate(line.floor_char_boundary(600)));
            lines
        };
        panic!("only kept: {:#?}\nonly fresh: {:#?}\nafter {trail}", only(&kept, &fresh), only(&fresh, &kept));
    }
}

fn cases() -> u64 {
    std::env::var("PERCEPT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(16)
}

#[test]
fn findings_after_edits_are_those_of_the_text() {
    edits_are_followed(Language::GdlPrefix, &GDL, 4, |dice| {
        let rooms = 120 + dice.below(80);
        description(dice, rooms, false)
    });
}

#[test]
fn findings_after_edits_of_a_domain_are_those_of_the_text() {
    edits_are_followed(Language::Pogddl, &POGDDL, 5, |dice| {
        let rooms = 160 + dice.below(60);
        domain(dice, rooms)
    });
}

/// One of `share` checks at least looks at a part.
fn edits_are_followed(language: Language, samples: &Samples, share: usize, make: impl Fn(&mut Dice) -> String) {
    let mut checks = 0;
    let before = PARTS.with(Cell::get);
    let first = std::env::var("PERCEPT_FIRST").ok().and_then(|first| first.parse().ok()).unwrap_or(1);
    for seed in first..first + cases() {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed) | 1);
        let mut text = make(&mut dice);
        let mut document = Document::new(&text, language);
        let mut trail = format!("seed {seed}");
        compare(&mut document, &text, &trail);
        let mut undo: Option<(TextRange, String)> = None;
        for _ in 0..12 {
            // An author takes many edits back.
            let (range, new) = match undo.take().filter(|_| dice.often(75)) {
                Some((range, old)) => (range.as_usize(), old),
                None => {
                    let (range, new) = edit(&mut dice, &text, samples);
                    let old = text[range.clone()].to_owned();
                    undo = Some((TextRange::new(range.start as u32, (range.start + new.len()) as u32), old));
                    (range, new)
                }
            };
            let _ = write!(trail, "\n{range:?} {:?} -> {new:?}", &text[range.clone()]);
            document.edit(TextRange::new(range.start as u32, range.end as u32), &new);
            text.replace_range(range, &new);
            compare(&mut document, &text, &trail);
            checks += 1;
        }
    }
    let parts = PARTS.with(Cell::get) - before;
    assert!(parts > checks / share, "only {parts} of {checks} checks looked at a part");
}

/// The domains of this description cannot be analysed, and those of a part of it could.
#[test]
fn a_part_is_not_known_better_than_the_whole() {
    let mut text = description(&mut Dice(5), 3_600, true);
    let at = text.find("\n(<= (next (lamp1800").expect("a room in the middle") + "\n(<= (next (".len();
    let mut document = Document::new(&text, Language::GdlPrefix);
    let before = PARTS.with(Cell::get);
    compare(&mut document, &text, "nothing");
    document.edit(TextRange::at(at as u32), "x");
    text.insert(at, 'x');
    compare(&mut document, &text, "a letter");
    assert_eq!(PARTS.with(Cell::get), before + 2, "of the first check, to try it, and of the second");
}

/// A relation behind the place at which the analysis of domains ends is known.
#[test]
fn what_comes_late_in_a_large_description_is_there() {
    let facts: String = (0..1_600).map(|n| format!("(fact{n}{})\n", " a".repeat(40))).collect();
    let text = format!("(role ann)\n(role random)\n{facts}(<= (sees ann all) (role ann))\n");
    let found = check(&Source::parse(text, Language::GdlPrefix), &Settings::default());
    assert!(found.iter().all(|finding| finding.rule.name != "role-sees-nothing"));
}
