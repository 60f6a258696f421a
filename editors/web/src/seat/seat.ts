// A seat during the match: the board, what the role saw, and its moves.

import type { Cell, SeatRound } from "../../../vscode/src/answers";
import { boards } from "../../../vscode/src/panel/board";
import { h, scrolling } from "../../../vscode/src/panel/dom";
import { bars, facts } from "../../../vscode/src/panel/facts";
import { fitting } from "../../../vscode/src/panel/seat";
import { histories } from "../../../vscode/src/panel/signs";
import type { Begin, Message, Opened, Seated, Wish } from "./messages";
import { beginning, listed, words } from "./words";

export interface State {
  begin?: Begin;
  seated?: Seated;
  opened?: Opened;
  truth?: Extract<Message, { kind: "truth" }>;
  again?: Extract<Message, { kind: "again" }>;
  /** The cells picked for the move. */
  chosen: string[];
  /** True if the person wants to see what is likely. */
  beliefs: boolean;
  /** The move that was taken in this round. */
  mine: string | null;
  refused: string;
  lost: boolean;
  /** For watchers: the rounds played. */
  rounds?: number;
  /** The round that is shown after the end. */
  round: number;
}

/** The move of a role that waits. */
const WAIT = "noop";

/** The line at the top, and its look. */
export function status(state: State): [string, string] {
  const { begin, seated, opened, refused } = state;
  if (state.lost) return ["The line to the table is lost. Trying again…", "bad"];
  if (!begin) return refused ? [refused, "bad"] : ["connecting…", ""];
  const also = refused ? `${refused} ` : "";
  if (opened) return [`${also}The match is over.`, also ? "bad" : ""];
  if (begin.role === null) return [`${state.rounds ?? 0} ${state.rounds === 1 ? "round" : "rounds"} played. Watchers see the match after its end.`, ""];
  if (!seated) return [`${also}Waiting for the match to begin…`, ""];
  if (seated.turn === "nobody") return ["The match is over.", ""];
  const last = seated.seat?.history.at(-1);
  const saw = last ? `${lastRound(last)} ` : "";
  const others = seated.movers?.length ? listed(seated.movers) : "the others";
  if (state.mine !== null) return [`${also}You chose ${words(state.mine)}. Waiting for ${others}…`, also ? "bad" : ""];
  if (seated.turn === "you") return [`${also}${saw}It is your turn.`, also ? "bad" : "you"];
  return [`${also}${saw}${seated.only && seated.only !== WAIT ? `You can only ${words(seated.only)}. ` : ""}Waiting for ${others}…`, also ? "bad" : ""];
}

export function seatView(state: State, send: (wish: Wish) => void, render: () => void): HTMLElement[] {
  const { begin, seated } = state;
  const seat = seated?.seat;
  if (!begin || !seated) return [];
  const moves = seated.turn === "you" && state.mine === null ? seated.moves : [];
  const play = (move: string) => {
    state.chosen = [];
    send({ wish: "move", match: begin.match, round: seat?.round ?? 0, move });
  };
  if (!seat) return [h("section", { class: "wide" }, h("p", { class: "quiet" }, "No state that fits what you saw was found in time."), buttons(moves, play))];
  const click = (cell: Cell) => {
    const next = [...state.chosen, cell.place];
    state.chosen = fitting(seat, next, moves).length ? next : fitting(seat, [cell.place], moves).length ? [cell.place] : [];
    const found = state.chosen.length ? fitting(seat, state.chosen, moves) : [];
    if (found.length === 1) play(found[0]);
    else render();
  };
  const drawn = boards(seat.boards, seat.legend, { chosen: state.chosen, click: moves.length ? click : undefined,
    open: (cell) => moves.length > 0 && fitting(seat, [...state.chosen, cell.place], moves).length > 0 });
  const shown = state.chosen.length ? fitting(seat, state.chosen, moves) : moves;
  return [
    h("section", { "aria-label": "What you know" }, drawn, facts(seat.certain.map(words)),
      seated.numbers.length ? h("table", { class: "numbers" }, h("tbody", {}, seated.numbers.map(([name, value]) =>
        h("tr", {}, h("th", { scope: "row" }, words(name)), h("td", {}, String(value)))))) : null,
      !drawn && !seat.certain.length && !seated.numbers.length ? h("p", { class: "quiet" }, "You are certain of no fact.") : null,
      state.beliefs ? bars(seat.possible, seat.exact) : null,
      state.beliefs && seat.histories ? h("p", { class: "quiet" }, `${histories(seat.histories)} fit what you did and saw.`) : null,
      h("label", { class: "switch" }, h("input", { type: "checkbox", "data-key": "beliefs", checked: state.beliefs,
        change: (event: Event) => { state.beliefs = (event.target as HTMLInputElement).checked; send({ wish: "beliefs", on: state.beliefs }); } }),
        "Show what is likely, too")),
    h("section", { "aria-label": "Your moves" }, moves.length ? h("h2", {}, state.chosen.length ? `Your moves that name ${listed(state.chosen)}` : "Your moves") : null,
      buttons(shown, play), state.chosen.length ? h("button", { class: "link", "data-key": "all", click: () => { state.chosen = []; render(); } }, "all moves") : null,
      seat.history.length ? h("h2", {}, "What happened") : null, seat.history.length ? scrolling("What happened", {}, h("table", { class: "rounds" },
        h("thead", {}, h("tr", {}, ["round", "you did", "you saw"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, [...seat.history].reverse().map((it) => h("tr", {}, h("th", { scope: "row" }, String(it.round)),
          h("td", {}, it.move ? words(it.move) : "?"), h("td", {}, it.percepts.map(words).join(", ") || "nothing")))))) : null,
      begin.all_seen ? h("p", { class: "quiet" }, "This game has no rule for `sees`: all roles see every move.") : null)];
}

const lastRound = (it: SeatRound) => `Round ${it.round}: you ${it.move === WAIT ? "" : `${it.move ? `did ${words(it.move)}` : "moved"} and `}saw ${it.percepts.map(words).join(", ") || "nothing"}.`;

/** The moves as buttons. What many of them begin with is shown once. */
function buttons(moves: string[], play: (move: string) => void): HTMLElement | null {
  if (!moves.length) return null;
  const begin = beginning(moves);
  return h("div", { class: "moves", role: "group", "aria-label": "Your moves" }, begin ? h("span", { class: "quiet" }, `${begin} …`) : null,
    moves.map((move) => h("button", { class: "move", "data-key": `move:${move}`, title: move, "aria-label": begin ? words(move) : undefined, click: () => play(move) },
      words(move).slice(begin.length).trim())));
}
