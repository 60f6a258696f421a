//! Conditions of random rules, and auxiliary relations.

use rand::Rng;
use rand::seq::SliceRandom;

use super::{Bound, Kind, Level, Relation, Writer};

impl Writer {
    /// A thing or a role: a bound variable, or a name.
    pub(super) fn term(&mut self, kind: Kind, bound: &Bound) -> String {
        let names: Vec<String> = bound.iter().filter(|(_, it)| *it == kind).map(|(name, _)| name.clone()).collect();
        if !names.is_empty() && self.flip(0.75) {
            return self.pick(&names);
        }
        match kind {
            Kind::Thing => self.pick(&self.things.clone()),
            Kind::Role => self.pick(&self.roles.clone()),
        }
    }

    /// A pattern with each `?` replaced by a term.
    pub(super) fn filled(&mut self, pattern: &str, bound: &Bound) -> String {
        self.each_hole(pattern, |writer| writer.term(Kind::Thing, bound))
    }

    /// A pattern with each `?` replaced by a new variable, with these variables.
    pub(super) fn opened(&mut self, pattern: &str) -> (String, Bound) {
        let mut bound = Bound::new();
        let text = self.each_hole(pattern, |writer| {
            let variable = writer.fresh();
            bound.push((variable.clone(), Kind::Thing));
            variable
        });
        (text, bound)
    }

    fn each_hole(&mut self, pattern: &str, mut term: impl FnMut(&mut Self) -> String) -> String {
        let mut parts = pattern.split('?');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text += &term(self);
            text += part;
        }
        text
    }

    pub(super) fn call(&mut self, name: &str, args: &[Kind], bound: &Bound) -> String {
        let args: String = args.iter().map(|&kind| format!(" {}", self.term(kind, bound))).collect();
        if args.is_empty() { name.to_owned() } else { format!("({name}{args})") }
    }

    /// An atom that binds nothing new.
    pub(super) fn atom(&mut self, level: Level, bound: &Bound) -> String {
        loop {
            match self.rng.random_range(0..20) {
                0..9 if level >= Level::State => {
                    let fluent = self.pick(&self.fluents.clone());
                    let fluent = self.filled(&fluent, bound);
                    return format!("(true {fluent})");
                }
                9..16 if level >= Level::Moves => {
                    let role = self.rng.random_range(0..self.roles.len());
                    let mv = self.pick(&self.moves[role].clone());
                    let mv = self.filled(&mv, bound);
                    return format!("(does {} {mv})", self.roles[role]);
                }
                16..20 => {
                    let may: Vec<usize> =
                        (0..self.relations.len()).filter(|&at| self.relations[at].level <= level).collect();
                    let at = self.pick(&may);
                    let (name, args) = (self.relations[at].name.clone(), self.relations[at].args.clone());
                    return self.call(&name, &args, bound);
                }
                _ => {}
            }
        }
    }

    /// An atom that binds a new variable of this kind.
    fn binder(&mut self, level: Level, kind: Kind, variable: &str, bound: &Bound) -> String {
        if kind == Kind::Role {
            return format!("(role {variable})");
        }
        let open: Vec<String> = self.fluents.iter().filter(|fluent| fluent.contains('?')).cloned().collect();
        match self.rng.random_range(0..4) {
            0 | 1 if level >= Level::State && !open.is_empty() => {
                let fluent = self.pick(&open);
                let own = self.up_to(fluent.matches('?').count() - 1);
                let mut hole = 0..;
                let fluent = self.each_hole(&fluent, |writer| match hole.next() == Some(own) {
                    true => variable.to_owned(),
                    false => writer.term(Kind::Thing, bound),
                });
                format!("(true {fluent})")
            }
            2 => {
                let other = self.term(Kind::Thing, bound);
                self.pair(level, variable, &other)
            }
            _ => format!("(dom {variable})"),
        }
    }

    /// An atom with two things, in any order, and perhaps with one of them twice: it binds those that are variables.
    pub(super) fn pair(&mut self, level: Level, one: &str, other: &str) -> String {
        let is_pair = |text: &&String| text.matches('?').count() >= 2;
        let mut patterns = vec!["(edge ? ?)".to_owned()];
        if self.is_wide {
            let two = [Kind::Thing, Kind::Thing];
            let relations = self.relations.iter().filter(|it| it.level <= level && it.args == two);
            patterns.extend(relations.map(|it| format!("({} ? ?)", it.name)));
            if level >= Level::State {
                patterns.extend(self.fluents.iter().filter(is_pair).map(|fluent| format!("(true {fluent})")));
            }
            if level >= Level::Moves {
                for (role, moves) in self.roles.iter().zip(&self.moves) {
                    patterns.extend(moves.iter().filter(is_pair).map(|mv| format!("(does {role} {mv})")));
                }
            }
        }
        let pattern = self.pick(&patterns);
        let mut terms = vec![one, other];
        while terms.len() < pattern.matches('?').count() {
            terms.push(if self.flip(0.5) { one } else { other });
        }
        terms.shuffle(&mut self.rng);
        let mut terms = terms.into_iter();
        self.each_hole(&pattern, |_| terms.next().expect("one for each").to_owned())
    }

    /// A condition of a body that binds nothing new.
    pub(super) fn test(&mut self, level: Level, bound: &Bound, depth: usize) -> String {
        match self.rng.random_range(0..if depth == 0 { 6 } else { 10 }) {
            0..3 => self.atom(level, bound),
            3..6 => format!("(not {})", self.atom(level, bound)),
            6 => {
                let kind = if bound.iter().any(|(_, kind)| *kind == Kind::Role) { Kind::Role } else { Kind::Thing };
                self.mark("distinct");
                format!("(distinct {} {})", self.term(kind, bound), self.term(kind, bound))
            }
            7 | 8 => {
                self.mark("or");
                let parts: String =
                    (0..2 + self.up_to(1)).map(|_| format!(" {}", self.test(level, bound, depth - 1))).collect();
                if self.flip(0.2) { format!("(not (or{parts}))") } else { format!("(or{parts})") }
            }
            _ => {
                let parts: String = (0..2).map(|_| format!(" {}", self.test(level, bound, depth - 1))).collect();
                if self.flip(0.5) { format!("(not (and{parts}))") } else { format!("(or (and{parts}) (and{parts}))") }
            }
        }
    }

    /// A rule for `head` whose variables are in `bound` and have to be bound by the body.
    pub(super) fn rule(&mut self, head: &str, bound: Bound, level: Level, tests: usize) {
        let mut body = Vec::new();
        let mut scope = Bound::new();
        let mut bound = bound;
        if let [(one, Kind::Thing), (other, Kind::Thing)] = &bound[..]
            && self.flip(0.6)
        {
            body.push(self.pair(level, one, other));
            scope.append(&mut bound);
        }
        for (variable, kind) in bound {
            body.push(self.binder(level, kind, &variable, &scope));
            scope.push((variable, kind));
        }
        if level == Level::Moves && self.flip(0.6) {
            let role = self.rng.random_range(0..self.roles.len());
            let mv = self.pick(&self.moves[role].clone());
            let mv = self.filled(&mv, &scope);
            body.push(format!("(does {} {mv})", self.roles[role]));
        }
        if level >= Level::State && tests > 0 && self.flip(0.55) {
            let fluent = self.pick(&self.fluents.clone());
            let fluent = self.filled(&fluent, &scope);
            body.push(if self.flip(0.7) { format!("(true {fluent})") } else { format!("(not (true {fluent}))") });
        }
        for _ in 0..self.up_to(tests) {
            if self.flip(0.2) {
                let variable = self.fresh();
                let one = match self.is_wide && self.flip(0.5) {
                    true => {
                        let other = self.term(Kind::Thing, &scope);
                        self.pair(level, &variable, &other)
                    }
                    false => self.binder(level, Kind::Thing, &variable, &scope),
                };
                if self.flip(0.3) {
                    self.mark("or that binds");
                    let other = self.binder(level, Kind::Thing, &variable, &scope);
                    body.push(format!("(or {one} {other})"));
                } else {
                    body.push(one);
                }
                scope.push((variable, Kind::Thing));
            }
            body.push(self.test(level, &scope, 2));
        }
        if level >= Level::State && self.flip(0.12) {
            let constant = if self.flip(0.5) { self.always.clone() } else { self.never.clone() };
            if !constant.is_empty() {
                let (name, args) = self.pick(&constant);
                let call = self.call(&name, &args, &scope);
                body.push(if self.flip(0.5) { call } else { format!("(not {call})") });
            }
        }
        if level >= Level::State && self.flip(0.03) {
            self.mark("not any");
            let fluent = self.pick(&self.fluents.clone());
            body.push(format!("(not (true {}))", fluent.replace('?', "?own")));
        }
        if self.flip(0.3) {
            body.shuffle(&mut self.rng);
        }
        let rule =
            if body.is_empty() && self.flip(0.8) { head.to_owned() } else { format!("(<= {head} {})", body.join(" ")) };
        self.out.push(rule);
    }

    /// Adds an auxiliary relation between the state and the main rules.
    pub(super) fn helper(&mut self) {
        let name = self.names.relation(&mut self.rng);
        let level = if self.flip(0.15) { Level::Fixed } else { Level::State };
        let kind = self.pick(&[Kind::Thing, Kind::Thing, Kind::Role]);
        match self.rng.random_range(0..12) {
            0..2 if self.is_wide => self.connected(&name),
            0..4 => self.plain(&name, level),
            4..7 => return self.always_true(&name, kind),
            7..9 => return self.never_founded(&name, kind),
            9 | 10 => self.reached(&name),
            _ => self.mutual(&name),
        }
        if self.flip(0.15) {
            self.mark("facts and rules of one relation");
            let relation = self.relations.last().expect("just made");
            let (name, args) = (relation.name.clone(), vec![Kind::Thing; relation.args.len()]);
            let fact = self.call(&name, &args, &Bound::new());
            self.out.push(fact);
        }
    }

    pub(super) fn plain(&mut self, name: &str, level: Level) {
        let args = match self.flip(0.5) {
            true if self.is_wide && self.flip(0.6) => {
                self.mark("relations of two things");
                vec![Kind::Thing, Kind::Thing]
            }
            true => vec![Kind::Thing],
            false => vec![],
        };
        let pattern = if args.is_empty() { name.to_owned() } else { format!("({name}{})", " ?".repeat(args.len())) };
        for _ in 0..1 + self.up_to(1) {
            let (head, bound) = self.opened(&pattern);
            self.rule(&head, bound, level, 2);
        }
        self.relations.push(Relation { name: name.into(), args, level });
    }

    /// Adds a relation that is true in every state, which shows only from all its rules together.
    fn always_true(&mut self, name: &str, kind: Kind) {
        self.mark("always true by recursion");
        let domain = if kind == Kind::Role { "role" } else { "dom" };
        let fluent = self.pick(&self.fluents.clone());
        let fluent = self.filled(&fluent, &Bound::new());
        let (head, other) = match self.flip(0.7) {
            true => {
                (format!("({name} ?x) ({domain} ?x)"), format!("({name} ?x) ({domain} ?x) ({domain} ?y) ({name} ?y)"))
            }
            false => (name.to_owned(), format!("{name} {name}")),
        };
        let args = if head == name { vec![] } else { vec![kind] };
        self.out.push(format!("(<= {head} (true {fluent}))"));
        self.out.push(format!("(<= {head} (not (true {fluent})))"));
        if self.flip(0.8) {
            self.out.push(format!("(<= {other})"));
        }
        self.always.push((name.into(), args.clone()));
        self.relations.push(Relation { name: name.into(), args, level: Level::State });
    }

    /// Adds two relations that need each other, without a base case.
    fn never_founded(&mut self, name: &str, kind: Kind) {
        self.mark("never founded");
        let other = self.names.relation(&mut self.rng);
        let fluent = self.pick(&self.fluents.clone());
        let fluent = self.filled(&fluent, &Bound::new());
        let args = if self.flip(0.6) { " ?x" } else { "" };
        let call = |name: &str| if args.is_empty() { name.to_owned() } else { format!("({name}{args})") };
        self.out.push(format!("(<= {} {})", call(name), call(&other)));
        self.out.push(format!("(<= {} {} (true {fluent}))", call(&other), call(name)));
        let args = if args.is_empty() { vec![] } else { vec![kind] };
        self.never.push((name.into(), args.clone()));
        self.relations.push(Relation { name: name.into(), args, level: Level::State });
    }

    /// Adds the things that can be reached along the edges from true ones, and those that cannot.
    fn reached(&mut self, name: &str) {
        self.mark("recursion over the state");
        let variable = "?x".to_owned();
        self.rule(&format!("({name} ?x)"), vec![(variable, Kind::Thing)], Level::State, 1);
        let test = self.test(Level::State, &vec![("?y".into(), Kind::Thing)], 1);
        self.out.push(format!("(<= ({name} ?y) ({name} ?x) (edge ?x ?y) {test})"));
        self.relations.push(Relation { name: name.into(), args: vec![Kind::Thing], level: Level::State });
        if self.flip(0.5) {
            self.mark("negation above recursion");
            let other = self.names.relation(&mut self.rng);
            self.out.push(format!("(<= ({other} ?x) (dom ?x) (not ({name} ?x)))"));
            self.relations.push(Relation { name: other, args: vec![Kind::Thing], level: Level::State });
        }
    }

    /// Adds pairs of things that are connected in this state, directly or through others.
    fn connected(&mut self, name: &str) {
        self.mark("recursion over pairs");
        let variables = ["?x", "?y"].map(|it| (it.to_owned(), Kind::Thing));
        self.rule(&format!("({name} ?x ?y)"), variables.to_vec(), Level::State, 1);
        let further = self.pair(Level::State, "?y", "?z");
        let first = self.pick(&["(NAME ?x ?y)", "(NAME ?y ?x)"]).replace("NAME", name);
        self.out.push(format!("(<= ({name} ?x ?z) {first} {further})"));
        self.relations.push(Relation { name: name.into(), args: vec![Kind::Thing, Kind::Thing], level: Level::State });
    }

    fn mutual(&mut self, name: &str) {
        self.mark("mutual recursion");
        let other = self.names.relation(&mut self.rng);
        self.rule(&format!("({name} ?x)"), vec![("?x".into(), Kind::Thing)], Level::State, 1);
        self.out.push(format!("(<= ({other} ?y) ({name} ?x) (edge ?x ?y))"));
        self.out.push(format!("(<= ({name} ?y) ({other} ?x) (edge ?x ?y))"));
        for name in [name.to_owned(), other] {
            self.relations.push(Relation { name, args: vec![Kind::Thing], level: Level::State });
        }
    }

    /// Adds lines along the edges, seen from their ends, with a thing that is not an obstacle: relations that hold
    /// often and are queried rarely, one through the other, as in chess.
    pub(super) fn lines(&mut self) {
        self.mark("asked through others");
        let [line, hit, hit_but] = [0, 1, 2].map(|_| self.names.relation(&mut self.rng));
        let free = self.test(Level::State, &vec![("?z".into(), Kind::Thing)], 1);
        self.out.push(format!("(<= ({line} ?x ?y ?i) (edge ?x ?y) (dom ?i))"));
        self.out.push(format!("(<= ({line} ?x ?y ?z) (edge ?x ?z) ({line} ?z ?y ?z))"));
        self.out.push(format!("(<= ({line} ?x ?y ?i) (edge ?x ?z) {free} ({line} ?z ?y ?i))"));
        let from = self.binder(Level::State, Kind::Thing, "?x", &vec![("?y".into(), Kind::Thing)]);
        self.out.push(format!("(<= ({hit} ?y ?i) ({line} ?x ?y ?i) {from})"));
        let but = self.pick(&["(distinct ?c ?x)", "(not (edge ?c ?x))"]);
        self.out.push(format!("(<= ({hit_but} ?c ?y ?i) (dom ?c) {but} ({line} ?x ?y ?i) {from})"));
        for (name, count) in [(hit, 2), (hit_but, 3)] {
            self.relations.push(Relation { name, args: vec![Kind::Thing; count], level: Level::State });
        }
    }
}
