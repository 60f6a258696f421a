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

/// Two guards and towers: a tower may be taken unless that leaves the own guard in sight of another one, and all its
/// neighbours see it. Every move has a list of towers, and any two lists differ in a few of them.
fn towers(n: usize) -> String {
    format!(
        "(role w) (role b) (other w b) (other b w) {} (init (turn w)) (init (guard w 1 1)) (init (guard b {n} {n}))
         (<= (init (tower ?x ?y ?r)) (i ?x) (i ?y) (role ?r))
         (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?a ?c))
         (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?b ?d))
         (<= (threatened ?r ?cx ?cy ?x ?y) (other ?r ?o) (true (tower ?u ?v ?o)) (differ ?cx ?cy ?u ?v) (line ?u ?v ?x ?y))
         (<= (line ?u ?y ?x ?y) (i ?u) (i ?x) (i ?y) (distinct ?u ?x))
         (<= (line ?x ?v ?x ?y) (i ?v) (i ?x) (i ?y) (distinct ?v ?y))
         (<= (legal ?r (take ?x ?y)) (true (turn ?r)) (other ?r ?o) (true (tower ?x ?y ?o)) (true (guard ?r ?kx ?ky))
             (not (threatened ?r ?x ?y ?kx ?ky)))
         (<= (legal ?r (step ?u ?v ?x ?y)) (true (turn ?r)) (true (guard ?r ?u ?v)) (line ?u ?v ?x ?y)
             (not (threatened ?r ?x ?y ?x ?y)))
         (<= (legal ?r noop) (role ?r) (not (true (turn ?r)))) (<= (legal ?r pass) (true (turn ?r)))
         (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
         (<= (next (guard ?r ?x ?y)) (does ?r (step ?u ?v ?x ?y)))
         (<= (next (guard ?r ?x ?y)) (true (guard ?r ?x ?y)) (not (steps ?r)))
         (<= (steps ?r) (does ?r (step ?u ?v ?x ?y)))
         (<= (next (tower ?x ?y ?o)) (true (tower ?x ?y ?o)) (other ?r ?o) (not (does ?r (take ?x ?y))))
         (<= terminal (true (guard w ?x ?y)) (true (guard b ?x ?y)))
         (<= (goal ?r 50) (role ?r))",
        numbers(n)
    )
}

/// One piece for each role slides along rows and columns: a move for each two cells of a line.
fn slides(n: usize) -> String {
    format!(
        "(role w) (role b) {} (init (at w 1 1)) (init (at b {n} {n})) (init (turn w))
         (<= (line ?x ?y ?u ?y) (i ?x) (i ?y) (i ?u) (distinct ?x ?u))
         (<= (line ?x ?y ?x ?v) (i ?x) (i ?y) (i ?v) (distinct ?y ?v))
         (<= (legal ?r (slide ?x ?y ?u ?v)) (true (turn ?r)) (true (at ?r ?x ?y)) (line ?x ?y ?u ?v))
         (<= (legal w noop) (true (turn b))) (<= (legal b noop) (true (turn w)))
         (<= (next (turn w)) (true (turn b))) (<= (next (turn b)) (true (turn w)))
         (<= (next (at ?r ?u ?v)) (does ?r (slide ?x ?y ?u ?v)))
         (<= (next (at w ?x ?y)) (true (turn b)) (true (at w ?x ?y)))
         (<= (next (at b ?x ?y)) (true (turn w)) (true (at b ?x ?y)))
         (<= terminal (true (at w ?x ?y)) (true (at b ?x ?y)))
         (<= (goal ?r 50) (role ?r))",
        numbers(n)
    )
}

/// A lamp is hidden in one of the cells; a role that walks sees the lamps of its row, and those that go out beside it.
fn fog(n: usize) -> String {
    format!(
        "(role ann) (role random) {} (init (at 1 1)) (init (lamp {n} {n}))
         (<= (near ?x ?u) (succ ?x ?u)) (<= (near ?x ?u) (succ ?u ?x))
         (<= (beside ?x ?y ?u ?y) (near ?x ?u) (i ?y)) (<= (beside ?x ?y ?x ?v) (i ?x) (near ?y ?v))
         (<= (legal ann (go ?u ?v)) (true (at ?x ?y)) (beside ?x ?y ?u ?v))
         (<= (legal random (light ?x ?y)) (i ?x) (i ?y) (not (true (lamp ?x ?y))))
         (<= (legal random wait) (true (at ?x ?y)))
         (<= (next (at ?u ?v)) (does ann (go ?u ?v)))
         (<= (next (lamp ?x ?y)) (does random (light ?x ?y)))
         (<= (next (lamp ?x ?y)) (true (lamp ?x ?y)) (not (does ann (go ?x ?y))))
         (<= (sees ann (shines ?x)) (does ann (go ?x ?v)) (true (lamp ?x ?y)))
         (<= (sees ann (out ?u ?v)) (does ann (go ?u ?v)) (true (lamp ?u ?v)))
         (<= (lit) (true (lamp ?x ?y)))
         (<= terminal (not (lit))) (<= (goal ?r 50) (role ?r))",
        numbers(n)
    )
}

/// Two heaps, each of up to `n` pieces, of which some are taken; the last rule compares them.
fn heaps(n: usize) -> String {
    format!(
        "(role w) (role b) {} (h 1) (h 2) (init (heap 1 {n})) (init (heap 2 {n}))
         (<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
         (<= (legal w (leave ?h ?k)) (true (heap ?h ?n)) (less ?k ?n)) (legal w pass)
         (<= (legal b (leave ?h ?k)) (true (heap ?h ?n)) (less ?k ?n)) (legal b pass)
         (<= (next (heap ?h ?k)) (does w (leave ?h ?k)))
         (<= (next (heap ?h ?k)) (does b (leave ?h ?k)) (not (taken w ?h)))
         (<= (next (heap ?h ?k)) (true (heap ?h ?k)) (not (taken w ?h)) (not (taken b ?h)))
         (<= (taken ?r ?h) (does ?r (leave ?h ?k)))
         (<= uneven (true (heap 1 ?a)) (true (heap 2 ?b)) (less ?a ?b))
         (<= terminal (true (heap 1 1)) (true (heap 2 1)))
         (<= (goal w 100) uneven) (<= (goal w 0) (not uneven)) (goal b 50)",
        numbers(n)
    )
}

/// A game by the size of its board.
type Sized = fn(usize) -> String;

/// The games, each with the operands and the combinations tried that it may cost for each cell.
const GAMES: [(&str, Sized, usize, u64); 3] =
    [("race", race, 60, 300), ("five", five, 70, 300), ("shots", shots, 60, 300)];

fn ground(description: &Description, fuel: u64) -> Option<(usize, usize)> {
    let game = Game::from_gdl_with(description, &Grounding { fuel, ..Grounding::default() }).expect("a game");
    game.rules.kept().map(|ground| (ground.circuit.nodes().len(), ground.circuit.operand_count()))
}

#[test]
fn a_larger_board_costs_what_its_cells_cost() {
    println!("{:<8} {:>4} {:>10} {:>10}", "game", "size", "operands", "per cell");
    for (name, game, most_operands, most_fuel) in GAMES {
        for n in [6, 8, 10, 12, 16, 20, 32] {
            let cells = n * n;
            let description = percept_test::description(&game(n));
            let ground = ground(&description, 20_000 + most_fuel * cells as u64);
            let (_, operands) = ground.unwrap_or_else(|| panic!("{name} {n}: the set-up takes too much work"));
            println!("{name:<8} {n:>4} {operands:>10} {:>10.1}", operands as f64 / cells as f64);
            assert!(operands <= most_operands * cells, "{name} {n}: {operands} operands");
        }
    }
}

#[test]
fn more_numbers_cost_what_they_are() {
    for n in [200, 400, 800, 1600, 3200] {
        let description = percept_test::description(&heaps(n));
        let (_, operands) = ground(&description, 20_000 + 200 * n as u64).expect("little work");
        println!("heaps of {n:>4}: {operands:>7} operands, {:.1} for each number", operands as f64 / n as f64);
        assert!(operands <= 60 * n, "{n}: {operands} operands");
    }
}

/// The games, each with the greatest exponents of the side of its board with which gates, operands and the rows tried in
/// the set-up may grow: 2 for what is in each cell, 3 for what is between the cells of a line. The set-up of `five` tries
/// more rows than that, for a frame rule with a disjunction of inequalities.
const EXPONENTS: [(&str, Sized, [f64; 3]); 5] = [
    ("race", race, [2.15, 2.15, 2.15]),
    ("five", five, [2.15, 2.15, 2.65]),
    ("shots", shots, [2.1, 2.1, 2.1]),
    ("slides", slides, [3.0, 3.0, 3.1]),
    ("fog", fog, [2.1, 2.1, 2.1]),
];

/// The least fuel with which the set-up succeeds: the rows tried, up to a fiftieth.
fn rows(description: &Description) -> u64 {
    let succeeds = |fuel| ground(description, fuel).is_some();
    let mut most = (1..).map(|bits| 1 << bits).find(|fuel| succeeds(*fuel)).expect("enough fuel for a game");
    let mut least = most / 2;
    while most - least > most / 50 {
        let middle = least + (most - least) / 2;
        *(if succeeds(middle) { &mut most } else { &mut least }) = middle;
    }
    most
}

#[test]
fn five_games_grow_as_their_boards_do() {
    const SIZES: [usize; 8] = [6, 8, 10, 12, 14, 16, 18, 20];
    let title = |kind| println!("\n{kind:<10} {} {:>9}", SIZES.map(|n| format!("{n:>8}")).concat(), "exponent");
    let counts = EXPONENTS.map(|(name, game, most)| {
        let counts = SIZES.map(|n| {
            let description = percept_test::description(&game(n));
            let rows = rows(&description);
            let (gates, operands) = ground(&description, rows).expect("enough fuel");
            [gates as u64, operands as u64, rows]
        });
        (name, most, counts)
    });
    let mut too_fast = Vec::new();
    for (kind, what) in ["gates", "operands", "rows"].into_iter().enumerate() {
        title(what);
        for (name, most, counts) in &counts {
            let of = |size: usize| counts[size][kind] as f64;
            // From 12 to 20: what is the same for all sizes no longer counts.
            let exponent = (of(7) / of(3)).ln() / (SIZES[7] as f64 / SIZES[3] as f64).ln();
            println!("{name:<10} {} {exponent:>9.2}", counts.map(|count| format!("{:>8}", count[kind])).concat());
            let most = most[kind];
            too_fast.extend((exponent > most).then(|| format!("{what} of {name}: {exponent:.2}, at most {most}")));
        }
    }
    assert!(too_fast.is_empty(), "{too_fast:#?}");
}

#[test]
fn what_moves_have_in_common_is_played_once() {
    println!("{:>4} {:>10} {:>10}", "size", "operands", "played");
    for n in [4, 6, 8] {
        let game = Game::from_gdl(&percept_test::description(&towers(n))).expect("a game");
        let ground = game.rules.kept().expect("a circuit");
        let played = game.rules.playouts().expect("a circuit");
        let (operands, played) =
            (ground.circuit.operand_count(), played.sizes().map(|(_, operands, _)| operands).sum::<usize>());
        println!("{n:>4} {operands:>10} {played:>10}");
        assert!(played * 10 <= operands * 7, "{n}: {played} of {operands} operands");
    }
}
