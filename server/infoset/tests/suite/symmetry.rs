//! The search with one pair of states of each orbit, compared with the search that keeps all pairs.

use percept_game::symmetry::Symmetries;
use percept_game::{Budget, FluentId, Game, RoleId, State};
use percept_infoset::Property;
use percept_infoset::prove::bounded::{Answer, Bounded};
use percept_infoset::prove::pairs::Pairs;
use percept_infoset::prove::{Options, Pair, Prover, Verdict, is_real};
use percept_test::{game, gdl, more};
use rustc_hash::FxHashSet;

fn ours(name: &str) -> Game {
    game(&format!("{name}/{name}.kif"))
}

/// The number of distinct images of the pairs met.
fn spread(search: &Pairs<'_>, symmetries: &Symmetries) -> usize {
    let elements = symmetries.elements(64);
    let image = |state: u32| -> Vec<State> {
        elements.iter().map(|symmetry| symmetry.state(&search.states()[state as usize])).collect()
    };
    let mut all: FxHashSet<(State, State)> = FxHashSet::default();
    for (a, b) in search.all() {
        for (a, b) in image(a).into_iter().zip(image(b)) {
            all.insert(if a <= b { (a, b) } else { (b, a) });
        }
    }
    all.len()
}

/// Compares both searches up to `rounds` rounds: the same pairs, the first difference in the same round, and a real
/// pair.
fn compare(name: &str, game: &Game, rounds: usize) {
    let ground = game.rules.kept().expect("a ground game");
    let symmetries = Symmetries::of(game, ground, &Budget::default());
    assert!(!symmetries.of_things.is_empty(), "{name} has symmetries");
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        let (mut plain, mut few) = (Pairs::new(game, role), Pairs::up_to(game, role, &symmetries));
        let mut differed = [false; 3];
        for round in 1..=rounds {
            let goes_on = plain.deepen(&Budget::default());
            assert_eq!(few.deepen(&Budget::default()), goes_on, "{name}, round {round}");
            assert_eq!(spread(&few, &symmetries), plain.pair_count(), "{name}, round {round}: pairs");
            for (property, differed) in Property::ALL.into_iter().zip(&mut differed) {
                let found = few.first(property, &Budget::default()).expect("no time limit");
                let expected = plain.look(property).0.differing > 0;
                assert_eq!(found.is_some(), expected, "{name}, round {round}, {property:?}");
                if let Some(found) = found.filter(|_| !std::mem::replace(differed, true)) {
                    let (left, right) = few.histories(found);
                    assert_eq!(left.len(), round);
                    assert!(
                        is_real(game, role, property, &Pair { left, right }),
                        "{name}, round {round}, {property:?}"
                    );
                }
            }
            if goes_on != Some(true) {
                break;
            }
        }
        assert!(few.pair_count() < plain.pair_count(), "{name}: {} of {} pairs", few.pair_count(), plain.pair_count());
    }
}

/// Compares the search by length with all first moves and with one of each orbit: the same answer at every length, and
/// real pairs.
fn compare_lengths(name: &str, game: &Game, rounds: usize) {
    let ground = game.rules.kept().expect("a ground game");
    let symmetries = Symmetries::of(game, ground, &Budget::default());
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        let search = || Bounded::new(game, role, Some(ground.clone()), &Budget::default()).expect("a small game");
        let (mut plain, mut few) = (search(), search());
        for round in 1..=rounds {
            plain.deepen().expect("a small game");
            few.deepen().expect("a small game");
            if round == 1 {
                few.look_up_to(&symmetries);
            }
            for property in Property::ALL {
                let pair = |answer| match answer {
                    Answer::Pair(pair) => Some(pair),
                    Answer::None => None,
                    Answer::Unknown => panic!("no time limit"),
                };
                let (all, found) = (pair(plain.ask(property)), pair(few.ask(property)));
                assert_eq!(found.is_some(), all.is_some(), "{name}, {role:?}, round {round}, {property:?}");
                let is_real = |pair: &Pair| pair.left.len() == round && is_real(game, role, property, pair);
                assert!(found.iter().all(is_real), "{name}, {role:?}, round {round}, {property:?}");
            }
            let goes_on = plain.goes_on();
            assert_eq!(few.goes_on(), goes_on, "{name}, {role:?}, round {round}");
            if goes_on != Some(true) {
                break;
            }
        }
    }
}

#[test]
fn the_same_lengths_up_to_symmetry() {
    let most = more(5, 6);
    for (name, rounds) in
        [("blind-tic-tac-toe", most), ("latent-tic-tac-toe", most), ("tic-tac-toe", 5), ("hidden-matching-pennies", 5)]
    {
        compare_lengths(name, &ours(name), rounds);
    }
}

#[test]
fn the_same_pairs_up_to_symmetry() {
    let games =
        [("blind-tic-tac-toe", 3), ("tic-tac-toe", 9), ("hidden-matching-pennies", 9), ("latent-tic-tac-toe", 4)];
    // The last takes a quarter of a minute.
    for (name, rounds) in games.into_iter().take(more(3, 4)) {
        compare(name, &ours(name), rounds);
    }
}

mod corpus {
    use percept_test::folder;
    use percept_test::games::published_gdl;

    use super::*;

    /// Compares the searches on published games that have symmetries and few pairs in the first rounds.
    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn the_same_pairs_in_published_games() {
        let corpus = folder("PERCEPT_CORPUS").join("gdl-ii");
        let games = [
            ("mastermind2x3.kif", 3),
            ("kriegTTT_4x4.gdl", 2),
            ("blind_breakthrough_5x5.gdl", 2),
            ("montyhall.gdl", 3),
        ];
        for (name, rounds) in games {
            let game = published_gdl(&corpus.join(name)).expect("a published game");
            compare(name, &game, rounds);
            compare_lengths(name, &game, rounds + 2);
        }
    }
}

/// Orbits do not depend on names: the fluents of a role are renamed with the role.
#[test]
fn orbits_hold_what_becomes_what() {
    let game = ours("tic-tac-toe");
    let symmetries = Symmetries::of(&game, game.rules.kept().expect("a ground game"), &Budget::default());
    let count = game.rules.fluent_count();
    let orbits = symmetries.orbits(count, |symmetry, it| symmetry.fluent(FluentId(it)).0);
    for symmetry in symmetries.elements(64) {
        for fluent in 0..count as u32 {
            assert_eq!(orbits[fluent as usize], orbits[symmetry.fluent(FluentId(fluent)).0 as usize]);
        }
        assert!(game.role_ids().all(|role: RoleId| symmetry.role(role) == role));
    }
}

/// Both roles choose a number in secret. The role with the greater number wins, and may learn that. A question about
/// the second role after the first is answered by symmetry, and a new prover agrees.
#[test]
fn what_is_decided_of_one_role_is_decided_of_the_other() {
    let silent = "(role left) (role right) (other left right) (other right left) (init choose)
        (number 1) (number 2) (number 3) (less 1 2) (less 2 3) (less 1 3)
        (<= (legal ?r ?n) (role ?r) (number ?n) (true choose))
        (<= (legal ?r wait) (role ?r) (not (true choose)))
        (<= (next (chose ?r ?n)) (does ?r ?n) (number ?n))
        (<= (next (chose ?r ?n)) (true (chose ?r ?n)))
        (<= (next told) (true choose)) (<= (next over) (true told)) (<= terminal (true over))
        (<= (more ?r) (true (chose ?r ?n)) (other ?r ?s) (true (chose ?s ?m)) (less ?m ?n))
        (<= (goal ?r 100) (more ?r)) (<= (goal ?r 0) (role ?r) (not (more ?r)))";
    let telling = format!("{silent} (<= (sees ?r more) (more ?r))");
    for (text, expected) in [(silent.to_owned(), "refuted"), (telling, "proved")] {
        let game = gdl(&text);
        let prove = |prover: &mut Prover<'_>, role| {
            prover.prove(RoleId(role), Property::Goal, &Options::default(), &Budget::default()).verdict
        };
        let (mut one, mut fresh) = (Prover::new(&game), Prover::new(&game));
        let (left, right, alone) = (prove(&mut one, 0), prove(&mut one, 1), prove(&mut fresh, 1));
        assert_eq!([&left, &right, &alone].map(Verdict::name), [expected; 3]);
        match &right {
            Verdict::Proved { method, .. } => assert_eq!(*method, "symmetry"),
            Verdict::Refuted { pair, method } => {
                assert_eq!(*method, "symmetry");
                assert!(is_real(&game, RoleId(1), Property::Goal, pair));
            }
            Verdict::Open { .. } => panic!("it is decided"),
        }
    }
}
