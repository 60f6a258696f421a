//! The sampler on hard positions of the paper's games, early in a match, compared with closed formulas and with a count
//! of placements without rules: sizes of 10^6 to 10^20 histories, and frequencies of marginal values.

use std::collections::HashMap;

use percept_game::{
    Game, JointMove, MoveId,
    play::{Limits, play_match},
    pogddl::generate,
};
use percept_infoset::{
    Budget, DEFAULT_MEMORY, Estimate, View,
    csp::{Csp, sampler::Tally},
};
use percept_test::games::declared;
use percept_test::{is_heavy, more, pogddl};

/// The number of draws held at once.
const PART: usize = 100_000;

/// The number of uniform draws in each position.
fn draws() -> usize {
    more(5_000, 1_000_000)
}

fn game(domain: &str, problem: &str) -> Game {
    pogddl(&[domain, problem], declared(&[domain]))
}

/// A random match, and the names of its moves in each round.
fn played(game: &Game, number: u64) -> (Vec<JointMove>, Vec<Vec<String>>) {
    let (_, rounds) = play_match(game, number, &Limits { seed: 5, ..Limits::default() });
    let name = |joint: &JointMove| {
        let made = game.role_ids().zip(joint).find(|(_, mv)| **mv != MoveId::NOOP).expect("a role moves");
        let name = game.rules.move_name(made.0, *made.1);
        name.trim_matches(['(', ')']).split(' ').map(String::from).collect()
    };
    let names = rounds.iter().map(name).collect();
    (rounds, names)
}

/// The result of draws: the estimated size of the set, the effective number of weighted draws, and the number of times
/// each move was made in one round by uniform draws.
struct Sample {
    estimate: Estimate,
    effective: f64,
    counts: HashMap<String, u64>,
}

/// Draws from p1's set after these moves; counts the moves of `role` in `round`.
fn draw(game: &Game, moves: &[JointMove], round: usize, role: &str, draws: usize) -> Sample {
    let role = game.role(role).expect("a role");
    let view = View::of_match(game, game.role("p1").expect("a role"), moves).expect("a match");
    let csp = Csp::new(game, &view, DEFAULT_MEMORY, &Budget::default()).expect("a network");
    let (problem, sampler) = (csp.problem().expect("possible"), csp.sampler().expect("possible"));
    let group = problem.groups.iter().position(|group| group.round == round && group.role == role.0 as usize);
    let decided = problem.decided[round][role.0 as usize];
    let (mut counts, mut tally) = (HashMap::new(), Tally::default());
    for (part, done) in (0..draws).step_by(PART).enumerate() {
        let found = sampler.draw(part as u64, true, PART.min(draws - done), &Budget::default());
        // A part of the draws is replayed: all of them are members.
        let mut some = found.clone();
        some.shorten(20);
        assert_eq!(csp.members(&some, &Budget::default()).len(), 20);
        tally.add(&found.tally);
        let width = problem.groups.len();
        for row in found.options.chunks_exact(width.max(1)) {
            let mv = group.map_or(decided, |at| Some(problem.groups[at].options[row[at] as usize].0));
            *counts.entry(game.rules.move_name(role, mv.expect("a move"))).or_default() += 1;
        }
    }
    Sample { estimate: sampler.estimate(&tally), effective: tally.effective(), counts }
}

/// Checks that the estimate is within five standard errors of the truth, and that the draws are effective.
fn check(name: &str, sample: &Sample, truth: f64) {
    let Sample { estimate, effective, .. } = sample;
    eprintln!(
        "{name}: {truth:.6e}, estimated {:.6e} ± {:.1e}, worth {effective:.3}",
        estimate.mean, estimate.standard_error
    );
    assert!((estimate.mean - truth).abs() <= 5.0 * estimate.standard_error, "{name}: {truth:e}, {estimate:?}");
    assert!(*effective >= 0.25, "{name}: {effective}");
}

/// The number of times each card was dealt.
fn by_card(sample: &Sample, cards: usize) -> Vec<u64> {
    let mut counts = vec![0; cards + 1];
    for (mv, &count) in &sample.counts {
        counts[number(mv.trim_end_matches(')').rsplit(' ').next().expect("a card"))] += count;
    }
    counts
}

/// Chi-square of counts against expected shares; the bound is about p = 1e-5 (Wilson and Hilferty).
fn chi_square(name: &str, counts: &[u64], shares: &[f64]) {
    let draws: u64 = counts.iter().sum();
    let total: f64 = shares.iter().sum();
    let mut freedom = -1.0;
    let mut statistic = 0.0;
    for (&count, &share) in counts.iter().zip(shares) {
        let expected = draws as f64 * share / total;
        if expected == 0.0 {
            assert_eq!(count, 0, "{name}: an impossible value was drawn");
            continue;
        }
        freedom += 1.0;
        statistic += (count as f64 - expected).powi(2) / expected;
    }
    let spread = 2.0 / (9.0 * freedom);
    let bound = freedom * (1.0f64 - spread + 4.27 * spread.sqrt()).powi(3);
    eprintln!("{name}: chi-square {statistic:.1} on {freedom} degrees of freedom, {draws} draws");
    assert!(statistic < bound, "{name}: {statistic} on {freedom}");
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

fn number(card: &str) -> usize {
    card.trim_start_matches('c').parse().expect("a card")
}

/// After t bids, the other hand has n - t of the u cards that p1 has not seen, dealt in any order.
#[test]
fn gops_with_open_bids() {
    let sizes: &[(usize, usize)] = if is_heavy() { &[(4, 20), (10, 40)] } else { &[(6, 30)] };
    for &(bids, extra) in sizes {
        let game = game(generate::GOPS, &generate::gops(bids, extra, true).unwrap());
        let (moves, names) = played(&game, 0);
        for rounds in [0, bids / 3] {
            // The moves up to p1's bid in round `rounds`.
            let end = (0..names.len()).filter(|&at| names[at][0] == "bid-first").nth(rounds).expect("a bid");
            let unseen = 2 * bids + extra - (rounds + 1) - rounds;
            let truth = factorial(bids) * binomial(unseen, bids - rounds);
            let first = names.iter().position(|name| name[0] == "deal" && name[1] == "p2").expect("a deal");
            let sample = draw(&game, &moves[..end], first, "chance", draws());
            check(&format!("GOPS {bids}/{extra} after {rounds} rounds"), &sample, truth);
            // A card in any dealt position is a bid made already (each with the same probability) or any of the unseen
            // cards.
            let cards = 3 * bids + extra;
            let gone: Vec<usize> = names[..end]
                .iter()
                .filter(|name| ["expose", "bid-first"].contains(&&*name[0]) || name[0] == "deal" && name[1] == "p1")
                .map(|name| number(name.last().expect("a card")))
                .collect();
            let bid: Vec<usize> =
                names[..end].iter().filter(|name| name[0] == "bid-second").map(|name| number(&name[1])).collect();
            let share = |card: usize| match () {
                () if card == 0 => 0.0,
                () if bid.contains(&card) => 1.0 / bids as f64,
                () if gone.contains(&card) => 0.0,
                () => (bids - rounds) as f64 / bids as f64 / unseen as f64,
            };
            let shares: Vec<f64> = (0..=cards).map(share).collect();
            chi_square(
                &format!("GOPS {bids}/{extra} after {rounds} rounds, first card"),
                &by_card(&sample, cards),
                &shares,
            );
        }
    }
}

/// Only the winner of each bid is announced: the number of bids with these results, times the number of ways to fill
/// the rest of the hand.
#[test]
fn gops_with_closed_bids() {
    let sizes: &[(usize, usize)] = if is_heavy() { &[(6, 40), (8, 40)] } else { &[(6, 30)] };
    for &(bids, extra) in sizes {
        let game = game(generate::GOPS, &generate::gops(bids, extra, false).unwrap());
        let (moves, names) = played(&game, 1);
        let rounds = bids / 3 + 1;
        let end = (0..names.len()).filter(|&at| names[at][0] == "bid-first").nth(rounds).expect("a bid");
        let seen: Vec<usize> = names[..end]
            .iter()
            .filter(|name| name[0] == "expose" || name[0] == "deal" && name[1] == "p1")
            .map(|name| number(name.last().expect("a card")))
            .collect();
        let unseen: Vec<usize> = (1..=3 * bids + extra).filter(|card| !seen.contains(card)).collect();
        let settled: Vec<(usize, usize)> = names[..end]
            .iter()
            .filter(|name| name[0] == "settle")
            .map(|name| (number(&name[1]), number(&name[2])))
            .collect();
        assert_eq!(settled.len(), rounds);
        // A prize is also exposed after a bid. A card exposed later was not in the hand, which `unseen` takes into
        // account.
        let ways = bid_sequences(&unseen, &settled);
        let truth = factorial(bids) * binomial(unseen.len() - rounds, bids - rounds) * ways;
        let sample = draw(&game, &moves[..end], 0, "chance", draws() / 20);
        check(&format!("GOPS {bids}/{extra}, closed, after {rounds} rounds"), &sample, truth);
    }
}

/// The number of ways to bid different unseen cards that win and lose against the given bids as observed.
fn bid_sequences(unseen: &[usize], settled: &[(usize, usize)]) -> f64 {
    fn count(unseen: &[usize], settled: &[(usize, usize)], used: &mut Vec<usize>) -> f64 {
        let Some((&(own, other), rest)) = settled.split_first() else { return 1.0 };
        let fits = |card: usize| (card > own) == (other > own);
        if rest.is_empty() {
            return unseen.iter().filter(|&&card| fits(card) && !used.contains(&card)).count() as f64;
        }
        let mut sum = 0.0;
        for &card in unseen {
            if fits(card) && !used.contains(&card) {
                used.push(card);
                sum += count(unseen, rest, used);
                used.pop();
            }
        }
        sum
    }
    count(unseen, settled, &mut Vec::new())
}

/// Right after the deal, any cards in any order except the ascending one are possible.
#[test]
fn racko_after_the_deal() {
    let sizes: &[(usize, usize)] = if is_heavy() { &[(8, 40), (10, 60)] } else { &[(6, 30)] };
    for &(slots, cards) in sizes {
        let game = game(generate::RACKO, &generate::racko(slots, cards).unwrap());
        let (moves, names) = played(&game, 0);
        let end = names.iter().position(|name| name[0] == "turn-over").expect("a card is turned over") + 1;
        let unseen = cards - slots - 1;
        let sorted = binomial(unseen, slots);
        let truth = sorted * factorial(slots) - sorted;
        let first = names.iter().position(|name| name[0] == "deal" && name[2] == "p2").expect("a deal");
        let sample = draw(&game, &moves[..end], first, "chance", draws());
        check(&format!("Racko {slots}/{cards} after the deal"), &sample, truth);
        // The k-th smallest unseen card is in the lowest slot of (u-1)!/(u-s)! racks, less the sorted ones.
        let seen: Vec<usize> = names[..end]
            .iter()
            .filter(|name| name[0] == "turn-over" || name[2] == "p1")
            .map(|name| number(name.last().expect("a card")))
            .collect();
        let mut shares = vec![0.0; cards + 1];
        for (rank, card) in (1..=cards).filter(|card| !seen.contains(card)).enumerate() {
            let above = unseen - rank - 1;
            let rest = if above + 1 >= slots { binomial(above, slots - 1) } else { 0.0 };
            shares[card] = truth / unseen as f64 + sorted / unseen as f64 - rest;
        }
        chi_square(&format!("Racko {slots}/{cards} after the deal, first slot"), &by_card(&sample, cards), &shares);
    }
}

/// A set of cells of at most 10x10.
type Cells = u128;

const FLEET: [(&str, usize); 5] =
    [("patrol", 2), ("destroyer", 3), ("submarine", 3), ("battleship", 4), ("carrier", 5)];

/// All placements of a ship of this length, with the name of its first cell.
fn placements(size: usize, length: usize) -> Vec<(String, Cells)> {
    let mut all = Vec::new();
    for column in 0..size {
        for row in 0..size {
            for (direction, across, down) in [("across", 1, 0), ("down", 0, 1)] {
                if column + across * (length - 1) < size && row + down * (length - 1) < size {
                    let cells = (0..length).map(|step| 1 << ((column + across * step) * size + row + down * step));
                    all.push((format!("c{:02}r{:02} {direction}", column + 1, row + 1), cells.sum()));
                }
            }
        }
    }
    all
}

fn cell(name: &str, size: usize) -> Cells {
    let (column, row) = name.trim_start_matches('c').split_once('r').expect("a cell");
    1 << ((column.parse::<usize>().expect("a number") - 1) * size + row.parse::<usize>().expect("a number") - 1)
}

/// The number of ways to place the ships without overlap, by the placement of the last ship.
fn fleets(ships: &[Vec<Cells>]) -> Vec<f64> {
    fn count(ships: &[Vec<Cells>], taken: Cells, ways: &mut [f64]) {
        match ships {
            [last] => {
                for (way, cells) in ways.iter_mut().zip(last) {
                    *way += f64::from(u8::from(cells & taken == 0));
                }
            }
            [first, rest @ ..] => {
                for cells in first.iter().filter(|cells| *cells & taken == 0) {
                    count(rest, taken | cells, ways);
                }
            }
            [] => {}
        }
    }
    let mut ways = vec![0.0; ships.last().map_or(0, Vec::len)];
    count(ships, 0, &mut ways);
    ways
}

/// The other fleet after some shots: all placements consistent with every answer, counted ship by ship.
#[test]
fn battleship_after_some_shots() {
    let sizes: &[(usize, usize, usize)] =
        if is_heavy() { &[(3, 10, 3), (4, 8, 6), (5, 6, 4)] } else { &[(3, 8, 3), (3, 10, 5)] };
    for &(ships, size, shots) in sizes {
        let game = game(generate::BATTLESHIP, &generate::battleship(ships, size).unwrap());
        let (moves, names) = played(&game, 2);
        let end =
            (0..names.len()).filter(|&at| names[at][0] == "shoot" && names[at][1] == "p1").nth(shots).expect("a shot");
        let answers: Vec<&Vec<String>> =
            names[..end].iter().filter(|name| name[0].starts_with("answer") && name[1] == "p1").collect();
        let (mut missed, mut hit) = (0, vec![0; ships]);
        for name in &answers {
            match FLEET.iter().position(|(ship, _)| Some(*ship) == name.get(4).map(String::as_str)) {
                Some(ship) => hit[ship] |= cell(&name[3], size),
                None => missed |= cell(&name[3], size),
            }
        }
        let fits = |ship: usize| -> Vec<(String, Cells)> {
            let others: Cells = (0..ships).filter(|&other| other != ship).map(|other| hit[other]).sum();
            let fits = |cells: &Cells| cells & (missed | others) == 0 && cells & hit[ship] == hit[ship];
            placements(size, FLEET[ship].1).into_iter().filter(|(_, cells)| fits(cells)).collect()
        };
        let allowed: Vec<Vec<(String, Cells)>> = (0..ships).map(fits).collect();
        let cells: Vec<Vec<Cells>> =
            allowed.iter().map(|ship| ship.iter().map(|(_, cells)| *cells).collect()).collect();
        let ways = fleets(&cells);
        let truth: f64 = ways.iter().sum();
        let name = format!("Battleship {ships} ships {size}x{size} after {} answers", answers.len());
        let last = FLEET[ships - 1].0;
        let placed = |name: &Vec<String>| name[0] == "place" && name[1] == "p2" && name[3] == last;
        let round = names.iter().position(placed).expect("a placement");
        let sample = draw(&game, &moves[..end], round, "p2", draws());
        check(&name, &sample, truth);
        let mut counts = vec![0u64; ways.len()];
        for (mv, &count) in &sample.counts {
            let ends = |(place, _): &(String, Cells)| mv.trim_end_matches(')').ends_with(place.as_str());
            counts[allowed[ships - 1].iter().position(ends).expect("a placement that fits")] += count;
        }
        chi_square(&format!("{name}, the {last}"), &counts, &ways);
    }
}
