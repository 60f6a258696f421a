//! Rules of observation, weakened one at a time: knowledge that a player loses must be refuted, and knowledge that it
//! keeps must pass an exhaustive search.

use std::ops::Range;
use std::time::Duration;

use percept_game::pogddl::generate;
use percept_game::{Game, PogddlTerminal};
use percept_infoset::Property;
use percept_infoset::prove::{Options, Prover};
use percept_syntax::pddl::{Effect, Recipient};
use percept_syntax::{Language, Source, Syntax, TextRange};

use percept_test::{games, is_heavy, read};

use super::{MethodVerdict, ask, exhaustive, gdl, pogddl};

/// A text with one change, and a description of the change.
struct Mutant {
    what: String,
    text: String,
}

fn mutant(text: &str, place: Range<usize>, instead: &str) -> Mutant {
    let what = format!("{} => {instead}", &text[place.clone()]);
    Mutant { what, text: format!("{}{instead}{}", &text[..place.start], &text[place.end..]) }
}

fn bytes(range: TextRange) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Mutants of each `sees` rule: dropped, with a condition that never holds, with one that always holds, and with its
/// percept's last argument hidden.
fn of_gdl(text: &str) -> Vec<Mutant> {
    let source = Source::from_bytes(text.as_bytes().to_vec(), Language::GdlPrefix).expect("text");
    let Syntax::Gdl(description) = &source.syntax else { panic!("GDL") };
    let sees = description.statements.iter().filter(|it| it.head.as_ref().is_some_and(|head| head.name.is("sees")));
    let never = "(<= (next (never)) (true (never)))";
    let mut mutants = Vec::new();
    for place in sees.map(|it| bytes(it.range)) {
        let rule = &text[place.clone()];
        mutants.push(mutant(text, place.clone(), ""));
        for condition in ["(true (never))", "(not (true (never)))"] {
            let weaker = format!("{} {condition}) {never}", &rule[..rule.len() - 1]);
            mutants.push(mutant(text, place.clone(), &weaker));
        }
        // The last argument of the percept becomes a constant.
        let head = rule.find("(sees").and_then(|at| Some(at + rule[at..].find("))")?));
        if let Some(end) = head
            && let Some(word) = rule[..end].rfind(' ')
        {
            mutants.push(mutant(text, place.start + word + 1..place.start + end, "something"));
        }
    }
    mutants
}

/// Finds every `observe` of an effect.
fn observes<'a>(effect: &'a Effect, found: &mut Vec<(TextRange, &'a [Recipient])>) {
    match effect {
        Effect::And { parts, .. } => parts.iter().for_each(|part| observes(part, found)),
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => observes(effect, found),
        Effect::Observe { range, recipients, .. } => found.push((*range, recipients)),
        _ => {}
    }
}

/// Mutants of each `observe`: without it, without one of its messages or one receiver, or with one argument hidden.
fn of_pogddl(text: &str) -> Vec<Mutant> {
    let source = Source::from_bytes(text.as_bytes().to_vec(), Language::Pogddl).expect("text");
    let mut found = Vec::new();
    for effect in source.domain().expect("a domain").actions.iter().filter_map(|action| action.effect.as_ref()) {
        observes(effect, &mut found);
    }
    let mut mutants = Vec::new();
    for (range, recipients) in found {
        mutants.push(mutant(text, bytes(range), "(and)"));
        for recipient in recipients {
            if recipients.len() > 1 {
                mutants.push(mutant(text, bytes(recipient.range), ""));
            }
            for receiver in &recipient.receivers {
                let name = &receiver.name.text;
                // `all` becomes one of the two players; of several receivers, one is dropped.
                let rest: &[&str] = if name == "all" { &["p1", "p2"] } else { &[""] };
                if name == "all" || recipient.receivers.len() > 1 {
                    mutants.extend(rest.iter().map(|rest| mutant(text, bytes(receiver.name.range), rest)));
                }
            }
            let variables = recipient.message.iter().flat_map(|message| &message.args).filter(|arg| arg.is_variable);
            mutants.extend(variables.map(|arg| mutant(text, bytes(arg.name.range), "u")));
        }
    }
    mutants
}

/// The results of an exhaustive search, for each role except chance and each property.
fn truth(game: &Game, time: Duration) -> Vec<[MethodVerdict; 3]> {
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    roles.map(|role| exhaustive(game, role, time)).collect()
}

/// The outcomes of mutants.
#[derive(Default, Debug)]
struct Fates {
    /// The number of mutants in which former knowledge is refuted.
    refuted: usize,
    /// The number of mutants in which all former knowledge is kept, by exhaustive search.
    equivalent: usize,
    /// The number of mutants not decided in time.
    open: usize,
    /// The number of mutants that are not valid games.
    invalid: usize,
}

const TIME: Duration = Duration::from_secs(20);

/// Judges every mutant of a game, if exhaustive search decides the game itself.
fn judge(name: &str, original: &Game, mutants: &[Mutant], load: impl Fn(&str) -> Option<Game>) -> Fates {
    let before = truth(original, TIME);
    compare(name, original, &before);
    let mut fates = Fates::default();
    for Mutant { what, text } in mutants {
        let Some(game) = load(text) else {
            fates.invalid += 1;
            continue;
        };
        let name = format!("{name}, {what}");
        let after = truth(&game, TIME);
        let decided = compare(&name, &game, &after);
        let pairs =
            before.iter().flatten().zip(after.iter().zip(&decided).flat_map(|(after, auto)| after.iter().zip(auto)));
        let (mut lost, mut open) = (false, false);
        for (_, (after, auto)) in pairs.filter(|(before, _)| **before == MethodVerdict::Proved) {
            lost |= [after, auto]
                .into_iter()
                .any(|verdict| matches!(verdict, MethodVerdict::Refuted(_) | MethodVerdict::Seen(_)));
            open |= !matches!(after, MethodVerdict::Proved);
        }
        match (lost, open) {
            (true, _) => fates.refuted += 1,
            (false, false) => fates.equivalent += 1,
            (false, true) => {
                eprintln!("left open: {name}");
                fates.open += 1;
            }
        }
    }
    eprintln!("{name}: {fates:?}");
    fates
}

/// Asks all methods together, and compares the answers with the exhaustive search.
fn compare(name: &str, game: &Game, truth: &[[MethodVerdict; 3]]) -> Vec<[MethodVerdict; 3]> {
    let mut prover = Prover::new(game);
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    let mut answers = Vec::new();
    for (role, truth) in roles.zip(truth) {
        let verdicts =
            Property::ALL.map(|property| ask(&mut prover, game, (role, property), &Options::default(), TIME).0);
        for ((verdict, truth), property) in verdicts.iter().zip(truth).zip(Property::ALL) {
            assert!(
                verdict.agrees_with(*truth),
                "{name} {role:?} {property:?}: {verdict:?}, {truth:?} by exhaustive search"
            );
            // If the exhaustive search ends, nothing is left open.
            assert!(
                !matches!(verdict, MethodVerdict::Holds(_)) || matches!(truth, MethodVerdict::Holds(_)),
                "{name} {role:?} {property:?}: {verdict:?}, {truth:?} by exhaustive search"
            );
        }
        answers.push(verdicts);
    }
    answers
}

#[test]
fn weakened_rules_of_gdl_games() {
    let names = ["kuhn-poker", "hidden-matching-pennies", "exploding-bomb-arming", "exploding-bomb"];
    for name in names.into_iter().take(if is_heavy() { names.len() } else { 1 }) {
        let text = read(games().join(format!("{name}/{name}.kif")));
        let fates = judge(name, &gdl(&text).expect("our own game"), &of_gdl(&text), gdl);
        assert!(fates.equivalent > 0, "a condition that always holds changes nothing");
        assert!(fates.refuted > 0 || name != "kuhn-poker", "{name}: {fates:?}");
    }
}

#[test]
fn weakened_messages_of_pogddl_games() {
    let own = |path: &str| read(games().join(path));
    let mut cases = vec![("poker", own("poker/poker.pog"), own("poker/king-and-jack.pog"))];
    if is_heavy() {
        let (gops, racko, battleship) =
            (generate::GOPS.to_owned(), generate::RACKO.to_owned(), generate::BATTLESHIP.to_owned());
        cases.push(("gops 2+0", gops.clone(), generate::gops(2, 0, true).expect("cards")));
        cases.push(("gops 2+0 closed", gops, generate::gops(2, 0, false).expect("cards")));
        cases.push(("battleship 1 on 2x2", battleship, generate::battleship(1, 2).expect("fits")));
        cases.push(("racko 2 of 5", racko, generate::racko(2, 5).expect("cards")));
    }
    for (name, domain, problem) in cases {
        let load = |domain: &str| pogddl(domain, &problem, PogddlTerminal::NoMoves).ok();
        let fates = judge(name, &load(&domain).expect("a game"), &of_pogddl(&domain), load);
        assert!(fates.refuted > 0, "{name}: {fates:?}");
    }
}
