// The knowledge of one role: boards with certain facts and shades for the rest, its moves, its own history.

import type { Belief, Cell, Seat } from "../protocol";
import { boards, names } from "./board";
import { h } from "./dom";

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

const OVER = { yes: "the match is over", no: "the match goes on", unknown: "it does not know whether the match is over",
  undecided: "its knowledge of the end was not determined in time" };

export function seatView(seat: Seat, doing: Doing): HTMLElement[] {
  const { chosen, click, play } = doing;
  const shown = fitting(seat, chosen, doing.moves);
  // A possible move is shown even if nothing is known about it yet.
  const unlisted = chosen.length ? [] : (doing.moves ?? []).filter((name) => !seat.legal.some((it) => it.name === name));
  const perhaps = doing.moves ? [] : seat.legal.filter((it) => it.chance < 1);
  return [h("div", { class: "columns" },
    h("div", { class: "state" }, h("h2", {}, `Knowledge of ${seat.role}`), knowledge(seat, {
      click, chosen, open: (cell) => Boolean(play) && fitting(seat, [...chosen, cell.place], doing.moves).length > 0 })),
    h("div", { class: "roles" }, h("h2", {}, "Moves"),
      h("p", {}, OVER[seat.over], seat.over === "yes" ? `; goal ${seat.goals?.join(", ") ?? "unknown"}` : ""),
      play ? h("div", { class: "moves", role: "group", "aria-label": "Legal moves" }, [...shown, ...unlisted].map((name) =>
        h("button", { class: "move", "data-key": `seat:${name}`, click: () => play(name) }, name))) : null,
      perhaps.length ? h("p", { class: "quiet" }, "Perhaps legal: ",
        perhaps.map((it) => `${it.name} (${percent(it.chance)})`).join(", ")) : null,
      seat.history.length ? historyOf(seat) : null))];
}

/** Boards, certain facts, bars. */
export function knowledge(seat: Seat, clicks: Parameters<typeof boards>[2]): HTMLElement {
  return h("div", {},
    h("div", { class: "shown" }, boards(seat.boards, seat.legend, clicks)),
    seat.certain.length ? h("div", { class: "facts" }, seat.certain.map((name) => h("span", { class: "fact" }, name))) : null,
    bars(seat.possible, seat.exact),
    h("p", { class: "quiet" }, /(^|at least )1$/.test(seat.histories) ? `${seat.histories} history fits. ` : `${seat.histories} histories look the same. `, seat.exact ? "Probabilities are exact."
      : `Probabilities are estimates worth ${Math.round(seat.effective ?? 0)} draws; facts shown as certain are proved.`));
}

function historyOf(seat: Seat): HTMLElement {
  return h("table", { class: "view" }, h("caption", {}, `The history of ${seat.role}`),
    h("tbody", {}, seat.history.map((it) => h("tr", {}, h("th", { scope: "row" }, String(it.round)),
      h("td", {}, it.move ?? "?"), h("td", {}, it.percepts.join(" ") || "—")))));
}

/** Formats a probability; one just below 1 must not look certain. */
function percent(share: number): string {
  return share < 1 && share > 0.999 ? "> 99.9 %" : `${(share * 100).toFixed(1)} %`;
}

/** A bar for each fact that is not certain. */
export function bars(beliefs: Belief[], exact: boolean): HTMLElement | null {
  const open = beliefs.filter((it) => it.probability < 1).slice(0, 60);
  if (!open.length) return null;
  return h("table", { class: "bars" }, h("caption", {}, "How likely"), h("tbody", {}, open.map((it) => h("tr", {},
    h("th", { scope: "row" }, it.fluent),
    h("td", {}, h("meter", { min: 0, max: 1, value: it.probability, "aria-label": it.fluent })),
    h("td", { class: "percent" }, percent(it.probability), exact ? "" : ` ± ${(it.error * 100).toFixed(1)}`)))));
}
