//! Problems of any size for the domains in the game library: Racko, Battleship and GOPS.
//!
//! The sizes of the published experiment are Racko with 6 to 10 slots and 30 to 60 cards, Battleship with 1 to 5 ships
//! on 4x4 to 10x10 cells, and GOPS with 2 to 10 bids and 10 to 40 extra cards.

use std::fmt::Write;

/// The domain of [`racko`]'s problems.
pub const RACKO: &str = include_str!("../../../../games/racko/racko.pog");
/// The domain of [`battleship`]'s problems.
pub const BATTLESHIP: &str = include_str!("../../../../games/battleship/battleship.pog");
/// The domain of [`gops`]'s problems.
pub const GOPS: &str = include_str!("../../../../games/gops/gops.pog");

/// Greatest number of cards, slots or cells that a problem is written for.
const MAX_OBJECTS: usize = 2_000;

/// Battleship's fleet in the order of placing, with lengths.
const FLEET: [(&str, usize); 5] =
    [("patrol", 2), ("destroyer", 3), ("submarine", 3), ("battleship", 4), ("carrier", 5)];

/// The reason why a problem of that size cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Infeasible(pub String);

fn refuse<T>(message: impl Into<String>) -> Result<T, Infeasible> {
    Err(Infeasible(message.into()))
}

/// Names whose alphabetical order is that of the numbers, such as `c07`.
fn names(prefix: &str, count: usize) -> Vec<String> {
    let width = count.to_string().len().max(2);
    (1..=count).map(|number| format!("{prefix}{number:0width$}")).collect()
}

/// A problem text under construction.
struct Problem {
    text: String,
}

impl Problem {
    fn new(name: &str, domain: &str, objects: &[(&[String], &str)]) -> Problem {
        let mut text = format!("(define (problem {name})\n  (:domain {domain})\n  (:objects");
        for (names, kind) in objects {
            let _ = write!(text, "\n    {} - {kind}", names.join(" "));
        }
        text.push_str(")\n  (:init");
        Problem { text }
    }

    fn fact(&mut self, words: &[&str]) {
        let _ = write!(self.text, "\n    ({})", words.join(" "));
    }

    fn value(&mut self, term: &[&str], value: usize) {
        let _ = write!(self.text, "\n    (= ({}) {value})", term.join(" "));
    }

    fn finish(mut self) -> String {
        self.text.push_str("))\n");
        self.text
    }
}

/// A Racko problem with `slots` slots in a rack and `cards` cards in the deck.
///
/// # Errors
/// If a rack has fewer than two slots, or the deck cannot fill two racks with one card to turn over.
pub fn racko(slots: usize, cards: usize) -> Result<String, Infeasible> {
    if slots < 2 {
        return refuse("a rack needs at least 2 slots");
    }
    if cards > MAX_OBJECTS || slots > MAX_OBJECTS {
        return refuse(format!("at most {MAX_OBJECTS} slots and cards"));
    }
    if cards < 2 * slots + 1 {
        return refuse(format!("two racks of {slots} and one card to turn over need at least {} cards", 2 * slots + 1));
    }
    let (first, second) = (names("a", slots), names("b", slots));
    let deck = names("c", cards);
    let racks = [first.clone(), second.clone()].concat();
    let mut problem = Problem::new(&format!("racko-{slots}-{cards}"), "racko", &[(&racks, "slot"), (&deck, "card")]);
    problem.fact(&["whoseturn", "chance"]);
    problem.fact(&["opponent", "p1", "p2"]);
    problem.fact(&["opponent", "p2", "p1"]);
    problem.fact(&["inphase", "dealing"]);
    problem.fact(&["filling", &first[0]]);
    problem.fact(&["last-dealt", &second[slots - 1]]);
    for slot in 0..slots {
        problem.fact(&["owns", "p1", &first[slot]]);
        problem.fact(&["owns", "p2", &second[slot]]);
        problem.fact(&["dealt-after", &second[slot], &first[slot]]);
        if slot + 1 < slots {
            problem.fact(&["dealt-after", &first[slot + 1], &second[slot]]);
            problem.fact(&["above", &first[slot + 1], &first[slot]]);
            problem.fact(&["above", &second[slot + 1], &second[slot]]);
        }
    }
    for (value, card) in deck.iter().enumerate() {
        problem.fact(&["pile", card]);
        problem.value(&["value", card], value + 1);
    }
    Ok(problem.finish())
}

/// A Battleship problem: the first `ships` of the fleet (lengths 2, 3, 3, 4, 5) on `size` x `size` cells.
///
/// # Errors
/// If there is no fleet of that number, a ship is longer than the board, or the fleet has more cells than it: five
/// ships (17 cells) do not fit on 4x4.
pub fn battleship(ships: usize, size: usize) -> Result<String, Infeasible> {
    if !(1..=FLEET.len()).contains(&ships) {
        return refuse("a fleet has 1 to 5 ships, of lengths 2, 3, 3, 4, 5");
    }
    if size.saturating_mul(size) > MAX_OBJECTS {
        return refuse(format!("at most {MAX_OBJECTS} cells"));
    }
    let fleet = &FLEET[..ships];
    let cells: usize = fleet.iter().map(|(_, length)| length).sum();
    if cells > size * size {
        return refuse(format!("{ships} ships have {cells} cells and do not fit on {size}x{size}"));
    }
    if let Some((name, length)) = fleet.iter().find(|(_, length)| *length > size) {
        return refuse(format!("the {name} is {length} long and does not fit on {size}x{size}"));
    }
    let width = size.to_string().len().max(2);
    let cell = |column: usize, row: usize| format!("c{:0width$}r{:0width$}", column + 1, row + 1);
    let board: Vec<String> = (0..size)
        .flat_map(|column| (0..size).map(move |row| (column, row)))
        .map(|(column, row)| cell(column, row))
        .collect();
    let ship_names: Vec<String> = fleet.iter().map(|(name, _)| (*name).to_owned()).collect();
    let name = format!("battleship-{ships}-{size}");
    let mut problem = Problem::new(&name, "battleship", &[(&board, "cell"), (&ship_names, "ship")]);
    problem.fact(&["whoseturn", "p1"]);
    problem.fact(&["opponent", "p1", "p2"]);
    problem.fact(&["opponent", "p2", "p1"]);
    problem.fact(&["inphase", "placing"]);
    problem.fact(&["to-place", "p1", fleet[0].0]);
    for (index, (ship, length)) in fleet.iter().enumerate() {
        problem.fact(&["then", "p1", ship, "p2", ship]);
        match fleet.get(index + 1) {
            Some((next, _)) => problem.fact(&["then", "p2", ship, "p1", next]),
            None => problem.fact(&["last-placed", "p2", ship]),
        }
        for role in ["p1", "p2"] {
            problem.value(&["unhit", role, ship], *length);
        }
    }
    for role in ["p1", "p2"] {
        problem.value(&["afloat", role], ships);
    }
    for (ship, length) in fleet {
        for column in 0..size {
            for row in 0..size {
                for (direction, across, down) in [("across", 1, 0), ("down", 0, 1)] {
                    if column + across * (length - 1) >= size || row + down * (length - 1) >= size {
                        continue;
                    }
                    let start = cell(column, row);
                    problem.fact(&["fits", ship, &start, direction]);
                    for step in 0..*length {
                        let covered = cell(column + across * step, row + down * step);
                        problem.fact(&["covers", ship, &start, direction, &covered]);
                    }
                }
            }
        }
    }
    Ok(problem.finish())
}

/// A GOPS problem with `bids` cards in each hand, as many rounds, and `extra` cards that are never shown. With
/// `open_bids`, both bids are shown after each round, else only the winner.
///
/// # Errors
/// If there are no bids or too many cards.
pub fn gops(bids: usize, extra: usize, open_bids: bool) -> Result<String, Infeasible> {
    if bids == 0 {
        return refuse("a hand needs at least 1 card");
    }
    let count = bids.saturating_mul(3).saturating_add(extra);
    if count > MAX_OBJECTS {
        return refuse(format!("{count} cards; at most {MAX_OBJECTS}"));
    }
    let (places, cards) = (names("n", bids), names("c", count));
    let name = format!("gops-{bids}-{extra}{}", if open_bids { "" } else { "-closed" });
    let mut problem = Problem::new(&name, "gops", &[(&places, "place"), (&cards, "card")]);
    problem.fact(&["whoseturn", "chance"]);
    problem.fact(&["opponent", "p1", "p2"]);
    problem.fact(&["opponent", "p2", "p1"]);
    problem.fact(&["inphase", "dealing"]);
    if open_bids {
        problem.fact(&["open-bids"]);
    }
    problem.fact(&["dealing-to", "p1", &places[0]]);
    problem.fact(&["round", &places[0]]);
    problem.fact(&["last-dealt", "p2", &places[bids - 1]]);
    problem.fact(&["last-round", &places[bids - 1]]);
    for (index, place) in places.iter().enumerate() {
        problem.fact(&["then", "p1", place, "p2", place]);
        if let Some(next) = places.get(index + 1) {
            problem.fact(&["then", "p2", place, "p1", next]);
            problem.fact(&["next-round", next, place]);
        }
    }
    for (value, card) in cards.iter().enumerate() {
        problem.fact(&["deck", card]);
        problem.value(&["value", card], value + 1);
    }
    for role in ["p1", "p2"] {
        problem.value(&["score", role], 0);
    }
    Ok(problem.finish())
}
