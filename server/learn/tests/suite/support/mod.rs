//! Games for the tests: the paper's card example and others.

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::View;
use percept_learn::encode::{Encoding, Pairs};
use percept_learn::vocabulary::Vocabulary;
use percept_test::gdl;
use percept_test::matches::random;

/// The card game of the paper's example: a referee turns over jack, queen or king, then each player bids one of its own
/// cards for it, and both learn the winner.
pub fn cards() -> Game {
    gdl("(role one) (role two) (role random)
         (player one) (player two)
         (card jack) (card queen) (card king)
         (beats queen jack) (beats king jack) (beats king queen)
         (init hidden)
         (<= (legal random (turn ?c)) (true hidden) (card ?c))
         (<= (legal random wait) (not (true hidden)))
         (<= (legal ?p wait) (player ?p) (true hidden))
         (<= (legal ?p ?c) (player ?p) (card ?c) (not (true hidden)))
         (<= (next over) (not (true hidden)))
         (<= (sees ?p (shown ?c)) (player ?p) (does random (turn ?c)))
         (<= (sees ?p loss) (player ?p) (does one ?a) (does two ?b) (beats ?b ?a))
         (<= (sees ?p draw) (player ?p) (does one ?a) (does two ?a) (card ?a))
         (<= (sees ?p win) (player ?p) (does one ?a) (does two ?b) (beats ?a ?b))
         (<= terminal (true over))
         (<= (goal ?p 50) (player ?p))")
}

/// Two hunters on four squares: moves are secret, and only the mover learns that its move is blocked.
pub fn secrets() -> Game {
    gdl("(role a) (role b)
         (chooses a) (chooses b)
         (square 1) (square 2) (square 3) (square 4)
         (round 0 1) (round 1 2) (round 2 3)
         (init (at 0))
         (<= (legal ?r (take ?s)) (chooses ?r) (square ?s))
         (<= (free ?s) (square ?s) (not (true (taken ?s))))
         (<= (next (taken ?s)) (true (taken ?s)))
         (<= (next (taken ?s)) (does ?r (take ?s)))
         (<= (next (at ?n)) (true (at ?m)) (round ?m ?n))
         (<= (sees ?r blocked) (does ?r (take ?s)) (true (taken ?s)))
         (<= (sees ?r clash) (chooses ?r) (does a (take ?s)) (does b (take ?s)))
         (<= terminal (true (at 3)))
         (<= (goal ?r 50) (chooses ?r))")
}

pub fn encoding(game: &Game, role: u16, pairs: &Pairs) -> Encoding {
    Encoding::new(game, RoleId(role), &Vocabulary::of(game), pairs).unwrap()
}

/// A random match, to its end.
pub fn played(game: &Game, seed: u64) -> Vec<JointMove> {
    random(game, seed, usize::MAX)
}

pub fn view(game: &Game, role: u16, moves: &[JointMove]) -> View {
    View::of_match(game, RoleId(role), moves).unwrap()
}
