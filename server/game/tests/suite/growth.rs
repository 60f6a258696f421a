//! The cost of a game grows with its board as the board does, without a jump: by the work of the set-up and by the
//! operands of the circuit, which no other program on the machine changes.

use percept_game::Game;
use percept_game::gdl::Grounding;
use percept_syntax::gdl::Description;

fn numbers(n: usize) -> String {
    (1..=n).map(|at| format!("(i {at})")).chain((1..n).map(|at| format!("(succ {at} {})", at + 1))).collect()
}

/// Pieces move to a neighbouring column of the next row; every other cell keeps its piece.
fn race(n: usize) -> String {
    format!(
        "(role white) (role black) {} (init (control white))
         (<= (init (holds ?x 1 white)) (i ?x)) (<= (init (holds ?x {n} black)) (i ?x))
         (<= (cell ?x ?y) (i ?x) (i ?y))
         (<= (differ ?a ?b ?c ?d) (cell ?a ?b) (cell ?c ?d) (distinct ?a ?c))
         (<= (differ ?a ?b ?c ?d) (cell ?a ?b) (cell ?c ?d) (distinct ?b ?d))
         (<= (near ?x ?u) (succ ?x ?u)) (<= (near ?x ?u) (succ ?u ?x))
         (<= (legal white (move ?x ?y ?u ?v)) (true (control white)) (true (holds ?x ?y white)) (near ?x ?u) (succ ?y ?v))
         (<= (legal black (move ?x ?y ?u ?v)) (true (control black)) (true (holds ?x ?y black)) (near ?x ?u) (succ ?v ?y))
         (<= (legal white noop) (true (control black))) (<= (legal black noop) (true (control white)))
         (<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
         (<= (next (holds ?u ?v ?r)) (does ?r (move ?x ?y ?u ?v)))
         (<= (next (holds ?c ?d ?p)) (true (holds ?c ?d ?p)) (does ?r (move ?x ?y ?u ?v)) (differ ?x ?y ?c ?d)
             (differ ?u ?v ?c ?d))
         (<= terminal (true (holds ?x {n} white))) (<= terminal (true (holds ?x 1 black)))
         (<= (goal ?r 50) (role ?r))",
        numbers(n)
    )
}

/// Marks in free cells, five in a row win; the frame rule has a disjunction of inequalities.
fn five(n: usize) -> String {
    format!(
        "(role x) (role o) {} (init (control x))
         (<= (init (cell ?x ?y b)) (i ?x) (i ?y))
         (<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
         (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
         (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
         (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
         (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (mark ?u ?v))
             (or (distinct ?x ?u) (distinct ?y ?v)))
         (<= (row ?p) (true (cell ?a ?y ?p)) (succ ?a ?b) (true (cell ?b ?y ?p)) (succ ?b ?c) (true (cell ?c ?y ?p))
             (succ ?c ?d) (true (cell ?d ?y ?p)) (succ ?d ?e) (true (cell ?e ?y ?p)))
         (<= terminal (row x)) (<= terminal (row o)) (<= (goal ?r 100) (row ?r))
         (<= (goal ?r 0) (role ?r) (not (row ?r)))",
        numbers(n)
    )
}

/// Cells are hit, and one is mended where a role stands: moves of two kinds, of which one is about the frame rule.
pub fn shots(n: usize) -> String {
    format!(
        "(role w) (role b) {} (init (hit 1 1)) (init (hit {n} {n}))
         (<= (cell ?x ?y) (i ?x) (i ?y))
         (<= (differ ?a ?b ?c ?d) (cell ?a ?b) (cell ?c ?d) (distinct ?a ?c))
         (<= (differ ?a ?b ?c ?d) (cell ?a ?b) (cell ?c ?d) (distinct ?b ?d))
         (<= (legal ?r (shoot ?x ?y)) (role ?r) (cell ?x ?y) (not (true (hit ?x ?y))))
         (<= (legal ?r (mend ?x ?y)) (role ?r) (true (hit ?x ?y)))
         (<= (next (hit ?x ?y)) (does ?r (shoot ?x ?y)))
         (<= (next (hit ?x ?y)) (true (hit ?x ?y)) (does ?r (mend ?u ?v)) (differ ?x ?y ?u ?v))
         (<= (next (hit ?x ?y)) (true (hit ?x ?y)) (does w (shoot ?u ?v)))
         (<= terminal (true (hit 1 {n})) (true (hit {n} 1)))
         (<= (goal ?r 50) (role ?r))",
        numbers(n)
    )
}

/// A game by the size of its board.
type Sized = fn(usize) -> String;

/// The games, each with the operands and the combinations tried that it may cost for each cell.
const GAMES: [(&str, Sized, usize, u64); 3] =
    [("race", race, 60, 300), ("five", five, 70, 300), ("shots", shots, 60, 300)];

fn operands(description: &Description, fuel: u64) -> Option<usize> {
    let game = Game::from_gdl_with(description, &Grounding { fuel, ..Grounding::default() }).expect("a game");
    game.rules.kept().map(|ground| ground.circuit.operand_count())
}

#[test]
fn a_larger_board_costs_what_its_cells_cost() {
    println!("{:<8} {:>4} {:>10} {:>10}", "game", "size", "operands", "per cell");
    for (name, game, most_operands, most_fuel) in GAMES {
        for n in [6, 8, 10, 12, 16, 20, 32] {
            let cells = n * n;
            let description = percept_test::description(&game(n));
            let operands = operands(&description, 20_000 + most_fuel * cells as u64);
            let operands = operands.unwrap_or_else(|| panic!("{name} {n}: the set-up takes too much work"));
            println!("{name:<8} {n:>4} {operands:>10} {:>10.1}", operands as f64 / cells as f64);
            assert!(operands <= most_operands * cells, "{name} {n}: {operands} operands");
        }
    }
}
