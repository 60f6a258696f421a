// A seat during the match: the board, what the role saw, and its moves.

import type { Cell, SeatRound } from "../../../vscode/src/answers";
import { boards } from "../../../vscode/src/panel/board";
import { h, scrolling } from "../../../vscode/src/panel/dom";
import { bars, facts } from "../../../vscode/src/panel/facts";
import { fitting } from "../../../vscode/src/panel/seat";
import { histories } from "../../../vscode/src/panel/signs";
import { called } from "./lobby";
import type { Begin, Gathering, Lobby, Message, Opened, Seated, Wish } from "./messages";
import { beginning, listed, row, seenBy, words } from "./words";

export interface State {
  lobby?: Lobby;
  gathering?: Gathering;
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
  /** True if the person's time was over: a random move was made. */
  late: boolean;
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
  if (state.lobby) return refused ? [refused, "bad"] : ["Sit down at a table, or set one up.", ""];
  if (!begin && state.gathering) return [gathering(state.gathering), ""];
  if (!begin) return refused ? [refused, "bad"] : ["connecting…", ""];
  const also = refused ? `${refused} ` : "";
  if (opened) return [`${also}The match is over.`, also ? "bad" : ""];
  if (begin.role === null) return [`${state.rounds ?? 0} ${state.rounds === 1 ? "round" : "rounds"} played. Watchers see the match after its end.`, ""];
  if (!seated) return [`${also}Waiting for the match to begin…`, ""];
  if (seated.turn === "over") return ["The match is over.", ""];
  const last = seated.seat?.history.at(-1);
  const saw = last ? `${lastRound(last, begin.role)} ` : "";
  const others = seated.movers?.length ? listed(seated.movers.map((role) => named(begin, role))) : "the others";
  if (begin.players.some((player) => player.role === begin.role && player.program)) return [`${also}${saw}You gave up: a program plays on for you.`, also ? "bad" : ""];
  if (state.late && seated.turn === "you" && state.mine === null) return [`${also}${saw}It is your turn. Your time for the last move was over, so a random one was made.`, "you"];
  if (state.late) return [`${also}Your time was over: a random move was made for you.`, "bad"];
  if (state.mine !== null) return [`${also}You chose ${words(state.mine)}. Waiting for ${others}…`, also ? "bad" : ""];
  if (seated.turn === "you") return [`${also}${saw}It is your turn.`, also ? "bad" : "you"];
  return [`${also}${saw}${seated.only && seated.only !== WAIT ? `You can only ${words(seated.only)}. ` : ""}Waiting for ${others}…`, also ? "bad" : ""];
}

/** A role, by the name of its player if it has one. */
const named = (begin: Begin, role: string) => begin.players.find((player) => player.role === role)?.name ?? role;

/** Who is not there yet. */
function gathering(it: Gathering): string {
  const free = it.players.filter((player) => player.free).map((player) => player.role);
  return `${it.role === null ? "" : `You play ${it.role}. `}The match begins when all seats are taken. ${free.length === 1 ? `Free: ${free[0]}` : `Free: ${listed(free)}`}.`;
}

export function gatheringView(it: Gathering): HTMLElement[] {
  return [h("section", { class: "wide", "aria-label": "Players" }, h("h2", {}, it.game),
    h("ul", {}, it.players.map((player) => h("li", {}, `${player.role}: ${called(player)}${player.role === it.role ? " (you)" : ""}`))),
    it.role === null ? null : h("p", { class: "quiet" }, "The address of this page is the key of your seat: keep it, and show it to no other player."))];
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
    if (found.length === 1) return play(found[0]);
    if (!state.chosen.length) tried(state, cell.place, send);
    render();
  };
  const drawn = boards(seat.boards, seat.legend, { chosen: state.chosen, click: moves.length ? click : undefined,
    open: (cell) => moves.length > 0 && fitting(seat, [...state.chosen, cell.place], moves).length > 0 });
  const shown = state.chosen.length ? fitting(seat, state.chosen, moves) : moves;
  return [
    h("section", { "aria-label": "What you know" }, drawn, facts(seat.certain, undefined, words),
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
          h("td", { title: it.move }, it.move ? words(it.move) : "?"), h("td", { title: it.percepts.join(" ") }, row(percepts(it, seat.role)) || "nothing")))))) : null,
      begin.all_seen ? h("p", { class: "quiet" }, "This game has no rule for `sees`: all roles see every move.") : null)];
}

const percepts = (it: SeatRound, role: string) => it.percepts.map(seenBy(role)).map(words);
const lastRound = (it: SeatRound, role: string) => `Round ${it.round}: you ${it.move === WAIT ? "" : `${it.move ? `did ${words(it.move)}` : "moved"} and `}saw ${row(percepts(it, role)) || "nothing"}.`;

/** A click that begins no move: the person learns it, and the author of the game, too. */
function tried(state: State, place: string, send: (wish: Wish) => void): void {
  state.refused = `${place} begins none of your moves.`;
  send({ wish: "tried", match: state.begin?.match ?? 0, round: state.seated?.seat?.round ?? 0, text: place });
}

/** The moves as buttons. What many of them begin with is shown once. */
function buttons(moves: string[], play: (move: string) => void): HTMLElement | null {
  if (!moves.length) return null;
  const begin = beginning(moves);
  return h("div", { class: "moves", role: "group", "aria-label": "Your moves" }, begin ? h("span", { class: "quiet" }, `${begin} …`) : null,
    moves.map((move) => h("button", { class: "move", "data-key": `move:${move}`, title: move, "aria-label": begin ? words(move) : undefined, click: () => play(move) },
      words(move).slice(begin.length).trim())));
}
