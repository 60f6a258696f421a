//! The games themselves.
#![allow(clippy::needless_range_loop)]

use percept_game::{Game, MoveId, RoleId, circuit::Lit};

use super::Builder;

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Blind Tic-Tac-Toe of the GGP book, chapter 17: both mark at the same time, a coin breaks ties, and each perceives
/// only `ok`.
pub fn blind_tic_tac_toe() -> Game {
    let mut b = Builder::new(&["white", "black", "random"]);
    let name = |cell: usize| format!("{} {}", cell / 3 + 1, cell % 3 + 1);
    let coin = [b.does(2, "tiebreak x"), b.does(2, "tiebreak o")];
    b.legal(2, "tiebreak x", Lit::TRUE);
    b.legal(2, "tiebreak o", Lit::TRUE);
    let mut marks = [[Lit::FALSE; 9]; 2];
    let mut blanks = Vec::new();
    let mut ok = [vec![], vec![]];
    for cell in 0..9 {
        let at = name(cell);
        marks[0][cell] = b.is(&format!("cell {at} x"));
        marks[1][cell] = b.is(&format!("cell {at} o"));
        let blank = b.is(&format!("cell {at} b"));
        b.init(&format!("cell {at} b"));
        blanks.push(blank);
        let does = [b.does(0, &format!("mark {at}")), b.does(1, &format!("mark {at}"))];
        for role in 0..2 {
            let tried = b.is(&format!("tried {role} {at}"));
            b.legal(role, &format!("mark {at}"), !tried);
            let tried_next = b.or(&[tried, does[role]]);
            b.next(&format!("tried {role} {at}"), tried_next);
            let wins_cell = b.or(&[!does[1 - role], coin[role]]);
            let marks_cell = b.and(&[does[role], blank, wins_cell]);
            ok[role].push(marks_cell);
            let kept = b.or(&[marks[role][cell], marks_cell]);
            b.next(&format!("cell {at} {}", ["x", "o"][role]), kept);
        }
        let still = b.and(&[blank, !does[0], !does[1]]);
        b.next(&format!("cell {at} b"), still);
    }
    for role in 0..2 {
        let gate = b.or(&ok[role]);
        b.sees(role, "ok", gate);
    }
    let line = [0, 1].map(|role: usize| {
        let lines: Vec<Lit> = LINES.iter().map(|line| b.and(&line.map(|cell| marks[role][cell]))).collect();
        b.or(&lines)
    });
    let open = b.or(&blanks);
    let over = b.or(&[line[0], line[1], !open]);
    b.terminal(over);
    for role in 0..2 {
        let (mine, theirs) = (line[role], line[1 - role]);
        let win = b.and(&[mine, !theirs]);
        let both = b.and(&[mine, theirs]);
        let neither = b.and(&[!open, !mine, !theirs]);
        let draw = b.or(&[both, neither]);
        let loss = b.and(&[!mine, theirs]);
        b.goal(role, 100, win);
        b.goal(role, 50, draw);
        b.goal(role, 0, loss);
    }
    b.game()
}

/// A card game on `cards` cards: random deals one card to `me` (seen) and one to `you` (seen by you only), then you
/// bid `high` only if your card is above the middle, or `low`; I see the bid.
pub fn bids(cards: usize) -> Game {
    let mut b = Builder::new(&["me", "you", "random"]);
    let dealing = b.is("dealing");
    let bidding = b.is("bidding");
    b.init("dealing");
    let mut strong = Vec::new();
    for mine in 0..cards {
        for yours in (0..cards).filter(|&yours| yours != mine) {
            let name = format!("deal {mine} {yours}");
            b.legal(2, &name, dealing);
        }
    }
    for card in 0..cards {
        for (role, of) in ["mine", "yours"].into_iter().enumerate() {
            let deals: Vec<Lit> = (0..cards)
                .filter(|&other| other != card)
                .map(|other| {
                    let (mine, yours) = if role == 0 { (card, other) } else { (other, card) };
                    b.does(2, &format!("deal {mine} {yours}"))
                })
                .collect();
            let dealt = b.or(&deals);
            b.sees(role, &format!("card {card}"), dealt);
            let had = b.is(&format!("{of} {card}"));
            let has = b.or(&[dealt, had]);
            b.next(&format!("{of} {card}"), has);
            if role == 1 && card >= cards / 2 {
                strong.push(had);
            }
        }
    }
    let strong = b.or(&strong);
    b.legal(2, "noop", !dealing);
    b.legal(0, "noop", Lit::TRUE);
    b.legal(1, "noop", dealing);
    b.legal(1, "low", bidding);
    let may_bid_high = b.and(&[bidding, strong]);
    b.legal(1, "high", may_bid_high);
    for bid in ["low", "high"] {
        let does = b.does(1, bid);
        b.sees(0, bid, does);
    }
    b.next("bidding", dealing);
    b.next("over", bidding);
    let over = b.is("over");
    b.terminal(over);
    b.goal(0, 100, strong);
    b.goal(0, 0, !strong);
    b.goal(1, 50, Lit::TRUE);
    b.game()
}

/// A view of white in Blind Tic-Tac-Toe: for each round a cell 1..=9, and true if it perceived `ok`.
pub fn white_view(game: &Game, rounds: &[(u32, bool)]) -> percept_infoset::View {
    let ok = game.rules.find_percept(RoleId(0), "ok").expect("ok is a percept");
    let rounds = rounds
        .iter()
        .map(|&(cell, seen)| percept_infoset::Round {
            own: Some(MoveId(cell - 1)),
            percepts: if seen { vec![ok] } else { vec![] },
        })
        .collect();
    percept_infoset::View { role: RoleId(0), rounds }
}

/// Random deals `hand` of `cards` cards to you, face down and one by one; then you play some of them, face up. I see
/// that a card was dealt, not when.
pub fn hands(cards: usize, hand: usize) -> Game {
    let mut b = Builder::new(&["me", "you", "random"]);
    b.init("step 0");
    let steps: Vec<Lit> = (0..hand + cards).map(|step| b.is(&format!("step {step}"))).collect();
    for step in 0..hand + cards - 1 {
        b.next(&format!("step {}", step + 1), steps[step]);
    }
    let dealing = b.or(&steps[..hand]);
    for card in 0..cards {
        let (dealt, held) = (b.is(&format!("dealt {card}")), b.is(&format!("held {card}")));
        let (deal, play) = (b.does(2, &format!("deal {card}")), b.does(1, &format!("play {card}")));
        let may_deal = b.and(&[dealing, !dealt]);
        b.legal(2, &format!("deal {card}"), may_deal);
        let may_play = b.and(&[!dealing, held]);
        b.legal(1, &format!("play {card}"), may_play);
        b.sees(0, &format!("played {card}"), play);
        let out = b.or(&[dealt, deal]);
        b.next(&format!("dealt {card}"), out);
        let kept = b.and(&[held, !play]);
        let holds = b.or(&[kept, deal]);
        b.next(&format!("held {card}"), holds);
    }
    b.legal(2, "noop", !dealing);
    b.legal(1, "noop", dealing);
    b.legal(0, "noop", Lit::TRUE);
    b.terminal(Lit::FALSE);
    b.game()
}

/// The only move after chance grows is a word of 450 letters, nested deeper than a term may be, so the rules cannot
/// determine the legal moves and their results. For up to a third of `letters` they can, and `p` does not know its
/// goal.
pub fn growing_words(letters: usize) -> Game {
    let grown = format!("{}?x{}", "(s ".repeat(letters), ")".repeat(letters));
    let text = format!(
        "(role p) (role random) (init (round 0)) (after 0 1) (after 1 2) (legal p go)
         (<= (legal random a) (true (round 0))) (<= (legal random b) (true (round 0))) (<= (legal random c) (true ok))
         (letter z) (<= (big {grown}) (true grow) (letter ?x)) (<= (bigger {grown}) (big ?x))
         (<= (biggest {grown}) (bigger ?x)) (<= (legal random ?x) (biggest ?x))
         (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
         (<= (next ok) (does random a)) (<= (next grow) (does random b)) (<= (next seen) (true grow))
         (<= terminal (true (round 2))) (<= (goal p 100) (true seen)) (<= (goal p 0) (not (true seen)))"
    );
    percept_test::gdl(&text)
}
