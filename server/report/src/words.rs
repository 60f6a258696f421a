//! The wording of properties, their values and verdicts: one table for the terminal, the pages and the editor.

use percept_game::{Game, MoveId, RoleId, Term};
use percept_infoset::prove::{Ends, Unchecked};
use percept_infoset::{Progress, Property, Value, Witness};
pub use percept_syntax::words::{counted, rounds};

use crate::names;
use crate::speech::{Speech, joined};

/// The object of `white knows ...`, for a property.
pub const fn knowledge(property: Property) -> &'static str {
    match property {
        Property::Legal => "its legal moves",
        Property::Terminal => "whether the match is over",
        Property::Goal => "its goal",
        Property::Own => "its own moves",
    }
}

/// The object of `white and black know ...`.
pub fn knowledge_of(roles: usize, property: Property) -> String {
    let one = knowledge(property);
    match one.strip_prefix("its ") {
        Some(what) if roles > 1 => format!("their {}{}", what, if what.ends_with('s') { "" } else { "s" }),
        _ => one.to_string(),
    }
}

/// The property as a heading.
pub const fn heading(property: Property) -> &'static str {
    match property {
        Property::Legal => "legal moves",
        Property::Terminal => "the end",
        Property::Goal => "the goal",
        Property::Own => "own moves",
    }
}

/// The stable name of the finding that a role does not know the property.
pub const fn rule(property: Property) -> &'static str {
    match property {
        Property::Legal => "unknown-legal-moves",
        Property::Terminal => "unknown-end",
        Property::Goal => "unknown-goal",
        Property::Own => "unknown-own-move",
    }
}

/// A property's value: `it may noop`, `goal 50`, `the match is over`, `it made (bid 3)`.
pub fn value(game: &Game, speech: &Speech, role: RoleId, value: &Value) -> String {
    match value {
        Value::Legal(moves) if moves.is_empty() => "no legal move".to_string(),
        Value::Legal(moves) => {
            let moves: Vec<Term> = moves.iter().map(|&mv| game.rules.move_term(role, mv)).collect();
            let names = speech.listed(&moves);
            format!("it may {}", joined(&names))
        }
        Value::Terminal(true) => "the match is over".to_string(),
        Value::Terminal(false) => "the match goes on".to_string(),
        Value::Goal(goals) if goals.is_empty() => "no goal value".to_string(),
        Value::Goal(goals) => format!("goal {}", goals.iter().map(i64::to_string).collect::<Vec<_>>().join(" and ")),
        Value::Own(MoveId::NOOP) => "it made no move".to_string(),
        Value::Own(mv) => format!("it made {}", names::made_by(game, speech, role, *mv)),
    }
}

/// The result of the independent check: `checked`, `unchecked: no time`.
pub fn checked(checked: Result<(), Unchecked>) -> String {
    match checked {
        Ok(()) => "checked".to_owned(),
        Err(why) => format!("unchecked: {why}"),
    }
}

/// The worth of a proof that a role knows its goal, from the ways in which matches end for it (`None`: unknown).
pub fn vacuity(ends: Option<Ends>, role: &str) -> String {
    match ends {
        Some(Ends::Never) => "; but no match ever ends, so this says nothing".into(),
        Some(Ends::WithoutGoal) => format!("; but {role} never has a goal, so this says nothing"),
        Some(Ends::WithGoal) => String::new(),
        Some(Ends::SomeWithoutGoal) => format!("; but some matches end without a goal for {role}"),
        None => format!("; whether any match ends with a goal for {role} is not known"),
    }
}

/// The sentence for a property known in one whole match: `white knows its legal moves after every round of this match`.
pub fn known_throughout(property: Property) -> String {
    format!("knows {} after every round of this match", knowledge(property))
}

/// The same sentence for several matches. It claims nothing about other matches.
pub fn known_throughout_all(property: Property, matches: usize) -> String {
    format!("knows {} after every round of all {matches} matches", knowledge(property))
}

/// The gain in a role's value of the game: `worth 12.5 to white`.
pub fn worth(gain: f64, role: &str) -> String {
    let number = format!("{gain:.3}");
    let number = number.trim_end_matches('0').trim_end_matches('.');
    if gain == 0.0 { format!("worth nothing to {role}") } else { format!("worth {number} to {role}") }
}

/// The progress of some work: `rounds filtered: 3 of 10`.
pub fn progress(progress: &Progress) -> String {
    match progress.total {
        Some(total) => format!("{}: {} of {total}", progress.what, progress.done),
        None if progress.done == 0 => progress.what.to_string(),
        None => format!("{}: {}", progress.what, progress.done),
    }
}

/// Names as in a sentence: `ann`, `ann and bob`, `ann, bob and cid`.
pub fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Rounds in ascending order, written as runs: `round 3`, `rounds 0-2, 5`; empty if there are none.
pub fn runs(numbers: &[usize]) -> String {
    let word = match numbers {
        [] => return String::new(),
        [_] => "round",
        _ => "rounds",
    };
    let run = |run: &[usize]| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    };
    format!("{word} {}", numbers.chunk_by(|a, b| a + 1 == *b).map(run).collect::<Vec<_>>().join(", "))
}

/// The statement that a role does not know a property at one point of a match, without a full stop.
pub fn unknown(game: &Game, speech: &Speech, role: RoleId, property: Property, witness: &Witness) -> String {
    let [first, second] = sides(game, speech, role, witness);
    format!(
        "{} does not know {} after round {}: {first} in history A, {second} in history B, which looks the same to it; \
        they part in round {}",
        names::role(game, role),
        knowledge(property),
        witness.first.len(),
        witness.parting(),
    )
}

/// The statement that a role does not know a property in every match, without a full stop.
pub fn refuted(game: &Game, speech: &Speech, role: RoleId, property: Property, witness: &Witness) -> String {
    let [first, second] = sides(game, speech, role, witness);
    format!(
        "{} does not always know {}: after {} {first} in history A, {second} in history B, which looks the same to it; \
        they part in round {}",
        names::role(game, role),
        knowledge(property),
        rounds(witness.first.len()),
        witness.parting(),
    )
}

fn sides(game: &Game, speech: &Speech, role: RoleId, witness: &Witness) -> [String; 2] {
    [&witness.first_value, &witness.second_value].map(|it| value(game, speech, role, it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worth_is_short() {
        let phrases = [40.0, -2.5, 0.0, 1.0 / 3.0].map(|gain| worth(gain, "white"));
        assert_eq!(
            phrases,
            ["worth 40 to white", "worth -2.5 to white", "worth nothing to white", "worth 0.333 to white"]
        );
    }

    #[test]
    fn several_roles_have_theirs() {
        assert_eq!(knowledge_of(2, Property::Goal), "their goals");
        assert_eq!(knowledge_of(2, Property::Legal), "their legal moves");
        assert_eq!(knowledge_of(1, Property::Goal), "its goal");
        assert_eq!(knowledge_of(3, Property::Terminal), "whether the match is over");
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        let lists = [list(&[""; 0]), list(&["ann"]), list(&["ann", "bob"]), list(&["ann", "bob", "cid"])];
        assert_eq!(lists, ["", "ann", "ann and bob", "ann, bob and cid"]);
    }

    #[test]
    fn rounds_are_told_as_runs() {
        assert_eq!(runs(&[]), "");
        assert_eq!(runs(&[3]), "round 3");
        assert_eq!(runs(&[0, 1, 2, 5, 7, 8]), "rounds 0-2, 5, 7-8");
    }
}
