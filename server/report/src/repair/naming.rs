//! The names of new percepts: each is named for the thing that it tells (`goal-seen`), and no word of the game is used
//! for a second thing.

use std::collections::BTreeSet;

use percept_syntax::gdl::{Description, Statement, Term};

use super::receivers::Receivers;

/// The endings of a new word, the best first.
const ENDINGS: [&str; 4] = ["seen", "told", "shown", "learned"];

/// The words of a description that a new percept cannot use.
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    /// All words of a description, except those that only name percepts of other roles: the same name for the same
    /// thing, sent to one more role, is what an author writes.
    pub(super) fn new(description: &Description, receivers: &Receivers) -> Taken {
        let mut taken = BTreeSet::new();
        let mut note = |term: &Term| {
            term.walk(&mut |it| {
                taken.insert(it.name.text.to_ascii_lowercase());
            });
        };
        for statement in description.statements.iter() {
            match others_percept(statement, receivers) {
                Some(percept) => percept.args().iter().for_each(&mut note),
                None => statement.head.iter().for_each(&mut note),
            }
            statement.body.iter().for_each(|formula| formula.terms(&mut note));
        }
        Taken(taken)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(&word.to_ascii_lowercase())
    }

    /// The name of a percept that tells a thing.
    pub(super) fn percept(&self, thing: &str) -> String {
        let plain = ENDINGS.iter().map(|ending| format!("{thing}-{ending}"));
        // Only a game with all four words gets a number.
        let numbered = (2..).map(|number| format!("{thing}-seen-{number}"));
        plain.chain(numbered).find(|word| !self.has(word)).unwrap_or_default()
    }
}

/// The percept that a statement sends to, or declares for, a role that is not among the receivers.
fn others_percept<'t>(statement: &'t Statement, receivers: &Receivers) -> Option<&'t Term> {
    let head = statement.head.as_ref()?;
    let [role, percept] = head.args() else { return None };
    let is_others = !role.is_variable() && role.args().is_empty() && !receivers.have(&role.name.text);
    (is_others && (head.name.is("sees") || head.name.is("percept"))).then_some(percept)
}
