//! The roles that receive a percept: one rule for all roles, or one for each of some roles.

use percept_game::{Game, RoleId};

use crate::{names, words};

/// The roles that lack the knowledge.
pub(super) struct Receivers {
    names: Vec<String>,
    /// True if these are all roles but chance, and there are several.
    pub(super) everybody: bool,
}

/// The variable for the receiver in a rule for all roles.
const RECEIVER: &str = "?r";

impl Receivers {
    pub(super) fn new(game: &Game, roles: &[RoleId]) -> Receivers {
        let players = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect::<Vec<_>>();
        let everybody = roles.len() > 1 && players.iter().all(|role| roles.contains(role));
        Receivers { names: roles.iter().map(|&role| names::role(game, role).to_string()).collect(), everybody }
    }

    /// The receivers as a person names them: `white`, `ann and bob`, `every player`.
    pub(super) fn names(&self) -> String {
        if self.everybody { EVERYBODY.to_string() } else { words::list(&self.names) }
    }

    /// The number of names in [`Receivers::names`].
    pub(super) fn one_by_one(&self) -> usize {
        if self.everybody { 1 } else { self.names.len() }
    }

    pub(super) fn have(&self, role: &str) -> bool {
        self.names.iter().any(|it| it.eq_ignore_ascii_case(role))
    }

    /// The rules that send a percept; the body may name the receiver.
    pub(super) fn sees(&self, percept: &str, body: impl Fn(&str) -> String) -> Vec<String> {
        if self.everybody {
            return vec![format!("(<= (sees {RECEIVER} {percept}) (role {RECEIVER}) {})", body(RECEIVER))];
        }
        self.names.iter().map(|role| format!("(<= (sees {role} {percept}) {})", body(role))).collect()
    }

    /// The declarations of a percept without variables.
    pub(super) fn declared(&self, percept: &str) -> Vec<String> {
        self.each(|role| vec![format!("(percept {role} {percept})")])
    }

    /// Declarations made for each of the receivers; for all at once if they differ in the receiver only.
    pub(super) fn each(&self, of: impl Fn(&str) -> Vec<String>) -> Vec<String> {
        let apart: Vec<Vec<String>> = self.names.iter().map(|role| of(role)).collect();
        let one = if self.everybody { of(RECEIVER) } else { Vec::new() };
        let is_same = |(role, lines): (&String, &Vec<String>)| {
            lines.len() == one.len() && lines.iter().zip(&one).all(|(line, one)| *line == one.replace(RECEIVER, role))
        };
        if !self.everybody || !self.names.iter().zip(&apart).all(is_same) {
            return apart.concat();
        }
        one.iter().filter_map(|line| for_all(line)).collect()
    }

    /// All of the roles meet a condition.
    pub(super) fn all(&self, mut is: impl FnMut(&str) -> bool) -> bool {
        self.names.iter().all(|role| is(role))
    }
}

/// `(percept ?r end-seen)` or `(<= (percept ?r (tried ?x)) (index ?x))`, with its variable bound.
fn for_all(line: &str) -> Option<String> {
    let Some(rule) = line.strip_prefix("(<= ") else { return Some(format!("(<= {line} (role {RECEIVER}))")) };
    let mut depth = 0;
    let end = rule.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    let (head, body) = rule.split_at(end + 1);
    Some(format!("(<= {head} (role {RECEIVER}){body}"))
}

/// All roles but chance, in the title of a repair.
pub(super) const EVERYBODY: &str = "every player";

/// The end of a clause about the state.
pub(super) const AFTER: &str = " after each round";

/// The title of a repair: `Tell white when the match ends`.
pub(super) fn title(who: &str, clauses: &[String]) -> String {
    // "whether `open` holds and which `line` hold after each round"
    let after = clauses.iter().filter(|it| it.ends_with(AFTER)).count();
    let mut seen = 0;
    let clauses: Vec<&str> = clauses
        .iter()
        .map(|it| match it.strip_suffix(AFTER) {
            Some(short) => {
                seen += 1;
                if seen < after { short } else { it.as_str() }
            }
            None => it,
        })
        .collect();
    format!("Tell {who} {}", words::list(&clauses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_that_differ_in_the_receiver_only_are_one() {
        let all = Receivers { names: vec!["white".into(), "black".into()], everybody: true };
        assert_eq!(all.declared("end-seen"), ["(<= (percept ?r end-seen) (role ?r))"]);
        let tried = |role: &str| vec![format!("(<= (percept {role} (tried ?x)) (index ?x))")];
        assert_eq!(all.each(tried), ["(<= (percept ?r (tried ?x)) (role ?r) (index ?x))"]);
        // A declaration that uses the variable for something else.
        let taken = |role: &str| vec![format!("(<= (percept {role} (by ?r)) (role ?r))")];
        let apart = ["(<= (percept white (by ?r)) (role ?r))", "(<= (percept black (by ?r)) (role ?r))"];
        assert_eq!(all.each(taken), apart);
        let some = Receivers { names: vec!["ann".into(), "bob".into()], everybody: false };
        assert_eq!(some.declared("end-seen"), ["(percept ann end-seen)", "(percept bob end-seen)"]);
        assert_eq!(some.names(), "ann and bob");
    }

    #[test]
    fn titles_are_said_once() {
        let says = |clauses: &[&str]| title("white", &clauses.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(says(&["when the match ends"]), "Tell white when the match ends");
        assert_eq!(
            says(&["whether `open` holds after each round", "which `line` hold after each round"]),
            "Tell white whether `open` holds and which `line` hold after each round"
        );
        assert_eq!(
            says(&["when black plays `pass`", "whether `open` holds after each round"]),
            "Tell white when black plays `pass` and whether `open` holds after each round"
        );
    }
}
