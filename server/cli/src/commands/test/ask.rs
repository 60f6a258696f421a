//! The expectations of a file, each with a command that shows the same answer.

use super::format::Expected;

/// An expectation: its place in the file, and its subject.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub kind: Kind,
    /// The index among expectations of its kind, from 0.
    pub index: usize,
    /// The game of the expectation, as written in the file.
    pub game: String,
    /// The file with the match of the expectation, if there is one.
    pub trace: Option<String>,
    /// The subject, for people.
    pub name: String,
    /// The arguments of `percept` that show the answer. They are printed; nothing runs them.
    pub command: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Play,
    Step,
    Infoset,
    Observe,
    Prove,
    Query,
    Solve,
}

impl Kind {
    /// The name of the tables that hold expectations of this kind; playing has none.
    pub(crate) fn table(self) -> Option<&'static str> {
        match self {
            Kind::Play => None,
            Kind::Step => Some("step"),
            Kind::Infoset => Some("infoset"),
            Kind::Observe => Some("observe"),
            Kind::Prove => Some("prove"),
            Kind::Query => Some("query"),
            Kind::Solve => Some("solve"),
        }
    }
}

/// Every expectation of a file, for each of its games in turn. `seconds`: the time limit of each expectation.
pub(super) fn cases(expected: &Expected, seconds: f64) -> Vec<Case> {
    std::iter::once(&expected.game).chain(&expected.also).flat_map(|game| of_game(expected, game, seconds)).collect()
}

fn of_game(expected: &Expected, game: &str, seconds: f64) -> Vec<Case> {
    let mut cases = Vec::new();
    let file = plain(game);
    let mut add = |kind: Kind, index: usize, name: String, command: &[&str], trace: Option<&String>| {
        let mut command: Vec<String> = command.iter().map(ToString::to_string).collect();
        // Time limits do not affect steps or numbers of matches.
        if kind != Kind::Step && kind != Kind::Play {
            command.extend(["--time".to_string(), seconds.to_string()]);
        }
        cases.push(Case { kind, index, game: game.to_string(), trace: trace.cloned(), name, command });
    };
    add(Kind::Play, 0, "play".to_string(), &["play", &file, "-n", "50", "--seed", "1"], None);
    for (index, it) in expected.step.iter().enumerate() {
        let name = format!("step {}{}", it.trace, after(it.round));
        add(Kind::Step, index, name, &["step", &file, &plain(&it.trace)], Some(&it.trace));
    }
    for (index, it) in expected.infoset.iter().enumerate() {
        let name = format!("infoset {} {}{}", it.role, it.trace, after(it.round));
        let round = it.round.map(|round| round.to_string());
        let (trace, role) = (plain(&it.trace), option("role", &it.role));
        let mut command = vec!["infoset", &file, &trace, &role];
        command.extend(round.iter().flat_map(|round| ["--round", round]));
        let listed = it.members.as_ref().map(|members| (members.len() + 1).to_string());
        command.extend(["-n", listed.as_deref().unwrap_or("0")]);
        add(Kind::Infoset, index, name, &command, Some(&it.trace));
    }
    for (index, it) in expected.observe.iter().enumerate() {
        let end = if it.announce_end { ", end announced" } else { "" };
        let (trace, role) = (plain(&it.trace), option("role", &it.role));
        let mut command = vec!["observe", &file, &trace, &role];
        command.extend(it.announce_end.then_some("--announce-end"));
        add(Kind::Observe, index, format!("observe {} {}{end}", it.role, it.trace), &command, Some(&it.trace));
    }
    for (index, it) in expected.prove.iter().enumerate() {
        let properties = [("legal", &it.legal), ("terminal", &it.terminal), ("goal", &it.goal), ("own", &it.own)];
        let properties: Vec<_> =
            properties.into_iter().filter(|(_, it)| it.is_some()).map(|(property, _)| property).collect();
        let role = option("role", &it.role);
        let mut command = vec!["prove", &file, &role];
        command.extend(properties.iter().flat_map(|property| ["--property", property]));
        add(
            Kind::Prove,
            index,
            format!("prove {} {}", it.role, properties.join(", ")).trim_end().to_string(),
            &command,
            None,
        );
    }
    for (index, it) in expected.query.iter().enumerate() {
        let ask = option("query", &it.ask);
        add(Kind::Query, index, format!("query {}", it.ask), &["prove", &file, &ask], None);
    }
    for (index, it) in expected.solve.iter().enumerate() {
        let (zero, unit) = (it.zero.to_string(), it.unit.to_string());
        let command = ["solve", &file, &option("zero", &zero), &option("unit", &unit), "--target", "1e-5"];
        add(Kind::Solve, index, "solve".to_string(), &command, None);
    }
    cases
}

/// A path as an argument that cannot be mistaken for an option.
fn plain(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.to_owned() }
}

/// An option with its value in one argument, so that the value cannot be mistaken for another option.
fn option(name: &str, value: &str) -> String {
    format!("--{name}={value}")
}

fn after(round: Option<usize>) -> String {
    round.map_or(String::new(), |round| format!(" after round {round}"))
}
