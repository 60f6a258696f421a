//! Rule sets with a plot, for situations that random rules rarely reach: players that are symmetric, cards that are
//! dealt and counted, cells whose number is counted, hundreds of moves, and a lock that random matches never open.
//!
//! All parts are symmetric at first. Then usually one rule is broken in one place: for one player, for one thing, or
//! only if the lock is open. So the properties of almost all states, players and things do not hold for all of them.

use std::collections::BTreeSet;

use crate::dice::Dice;
use crate::sexp::Sexp;

/// The rule set of a seed, with its features.
pub fn write(seed: u64) -> (Vec<Sexp>, BTreeSet<&'static str>) {
    let mut writer = Writer::new(seed);
    writer.game();
    (writer.rules.iter().map(|rule| Sexp::one(rule)).collect(), writer.features)
}

/// The feature of players that are symmetric in the rules, but not in the initial state.
const BLIND: &str = "players that differ at first";

/// The number of the lock's keys, and the least length of the sequence that opens it.
const KEYS: usize = 5;
const FEWEST_TURNS: usize = 4;

struct Writer {
    dice: Dice,
    features: BTreeSet<&'static str>,
    rules: Vec<String>,
    players: Vec<&'static str>,
    has_chance: bool,
    has_lock: bool,
    has_clock: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut dice = Dice::new(seed);
        let has_lock = dice.flip(0.5);
        let players = match (has_lock, dice.up_to(9)) {
            (true, 0..5) => vec!["a"],
            (false, 0..4) => vec!["a", "b", "c"],
            _ => vec!["a", "b"],
        };
        let (has_chance, has_clock) = (dice.flip(0.7), dice.flip(0.6));
        Writer { dice, features: BTreeSet::new(), rules: Vec::new(), players, has_chance, has_lock, has_clock }
    }

    fn mark(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    fn add(&mut self, rule: impl Into<String>) {
        self.rules.push(rule.into());
    }

    /// Adds several rules, one per line.
    fn all(&mut self, text: &str) {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| self.rules.push(line.to_owned()));
    }

    /// Adds a rule with this probability.
    fn perhaps(&mut self, share: f64, rule: &str) {
        if self.dice.flip(share) {
            self.add(rule);
        }
    }

    fn game(&mut self) {
        let plot = self.dice.up_to(22);
        // A second player has to exist for the plots about numbers it cannot see; cards need a dealer; hundreds of
        // moves with five keys each are too many to play out.
        self.has_chance |= (9..13).contains(&plot) || plot > 19;
        self.has_lock &= !(18..20).contains(&plot);
        if (13..18).contains(&plot) && self.players.len() == 1 {
            self.players.push("b");
        }
        for player in self.players.clone() {
            self.all(&format!("(role {player})\n(player {player})"));
        }
        if self.has_lock {
            self.lock();
        }
        if self.has_chance {
            self.add("(role random)");
        }
        let from = self.rules.len();
        match plot {
            0..9 => self.mirror(),
            9..13 => self.deck(),
            13..18 => self.cells(),
            18..20 => self.board(),
            _ => self.finds(),
        }
        self.percepts_of_the_lock();
        if self.dice.flip(0.75) {
            self.break_one(from);
        }
        self.end();
    }

    /// Adds a lock and a role that turns its keys. After the correct sequence a fact holds that no random match
    /// reaches.
    fn lock(&mut self) {
        self.mark("locks");
        let turns = FEWEST_TURNS + self.dice.up_to(1);
        self.add("(role keeper)");
        for key in 1..=KEYS {
            self.add(format!("(legal keeper (turn {key}))"));
        }
        self.add("(init (at 0))");
        for at in 0..turns {
            let key = 1 + self.dice.up_to(KEYS - 1);
            self.add(format!("(<= (next (at {})) (true (at {at})) (does keeper (turn {key})))", at + 1));
        }
        self.add(format!("(<= open (true (at {turns})))"));
        self.add("(<= (next opened) open)");
        if self.dice.flip(0.7) {
            self.all("(<= (next opened) (true opened))\n(<= open (true opened))");
        }
    }

    fn percepts_of_the_lock(&mut self) {
        if self.has_lock {
            self.perhaps(0.3, "(<= (sees ?p click) (player ?p) open)");
            self.perhaps(0.3, "(<= (sees ?p (turned ?k)) (player ?p) (does keeper (turn ?k)))");
        }
    }

    /// Adds a condition to one rule, chosen among those that can be broken.
    fn break_one(&mut self, from: usize) {
        let is_whole = |rule: &str| rule.starts_with("(<= ") && !rule.starts_with("(<= (legal ?p pass)");
        let places: Vec<usize> = (from..self.rules.len()).filter(|&at| is_whole(&self.rules[at])).collect();
        // A percept of only one player has the largest effect.
        let places_of_percepts: Vec<usize> =
            places.iter().copied().filter(|&at| self.rules[at].starts_with("(<= (sees ?p")).collect();
        let at = if !places_of_percepts.is_empty() && self.dice.flip(0.4) {
            self.dice.pick(&places_of_percepts)
        } else {
            self.dice.pick(&places)
        };
        let rule = self.rules[at].clone();
        let mut ways = Vec::new();
        if rule.contains("(player ?p)") {
            let player = self.dice.pick(&self.players);
            ways.push(("players that differ", format!("(distinct ?p {player})")));
            ways.push((BLIND, "(not (true (blind ?p)))".to_owned()));
        }
        if rule.contains("(thing ?x)") {
            ways.push(("things that differ", "(distinct ?x t1)".to_owned()));
        }
        // Conditions that hold as long as the lock is closed, and one that holds only if it is open.
        if self.has_lock {
            let ajar = ["(not open)", "(not open)", "(not (true opened))", "open"];
            ways.extend(ajar.map(|condition| ("something behind the lock", condition.to_owned())));
        }
        if ways.is_empty() {
            return;
        }
        let (feature, condition) = self.dice.pick(&ways);
        self.mark(feature);
        if feature == BLIND {
            // A player that passes is blind for a round; one of them is also blind at the start.
            let player = self.dice.pick(&self.players);
            self.add(format!("(init (blind {player}))"));
            self.add("(<= (next (blind ?p)) (player ?p) (does ?p pass))");
        }
        let body = rule.strip_suffix(')').unwrap_or(&rule).to_owned();
        self.rules[at] = format!("{body} {condition})");
    }

    fn end(&mut self) {
        if self.has_clock {
            let last = if self.has_lock { 6 + self.dice.up_to(2) } else { 2 + self.dice.up_to(3) };
            self.add("(init (step 0))");
            for step in 0..last {
                self.add(format!("(<= (next (step {})) (true (step {step})))", step + 1));
            }
            self.add(format!("(<= terminal (true (step {last})))"));
        } else {
            self.mark("endless games");
            self.add("(<= terminal (true never))");
        }
        self.add("(<= (goal ?p 0) (player ?p))");
    }

    /// Players take things; chance, or no role, decides which of them count.
    fn mirror(&mut self) {
        self.mark("players alike");
        let count = if self.has_lock { 2 } else { 2 + self.dice.up_to(1) };
        for thing in ["t1", "t2", "t3"].into_iter().take(count) {
            self.add(format!("(thing {thing})"));
        }
        self.add("(<= (legal ?p pass) (player ?p))");
        self.add("(<= (taken ?x) (thing ?x) (true (has ?p ?x)))");
        let hidden = ["(not (true (good ?x)))", "(true (good ?x))", "(not (taken ?x))"];
        let certain = ["(not (true (has ?p ?x)))", "(not (taken ?x))", "(not (true odd))"];
        let condition =
            if self.has_chance && self.dice.flip(0.7) { self.dice.pick(&hidden) } else { self.dice.pick(&certain) };
        self.add(format!("(<= (legal ?p (take ?x)) (player ?p) (thing ?x) {condition})"));
        self.all(
            "(<= (next (has ?p ?x)) (player ?p) (thing ?x) (does ?p (take ?x)))
            (<= (next (has ?p ?x)) (player ?p) (thing ?x) (true (has ?p ?x)))",
        );
        if self.has_chance {
            self.add("(<= (legal random (choose ?x)) (thing ?x))");
            self.perhaps(0.5, "(legal random nothing)");
            self.add("(<= (next (good ?x)) (thing ?x) (does random (choose ?x)))");
            self.perhaps(0.6, "(<= (next (good ?x)) (thing ?x) (true (good ?x)))");
            self.perhaps(0.4, "(<= (sees ?p (good ?x)) (player ?p) (thing ?x) (does random (choose ?x)))");
        }
        self.perhaps(0.3, "(<= (sees ?p (was ?x)) (player ?p) (thing ?x) (true (good ?x)))");
        self.add("(<= (next odd) (player ?p) (does ?p (take ?x)) (not (true odd)))");
        self.perhaps(0.7, "(<= (sees ?p (took ?q ?x)) (player ?p) (thing ?x) (does ?q (take ?x)))");
        self.perhaps(0.4, "(<= (sees ?p somebody) (player ?p) (does ?q (take ?x)))");
        self.perhaps(0.3, "(<= (sees ?p mine) (player ?p) (thing ?x) (true (has ?p ?x)) (true (good ?x)))");
        self.perhaps(0.3, "(<= terminal (thing ?x) (true (has ?p ?x)) (true (has ?q ?x)) (distinct ?p ?q))");
        self.perhaps(0.3, "(<= terminal (player ?p) (true (has ?p t1)) (true (good t1)))");
        self.perhaps(0.5, "(<= (goal ?p 100) (player ?p) (thing ?x) (true (has ?p ?x)) (true (good ?x)))");
        self.perhaps(0.5, "(<= (goal ?p 50) (player ?p) (true odd))");
        self.perhaps(0.3, "(<= (sees ?p strange) (player ?p) (true odd))");
        if self.dice.flip(0.2) {
            let first = self.dice.pick(&["(init (good t2))", "(init (has a t2))"]);
            self.add(first);
        }
    }

    /// Chance hides the good things; a player that takes a thing learns if it is good, and so knows only about its own
    /// things.
    fn finds(&mut self) {
        self.mark("things known while held");
        self.all(
            "(thing t1)
            (thing t2)
            (<= (next begun) (thing t1))
            (<= (legal random (choose ?x)) (thing ?x) (not (true begun)))
            (<= (legal random nothing) (true begun))
            (<= (next (good ?x)) (thing ?x) (does random (choose ?x)))
            (<= (legal ?p pass) (player ?p))
            (<= (legal ?p (take ?x)) (player ?p) (thing ?x) (true begun) (not (true (has ?p ?x))))
            (<= (next (has ?p ?x)) (player ?p) (thing ?x) (does ?p (take ?x)))
            (<= (next (has ?p ?x)) (player ?p) (thing ?x) (true (has ?p ?x)))
            (<= (sees ?p (fine ?x)) (player ?p) (thing ?x) (does ?p (take ?x)) (true (good ?x)))",
        );
        let own = "(player ?p) (thing ?x) (true (has ?p ?x)) (true (good ?x))";
        if self.dice.flip(0.7) {
            self.add(format!("(<= (legal ?p (use ?x)) {own})"));
        }
        self.perhaps(0.5, &format!("(<= (goal ?p 100) {own})"));
        self.perhaps(0.3, &format!("(<= terminal {own})"));
        let kept = if self.has_lock && self.dice.flip(0.5) { "(not open)" } else { "" };
        self.add(format!("(<= (next (good ?x)) (thing ?x) (true (good ?x)) {kept})"));
        if self.has_lock && self.dice.flip(0.3) {
            self.all("(<= (legal random (choose ?x)) (thing ?x) open)\n(<= (legal random nothing) open)");
        }
    }

    /// Chance deals cards until none is left; a player that counts knows how many are.
    fn deck(&mut self) {
        self.mark("cards counted");
        let count = if self.has_lock { 2 + self.dice.up_to(1) } else { 3 + self.dice.up_to(1) };
        for card in ["t1", "t2", "t3", "t4"].into_iter().take(count) {
            self.all(&format!("(thing {card})\n(init (deck {card}))"));
        }
        self.all(
            "(<= some (true (deck ?x)))
            (<= two (true (deck ?x)) (true (deck ?y)) (distinct ?x ?y))
            (<= (legal random (deal ?x)) (thing ?x) (true (deck ?x)))
            (<= (legal random none) (not some))
            (<= (gone ?x) (does random (deal ?x)))
            (<= (next (deck ?x)) (thing ?x) (true (deck ?x)) (not (gone ?x)))
            (<= (legal ?p pass) (player ?p))",
        );
        if self.has_lock {
            self.perhaps(0.4, "(<= (legal random none) open)");
            if self.dice.flip(0.4) {
                self.all(
                    "(<= (legal random (back ?x)) (thing ?x) (not (true (deck ?x))) open)
                    (<= (next (deck ?x)) (thing ?x) (does random (back ?x)))",
                );
            }
        } else {
            self.perhaps(0.3, "(legal random none)");
        }
        if self.dice.flip(0.4) {
            let when = if self.has_lock { "open" } else { "two" };
            self.add(format!("(<= (legal a grab) (true (deck t1)) {when})"));
            self.add("(<= (gone t1) (does a grab))");
        }
        let left = self.dice.pick(&["some", "two", "(not some)", "(not two)", "(true (deck t1))"]);
        self.add(format!("(<= (legal ?p look) (player ?p) {left})"));
        self.perhaps(0.8, "(<= (sees ?p dealt) (player ?p) (does random (deal ?x)))");
        self.perhaps(0.3, "(<= (sees ?p (dealt ?x)) (player ?p) (does ?p look) (does random (deal ?x)))");
        self.perhaps(0.4, "(<= (next (held ?x)) (thing ?x) (does random (deal ?x)))");
        self.perhaps(0.4, "(<= (next (held ?x)) (thing ?x) (true (held ?x)))");
        self.perhaps(0.4, "(<= (goal ?p 100) (player ?p) some)");
        self.perhaps(0.3, "(<= (goal ?p 70) (player ?p) (true (held ?x)))");
        self.perhaps(0.4, "(<= terminal (not some))");
    }

    /// Cells are removed one by one; a number counts those that are left. If the lock is open it decreases by itself,
    /// or a removed cell appears again: a player that sees only the number no longer knows if any cell is left.
    fn cells(&mut self) {
        self.mark("a number left");
        let cells = if self.has_lock { &["1 1", "1 2"][..] } else { &["1 1", "1 2", "2 1"] };
        for cell in cells {
            self.all(&format!("(place {cell})\n(init (cell {cell}))"));
        }
        let up = self.dice.flip(0.4);
        for from in 0..cells.len() {
            let (more, less) = (from + 1, from);
            self.add(if up { format!("(after {less} {more})") } else { format!("(after {more} {less})") });
        }
        self.add(format!("(init (left {}))", if up { 0 } else { cells.len() }));
        let done = if up { cells.len() } else { 0 };
        self.all(
            "(<= some (true (cell ?x ?y)))
            (<= (legal a (strike ?x ?y)) (place ?x ?y) (true (cell ?x ?y)))
            (legal a pass)
            (<= down (does a (strike ?x ?y)))
            (<= (next (cell ?x ?y)) (place ?x ?y) (true (cell ?x ?y)) (not (does a (strike ?x ?y))))
            (<= (next (left ?m)) (true (left ?n)) down (after ?n ?m))
            (<= (next (left ?n)) (true (left ?n)) (not down))
            (<= (next (last ?x ?y)) (does a (strike ?x ?y)))
            (<= (next (last ?x ?y)) (true (last ?x ?y)) (not down))",
        );
        if self.players.len() > 1 {
            self.all("(<= (legal ?p pass) (player ?p) (distinct ?p a))");
            let test = self.dice.pick(&["some".into(), "(not some)".into(), format!("(true (left {done}))")]);
            self.add(format!("(<= (legal ?p call) (player ?p) (distinct ?p a) {test})"));
        }
        self.perhaps(0.9, "(<= (sees ?p boom) (player ?p) down)");
        match self.dice.up_to(3) {
            _ if !self.has_lock => {}
            0 => self.add("(<= (next (cell ?x ?y)) (place ?x ?y) (does keeper (turn 1)) open)"),
            1 => self.all("(place 2 2)\n(<= (next (cell 2 2)) open)"),
            2 => self.add("(<= down (true opened))"),
            _ => {}
        }
        if self.has_chance && self.dice.flip(0.5) {
            self.all("(legal random wait)\n(legal random (mend 1 1))");
            self.perhaps(0.6, "(<= (next (cell 1 1)) (true (left 1)) (does random (mend 1 1)))");
        } else if self.has_chance {
            self.add("(legal random wait)");
        }
        let over = self.dice.pick(&["(not some)".into(), format!("(true (left {done}))"), "never".into()]);
        if over != "never" {
            self.add(format!("(<= terminal {over})"));
        }
        self.perhaps(0.5, "(<= (goal ?p 100) (player ?p) some)");
        self.perhaps(0.5, &format!("(<= (goal ?p 60) (player ?p) (true (left {done})))"));
        self.perhaps(0.4, "(<= (goal ?p 30) (player ?p) (true (last 1 1)))");
    }

    /// More moves than the provers distinguish one by one.
    fn board(&mut self) {
        self.mark("hundreds of moves");
        for number in 1..=11 {
            self.add(format!("(number {number})"));
        }
        let low = 1 + self.dice.up_to(9);
        self.all(&format!(
            "(special {low})
            (special 11)
            (<= (legal a (put ?x ?y)) (number ?x) (number ?y))
            (<= (next hit) (does a (put ?x ?y)) (special ?x) (special ?y))
            (<= (next hit) (true hit))"
        ));
        if self.has_chance {
            self.add("(legal random wait)");
        }
        for player in self.players.clone().into_iter().skip(1) {
            self.add(format!("(legal {player} pass)"));
            self.perhaps(0.7, &format!("(<= (legal {player} call) (true hit))"));
        }
        self.perhaps(0.4, "(<= (sees ?p hit) (player ?p) (does a (put ?x ?y)) (special ?x) (special ?y))");
        self.perhaps(0.5, "(<= (sees ?p (row ?x)) (player ?p) (does a (put ?x ?y)))");
        self.perhaps(0.5, "(<= (sees ?p (column ?y)) (player ?p) (does a (put ?x ?y)) (special ?y))");
        self.perhaps(0.5, "(<= terminal (true hit))");
        self.perhaps(0.5, "(<= (goal ?p 100) (player ?p) (true hit))");
    }
}
