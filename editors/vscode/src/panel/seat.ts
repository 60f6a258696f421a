// The knowledge of one role: boards with certain facts and shades for the rest, its own history, and its moves in a bar.

import type { Cell, Seat } from "../answers";
import { boards, names } from "./board";
import { h, scrolling } from "./dom";
import { bars, facts, terms } from "./facts";
import { histories, percent } from "./signs";
import { row, seenBy, words } from "./words";

/** The possible actions at a seat. */
export interface Doing {
  /** The cells chosen so far. */
  chosen: string[];
  click?: (cell: Cell) => void;
  /** Makes a move; absent if it is not the role's turn. */
  play?: (move: string) => void;
  /** The possible moves, if they differ from those known to be legal. */
  moves?: string[];
}

/** The moves of a seat that name these cells in this order. */
export function fitting(seat: Seat, chosen: string[], moves?: string[]): string[] {
  const fits = (places: string[]) => places.length >= chosen.length && chosen.every((cell, at) => names(places[at], cell));
  const may = (name: string, chance: number) => (moves ? moves.includes(name) : chance >= 1);
  return seat.legal.filter((it) => may(it.name, it.chance) && fits(it.places)).map((it) => it.name);
}

const OVER = { yes: "The match is over", no: "The match goes on", unknown: "It does not know whether the match is over",
  undecided: "Whether it knows the end was not decided in time" };

/** The seat's knowledge, and below it the bar of its moves with `more` beside them. */
export function seatView(seat: Seat, doing: Doing, says: (Node | string)[] = [], more: HTMLElement[] = []): HTMLElement[] {
  const { chosen, click, play } = doing;
  const shown = fitting(seat, chosen, doing.moves);
  // A possible move is shown even if nothing is known about it yet.
  const unlisted = chosen.length ? [] : (doing.moves ?? []).filter((name) => !seat.legal.some((it) => it.name === name));
  const perhaps = doing.moves ? [] : seat.legal.filter((it) => it.chance < 1);
  return [
    scrolling(`What ${seat.role} knows`, { class: "scrolls" }, h("h2", {}, `What ${seat.role} knows`), knowledge(seat, {
      click, chosen, open: (cell) => Boolean(play) && fitting(seat, [...chosen, cell.place], doing.moves).length > 0 }),
      seat.history.length ? historyOf(seat) : null),
    h("div", { class: "moves-bar", role: "group", "aria-label": `Moves of ${seat.role}` },
      h("p", { class: "told-now", role: "status", "aria-live": "polite" }, says.length ? says : `${OVER[seat.over]}${seat.over === "yes" ? `, goal ${seat.goals?.join(", ") ?? "unknown"}` : ""}.`),
      play ? h("div", { class: "moves", role: "group", "aria-label": "Legal moves" }, [...shown, ...unlisted].map((name) =>
        h("button", { class: "move", "data-key": `seat:${name}`, title: name, click: () => play(name) }, words(name)))) : null,
      perhaps.length ? h("p", { class: "quiet" }, "Perhaps legal: ", row(perhaps.map((it) => `${words(it.name)} (${percent(it.chance)})`))) : null,
      more.length ? h("div", { class: "actions" }, more) : null)];
}

/** Boards, certain facts, bars. */
export function knowledge(seat: Seat, clicks: Parameters<typeof boards>[2]): HTMLElement {
  const least = seat.histories.startsWith("at least");
  return h("div", { class: "picture" },
    boards(seat.boards, seat.legend, clicks), facts(seat.certain), bars(seat.possible, seat.exact),
    h("p", { class: "quiet" }, `${histories(seat.histories)} ${/(^|\s)1$/.test(seat.histories) ? "fits" : "fit"} what it did and saw. `,
      seat.exact ? (least ? "" : "Probabilities are exact.") : `Probabilities are estimates, as good as ${Math.round(seat.effective ?? 0)} draws; what is shown as certain is proved.`));
}

function historyOf(seat: Seat): HTMLElement {
  return scrolling(`What ${seat.role} did and saw`, {}, h("table", { class: "rounds" }, h("caption", {}, `What ${seat.role} did and saw`),
    h("thead", {}, h("tr", {}, ["round", "did", "saw"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, seat.history.map((it) => h("tr", {}, h("th", { scope: "row" }, String(it.round)),
      h("td", {}, it.move ? terms([it.move]) : h("span", { class: "quiet" }, "an unknown move")), h("td", {}, terms(it.percepts.map(seenBy(seat.role)))))))));
}
