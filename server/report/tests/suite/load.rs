//! A game that cannot be read: each place is reported once.

use std::collections::BTreeSet;

use percept_game::gdl::Grounding;
use percept_report::load::{self, File, LoadError};
use percept_syntax::{Language, Source};

fn errors(names: [&str; 2], texts: [&str; 2]) -> Vec<(bool, u32)> {
    let file = |at: usize| -> File { (names[at].into(), Source::parse(texts[at], Language::Pogddl)) };
    match load::game(&[file(0), file(1)], None, &Grounding::default()) {
        Err(LoadError::Broken { errors, .. }) => errors.iter().map(|it| (it.in_problem, it.range.start)).collect(),
        other => panic!("{:?} is not an error of the text", other.err()),
    }
}

#[test]
fn a_broken_domain_is_told_once_a_place() {
    let read = |name: &str| percept_test::read(percept_test::games().join("poker").join(name));
    let (domain, problem) = (read("poker.pog"), read("king-and-jack.pog"));
    // Two errors are about the first dash: there is no name before it, and no type after it.
    let dashes = domain.replacen("(stronghand ?r - role)", "(stronghand - - role)", 1);
    let source = Source::parse(dashes.as_str(), Language::Pogddl);
    let of_source: BTreeSet<u32> = source.errors.iter().map(|error| error.range.start).collect();
    assert!(of_source.len() < source.errors.len(), "{:?}", source.errors);
    let found = errors(["poker.pog", "king-and-jack.pog"], [&dashes, &problem]);
    assert_eq!(found.len(), of_source.len(), "{found:?}");
    // The same name is unknown in both files: these are two places, even at one offset.
    let misspelt = domain.replace("(gambler ?p)", "(gamblr ?p)");
    let found = errors(["poker.pog", "king-and-jack.pog"], [&misspelt, &problem]);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len(), "{found:?}");
}
