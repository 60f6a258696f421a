//! Goofspiel with closed bids and prizes in descending order, of any number of cards, in GDL-II.

use std::fmt::Write as _;

/// The least and the greatest number of cards.
pub(crate) const CARDS: std::ops::RangeInclusive<usize> = 1..=60;

const RULES: &str = "
; A card and those below it.
(<= (above ?more ?less) (card ?more) (succ ?less ?more))
(<= (above ?more ?less) (card ?more) (succ ?middle ?more) (above ?middle ?less))

(<= (plus ?n 1 ?sum) (succ ?n ?sum))
(<= (plus ?n ?card ?sum)
    (card ?card)
    (succ ?before ?card)
    (plus ?n ?before ?rest)
    (succ ?rest ?sum))

(<= (base (hand ?player ?card)) (opponent ?player ?_other) (card ?card))
(<= (base (prize ?card)) (card ?card))
(<= (base (took ?player ?card)) (opponent ?player ?_other) (card ?card))

(<= (input ?player (bid ?card)) (opponent ?player ?_other) (card ?card))

(<= (percept ?player (won ?other)) (opponent ?player ?_second) (opponent ?other ?_third))
(<= (percept ?player tie) (opponent ?player ?_other))

(<= (init (hand ?player ?card)) (opponent ?player ?_other) (card ?card))

(<= (legal ?player (bid ?card)) (true (hand ?player ?card)))

(<= (next (hand ?player ?card)) (true (hand ?player ?card)) (not (does ?player (bid ?card))))
(<= (next (prize ?next)) (true (prize ?card)) (succ ?next ?card) (card ?next))

(<= (takes ?player)
    (opponent ?player ?other)
    (does ?player (bid ?mine))
    (does ?other (bid ?theirs))
    (above ?mine ?theirs))
(<= taken (takes ?_player))
(<= (next (took ?player ?card)) (takes ?player) (true (prize ?card)))
(<= (next (took ?player ?card)) (true (took ?player ?card)))

; Who took the prize is announced; the bids are not.
(<= (sees ?player (won ?other)) (opponent ?player ?_other) (takes ?other))
(<= (sees ?player tie) (opponent ?player ?_other) (not taken))

(<= bidding (true (prize ?_card)))
(<= terminal (not bidding))

; The lead of p1 after counting the prizes up to a card, from the lowest to the highest. No role needs to count
; before the end, so a round does not compute it.
(<= (counted 0 ?even) (even ?even))
(<= (counted ?card ?sum)
    (card ?card)
    (succ ?before ?card)
    (counted ?before ?n)
    (true (took p1 ?card))
    (plus ?n ?card ?sum))
(<= (counted ?card ?rest)
    (card ?card)
    (succ ?before ?card)
    (counted ?before ?n)
    (true (took p2 ?card))
    (plus ?rest ?card ?n))
(<= (counted ?card ?n)
    (card ?card)
    (succ ?before ?card)
    (counted ?before ?n)
    (not (true (took p1 ?card)))
    (not (true (took p2 ?card))))
(<= (balance ?n) (counted ?card ?n) (highest ?card))
(<= (leads p1) (balance ?n) (even ?even) (greater ?n ?even))
(<= (leads p2) (balance ?n) (even ?even) (greater ?even ?n))
(<= (greater ?n ?even) (even ?even) (succ ?even ?n))
(<= (greater ?n ?even) (even ?even) (succ ?last ?n) (greater ?last ?even))
(<= (greater ?even ?n) (even ?even) (succ ?n ?even))
(<= (greater ?even ?n) (even ?even) (succ ?n ?next) (greater ?even ?next))
(<= decided (leads ?_player))
(<= (goal ?player 100) (leads ?player))
(<= (goal ?player 0) (opponent ?player ?other) (leads ?other))
(<= (goal ?player 50) (opponent ?player ?_other) (not decided))
";

/// The text of the description.
pub(crate) fn text(cards: usize) -> String {
    let even = cards * (cards + 1) / 2;
    let mut text = format!(
        "; Goofspiel with cards 1 to {cards} and closed bids: prizes worth 1 to {cards} are turned over from {cards} \
        down to 1; for\n\
         ; each both players bid one of their cards at the same time. The higher bid takes the prize, equal bids throw it\n\
         ; away. The players learn who took it, but not the other's bid. More points win, equal points share. (Made by\n\
         ; `percept generate goofspiel --cards {cards}`.)\n\n\
         (role p1)\n(role p2)\n\n(opponent p1 p2)\n(opponent p2 p1)\n\n"
    );
    for n in 0..2 * even {
        let _ = writeln!(text, "(succ {n} {})", n + 1);
    }
    text.push('\n');
    for card in 1..=cards {
        let _ = writeln!(text, "(card {card})");
    }
    let _ = write!(
        text,
        "\n(highest {cards})\n(init (prize {cards}))\n\n; The balance of points: {even} if both players have \
        equally many, greater if p1 has more.\n(even {even})\n{RULES}"
    );
    text
}
