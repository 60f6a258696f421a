//! Tournaments give the same results after any interruption.

use crate::support::{gdl, repeatable, strategies};
use percept_players::Arena;
use percept_players::tournament::{
    Played, Store, StoreError, Terms, cells, pairings, play, ratings, score, seating, seed,
};

fn terms() -> Terms {
    Terms {
        schema: "percept-tournament-1".into(),
        games: vec!["arming".into()],
        players: vec!["sampling".into(), "auto".into(), "random".into()],
        seed: 7,
        startclock: None,
        playclock: None,
        simulations: Some(200),
        network: None,
    }
}

/// Plays until `most` more matches are in the store.
fn go_on(store: &mut Store, most: usize) {
    let terms = terms();
    let arenas = [Arena::new(gdl("exploding-bomb-arming/exploding-bomb-arming.kif"))];
    let players = strategies(&["sampling", "auto", "random"]);
    let mut added = 0;
    for number in 0..6 {
        for pairing in pairings(&arenas, players.len()) {
            let (first, second) = (&terms.players[pairing.first], pairing.second.map(|at| &terms.players[at]));
            if store.has("arming", first, second.map(|it| it.as_str()), number) || added == most {
                continue;
            }
            let options = repeatable(seed(7, &pairing, number), 200);
            let outcome = play(&arenas[0], &pairing, &players, number, &options);
            let seating = seating(&arenas[0], &pairing, number);
            store
                .add(Played {
                    game: "arming".into(),
                    first: first.clone(),
                    second: second.cloned(),
                    number,
                    score: score(&seating, &outcome).unwrap(),
                    goal: 0.0,
                    other_goal: None,
                    faults: outcome.faults.len(),
                    other_faults: 0,
                    rounds: outcome.moves.len(),
                    seconds: 0.0,
                })
                .unwrap();
            added += 1;
        }
    }
}

#[test]
fn an_interrupted_tournament_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let mut whole = Store::in_memory();
    go_on(&mut whole, usize::MAX);
    assert_eq!(whole.records().len(), 18);
    // The program is killed in the middle of a line, twice.
    for most in [5, 6, usize::MAX] {
        let mut store = Store::open(&path, &terms()).unwrap();
        go_on(&mut store, most);
        drop(store);
        if most != usize::MAX {
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, &text[..text.len() - 10]).unwrap();
        }
    }
    let store = Store::open(&path, &terms()).unwrap();
    let sorted = |store: &Store| {
        let mut records = store.records().to_vec();
        records.sort_by(|left, right| {
            (&left.first, &left.second, left.number).cmp(&(&right.first, &right.second, right.number))
        });
        records
    };
    assert_eq!(sorted(&store), sorted(&whole));
    let cells = cells(store.records());
    assert_eq!(cells.iter().map(|cell| cell.matches).collect::<Vec<_>>(), [6, 6, 6]);
    // A player that reports loses, and a player that moves at random does not profit from the report.
    let against_auto = &cells[0];
    assert_eq!((against_auto.first.as_str(), against_auto.second.as_deref()), ("sampling", Some("auto")));
    assert!(against_auto.score <= 0.5, "{against_auto:?}");
    let rated = ratings(store.records().iter().map(|it| (it.first.as_str(), it.second.as_deref().unwrap(), it.score)));
    assert_eq!(rated.len(), 3);
}

#[test]
fn another_tournament_is_not_mixed_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    drop(Store::open(&path, &terms()).unwrap());
    let other = Terms { seed: 8, ..terms() };
    assert!(matches!(Store::open(&path, &other), Err(StoreError::Other { .. })));
}

#[test]
fn a_file_of_somebody_else_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for notes in ["these are notes\n", "these are notes", "one\ntwo", "{}\n", "{\"schema\":\"mine\"}"] {
        std::fs::write(&path, notes).unwrap();
        assert!(matches!(Store::open(&path, &terms()), Err(StoreError::Line { line: 1, .. })), "{notes:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), notes);
    }
    assert!(matches!(Store::open(folder.path(), &terms()), Err(StoreError::Special { .. })));
}

#[test]
fn processes_that_share_a_file_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let mut stores: Vec<Store> = (0..4).map(|_| Store::open(&path, &terms()).unwrap()).collect();
    let played = |number: u64| Played {
        game: "g".into(),
        first: "auto".into(),
        second: None,
        number,
        score: 0.5,
        goal: 50.0,
        other_goal: None,
        faults: 0,
        other_faults: 0,
        rounds: 3,
        seconds: 0.1,
    };
    std::thread::scope(|scope| {
        for (part, store) in (0..).zip(&mut stores) {
            scope.spawn(move || (0..100).for_each(|number| store.add(played(4 * number + part)).unwrap()));
        }
    });
    let mut numbers: Vec<u64> =
        Store::open(&path, &terms()).unwrap().records().iter().map(|played| played.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..400).collect::<Vec<_>>());
}

#[test]
fn roles_are_exchanged_with_the_same_dice() {
    let arena = Arena::new(gdl("exploding-bomb-arming/exploding-bomb-arming.kif"));
    let pairing = pairings(std::slice::from_ref(&arena), 2)[0].clone();
    assert_eq!(seating(&arena, &pairing, 0), [Some(true), Some(false)]);
    assert_eq!(seating(&arena, &pairing, 1), [Some(false), Some(true)]);
    assert_eq!(seed(3, &pairing, 0), seed(3, &pairing, 1));
    assert_ne!(seed(3, &pairing, 0), seed(3, &pairing, 2));
}
