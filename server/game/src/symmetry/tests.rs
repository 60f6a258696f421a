//! Symmetries of small games, checked by play: a state renamed before a round is the state renamed after it.

use percept_syntax::{Language, Source, Syntax};
use rand::SeedableRng;
use rand::seq::IndexedRandom;

use super::{Symmetries, Symmetry};
use crate::{Budget, Game, MoveId, RoleId};

fn game(text: &str) -> Game {
    let source = Source::parse(text.to_string(), Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    Game::from_gdl(description).expect("a game")
}

fn symmetries(game: &Game) -> Symmetries {
    Symmetries::of(game, game.rules.kept().expect("a ground game"), &Budget::default())
}

/// A guesser looks for one of four colours that chance hides, and learns if it was right.
const GUESS: &str = "
    (role random) (role guesser)
    (colour red) (colour green) (colour blue) (colour grey)
    (init begin)
    (<= (legal random (hide ?c)) (true begin) (colour ?c))
    (<= (legal random noop) (not (true begin)))
    (<= (legal guesser (guess ?c)) (colour ?c))
    (<= (next (hidden ?c)) (does random (hide ?c)))
    (<= (next (hidden ?c)) (true (hidden ?c)))
    (<= (next (tried ?c)) (does guesser (guess ?c)) (not (true begin)))
    (<= (next (tried ?c)) (true (tried ?c)))
    (<= (sees guesser right) (does guesser (guess ?c)) (true (hidden ?c)))
    (<= found (true (hidden ?c)) (true (tried ?c)))
    (<= terminal found)
    (<= (goal guesser 100) found)
    (<= (goal guesser 0) (not found))";

#[test]
fn colours_are_alike() {
    let game = game(GUESS);
    let found = symmetries(&game);
    assert_eq!(found.elements(100).len(), 24, "every order of four colours");
    assert!(found.of_roles.is_empty());
    let orbits = found.orbits(game.rules.fluent_count(), |symmetry, it| symmetry.fluent(crate::FluentId(it)).0);
    let mut least = orbits.clone();
    least.sort_unstable();
    least.dedup();
    assert_eq!(least.len(), 3, "the beginning, what is hidden, what was tried");
    assert_eq!(found.elements(10).len(), 6, "a part, where all would be too many");
}

#[test]
fn a_colour_that_is_worth_more_is_not_alike() {
    let game = game(&format!("{GUESS} (<= (goal guesser 50) (true (hidden grey)) (not found))"));
    assert_eq!(symmetries(&game).elements(100).len(), 6, "every order of three colours");
}

/// Tic-Tac-Toe's board has eight symmetries, in either role's turn.
#[test]
fn boards_turn() {
    let lines = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]];
    let line = |it: [u8; 3]| format!("(line {} {} {})", it[0], it[1], it[2]);
    let cells: String = (1..=9).map(|it| format!("(cell {it})")).collect();
    let text = format!(
        "(role x) (role o) (init (control x)) {cells} {}
        (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
        (<= (taken ?c) (true (mark ?c ?r)))
        (<= (legal ?r (put ?c)) (role ?r) (true (control ?r)) (cell ?c) (not (taken ?c)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (mark ?c ?r)) (does ?r (put ?c))) (<= (next (mark ?c ?r)) (true (mark ?c ?r)))
        (<= (won ?r) (line ?a ?b ?c) (true (mark ?a ?r)) (true (mark ?b ?r)) (true (mark ?c ?r)))
        (<= open (cell ?c) (not (taken ?c)))
        (<= terminal (won ?r)) (<= terminal (not open))
        (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))",
        lines.map(line).join(" ")
    );
    let game = game(&text);
    let found = symmetries(&game);
    assert_eq!(found.elements(100).len(), 8);
    assert!(found.of_roles.is_empty(), "x begins");
    found.of_things.iter().for_each(|symmetry| renames_matches(&game, symmetry));
}

/// Two who choose at once may change places.
#[test]
fn roles_change_places() {
    let game = game(
        "(role left) (role right) (init begin)
        (beats rock scissors) (beats scissors paper) (beats paper rock)
        (<= (legal ?r ?m) (role ?r) (beats ?m ?n))
        (<= (next (chose ?r ?m)) (does ?r ?m))
        (<= terminal (not (true begin)))
        (<= (won ?r) (true (chose ?r ?m)) (true (chose ?s ?n)) (beats ?m ?n) (distinct ?r ?s))
        (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))",
    );
    let found = symmetries(&game);
    assert_eq!(found.elements(100).len(), 3, "round and round");
    assert!(found.of_roles.iter().any(|symmetry| symmetry.role(RoleId(0)) == RoleId(1)));
    found.of_things.iter().chain(&found.of_roles).for_each(|symmetry| renames_matches(&game, symmetry));
}

/// Plays, with and without other names: states, ends, goals and moves are the same but for the names.
fn renames_matches(game: &Game, symmetry: &Symmetry) {
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..20 {
        let mut state = game.rules.initial();
        assert_eq!(symmetry.state(&state), state);
        for _ in 0..10 {
            let (mut at, renamed) = (game.at(&state), symmetry.state(&state));
            let mut other = game.at(&renamed);
            assert_eq!(at.is_terminal(), other.is_terminal());
            if at.is_terminal() {
                break;
            }
            let mut any = |role| *at.legal(role).choose(&mut rng).expect("a move");
            let joint: Vec<MoveId> = game.role_ids().map(&mut any).collect();
            let image = symmetry.joint(&joint);
            for role in game.role_ids() {
                assert_eq!(at.goals(role), other.goals(symmetry.role(role)));
                assert_eq!(at.legal(role).len(), other.legal(symmetry.role(role)).len());
                assert!(other.legal(role).contains(&image[role.0 as usize]));
            }
            let next = at.next(&joint);
            assert_eq!(symmetry.state(&next), other.next(&image));
            state = next;
        }
    }
}
