// Games to start from: some of the shipped ones, unchanged.

import battleship from "../../../games/battleship/battleship.pog";
import battleshipProblem from "../../../games/battleship/battleship-2-4.pog";
import blind from "../../../games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
import blindInfix from "../../../games/blind-tic-tac-toe/blind-tic-tac-toe.hrf";
import bomb from "../../../games/exploding-bomb/exploding-bomb.kif";
import goofspiel from "../../../games/goofspiel/goofspiel-4.kif";
import gops from "../../../games/gops/gops.pog";
import gopsProblem from "../../../games/gops/gops-2-10.pog";
import kuhn from "../../../games/kuhn-poker/kuhn-poker.kif";
import leduc from "../../../games/leduc-poker/leduc-poker.kif";
import dice from "../../../games/liars-dice/liars-dice.kif";
import pennies from "../../../games/hidden-matching-pennies/hidden-matching-pennies.kif";
import poker from "../../../games/poker/poker.pog";
import pokerProblem from "../../../games/poker/king-and-jack.pog";
import racko from "../../../games/racko/racko.pog";
import rackoProblem from "../../../games/racko/racko-2-7.pog";
import ticTacToe from "../../../games/tic-tac-toe/tic-tac-toe.kif";
import type { Named } from "./engine";

export interface Start { title: string; texts: Named[]; says?: string }

const one = (title: string, name: string, text: string): Start => ({ title, texts: [{ name, text }] });
const two = (title: string, name: string, domain: string, problem: string, text: string): Start =>
  ({ title, texts: [{ name, text: domain }, { name: problem, text }] });

export const GAMES: Start[] = [
  one("Blind Tic-Tac-Toe", "blind-tic-tac-toe.kif", blind),
  one("Blind Tic-Tac-Toe, infix", "blind-tic-tac-toe.hrf", blindInfix),
  one("Exploding bomb", "exploding-bomb.kif", bomb),
  one("Hidden matching pennies", "hidden-matching-pennies.kif", pennies),
  one("Kuhn poker", "kuhn-poker.kif", kuhn),
  one("Leduc poker", "leduc-poker.kif", leduc),
  one("Liar's dice", "liars-dice.kif", dice),
  one("Goofspiel, 4 cards", "goofspiel-4.kif", goofspiel),
  one("Tic-Tac-Toe, nothing hidden", "tic-tac-toe.kif", ticTacToe),
  two("Poker, king and jack (POGDDL)", "poker.pog", poker, "king-and-jack.pog", pokerProblem),
  two("Battleship (POGDDL)", "battleship.pog", battleship, "battleship-2-4.pog", battleshipProblem),
  two("GOPS (POGDDL)", "gops.pog", gops, "gops-2-10.pog", gopsProblem),
  two("Racko (POGDDL)", "racko.pog", racko, "racko-2-7.pog", rackoProblem),
];

const WORDS: Record<string, string> = {
  "Blind Tic-Tac-Toe": "Both mark a cell at once, and only learn whether their own mark was placed.",
  "Hidden matching pennies": "Two coins, one guess: the smallest game with something to hide.",
  "Kuhn poker": "Three cards, one bet: the smallest poker, with a mixed strategy to find.",
  "Liar's dice": "Bid on dice that you cannot all see, or call the other a liar.",
  "Goofspiel, 4 cards": "Bids made at the same moment, for prizes in an unknown order.",
  "Battleship (POGDDL)": "Hidden fleets, shots, hits and misses, written as PDDL with observations.",
};

/** The games on the first page, each with a sentence. */
export const CARDS: Start[] = GAMES.filter((it) => it.title in WORDS).map((it) => ({ ...it, says: WORDS[it.title] }));

/** A game to begin from nothing: one secret, one guess. */
export const EMPTY: Named[] = [{ name: "my-game.kif", text: `; A new game. A coin falls where the player cannot see it.
(role random)
(role player)

(side heads)
(side tails)

(init toss)

(<= (legal random (toss ?s)) (side ?s) (true toss))
(<= (legal player noop) (true toss))
(<= (legal random noop) (true guess))
(<= (legal player (say ?s)) (side ?s) (true guess))

(<= (next guess) (true toss))
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (next right) (true (coin ?s)) (does player (say ?s)))
(<= (next over) (true guess))

; What a role sees. Without this rule, the player never learns its result.
(<= (sees player won) (true (coin ?s)) (does player (say ?s)))

(<= terminal (true over))
(<= (goal player 100) (true right))
(<= (goal player 0) (not (true right)))
` }];
