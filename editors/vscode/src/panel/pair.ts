// Two histories that a role cannot tell apart: boards side by side with marked differences, a slider for rounds, and
// percepts with which the role could distinguish them.

import type { Edit, Finding, Frame, Frames, Meaning, Model, Repair, Side, Wish } from "../protocol";
import { boards } from "./board";
import { h, prose } from "./dom";
import { WORDS } from "./words";

type Shown = Pick<Finding, "role" | "round" | "property" | "witness">;
type Send = (wish: Wish) => void;

/** The selected round of each pair. */
const rounds = new Map<string, number>();
const requested = new Set<string>();

export const anchor = (finding: Shown) => `witness-${finding.role}-${finding.round}-${finding.property}`;

/** The key of a pair is made of its moves, because other rules may give other pairs. */
const keyOf = (finding: Shown) => `${finding.role} ${JSON.stringify([finding.witness!.first, finding.witness!.second])}`;

export function witness(finding: Shown, model: Model, send: Send, render: () => void): HTMLElement {
  const pair = finding.witness!;
  const key = keyOf(finding);
  const frames = model.pairs?.[key];
  if (!frames && !requested.has(key)) {
    requested.add(key);
    send({ kind: "pair", key, role: finding.role, first: pair.first, second: pair.second });
  }
  const titles: [string, string] = [pair.first_is_match ? "This match" : "One history", "Also possible"];
  const column = (history: string[][], other: string[][], value: string, title: string) =>
    h("div", {}, h("h4", {}, title), h("ol", {}, history.map((moves, round) =>
      h("li", { class: JSON.stringify(moves) === JSON.stringify(other[round]) ? "" : "differs" }, moves.join("  ")))),
      h("p", { class: "value" }, h("span", { class: "label" }, `${WORDS[finding.property]}: `), value || "none"));
  return h("article", { class: "witness", id: anchor(finding), tabindex: -1 },
    h("h3", {}, `${finding.role} cannot know ${WORDS[finding.property]} after round ${finding.round}`),
    h("p", { class: "quiet" }, `Both histories look the same to ${finding.role}. They differ from round ${pair.parting} on. `,
      pair.first_is_match ? h("button", { class: "link", "data-key": `go-${key}`, click: () => send({ kind: "jump", at: finding.round }) }, "Go to this round") : null),
    frames?.frames ? strip(key, frames, titles, render) : null,
    h("div", { class: "pair" },
      column(pair.first, pair.second, pair.first_value, titles[0]),
      column(pair.second, pair.first, pair.second_value, titles[1])),
    repairs(finding, model, send));
}

/** The boards of one round, and the slider. */
function strip(key: string, all: Frames, titles: [string, string], render: () => void): HTMLElement {
  const last = all.frames.length - 1;
  const at = Math.min(rounds.get(key) ?? last, last);
  const frame = all.frames[at];
  const go = (round: number) => { rounds.set(key, round); render(); };
  const slider = h("input", { type: "range", min: 0, max: last, value: at, "data-key": `pair-${key}`, "aria-label": "Round of both histories",
    "aria-valuetext": `round ${at} of ${last}`, input: (event: Event) => go(Number((event.target as HTMLInputElement).value)) });
  return h("div", { class: "strip" },
    h("div", { class: "bar" }, slider, h("span", { class: "count" }, `${at} / ${last}`)),
    h("div", { class: "pair" }, side(frame, frame.first, all.legend, titles[0]), side(frame, frame.second, all.legend, titles[1])),
    frame.told ? h("p", { class: "quiet" }, "In both: ", frame.told.move ? `does ${frame.told.move}, ` : "",
      `sees ${frame.told.percepts.join(" ") || "nothing"}`) : null);
}

function side(frame: Frame, it: Side, legend: Meaning[], title: string): HTMLElement {
  const differs = (board: number, row: number, column: number) =>
    frame.differs.some(([b, r, c]) => b === board && r === row && c === column);
  return h("div", {}, h("h4", {}, title),
    h("div", { class: "shown" }, boards(it.boards, legend, { differs })),
    it.only.length ? h("p", { class: "facts" }, it.only.map((name) => h("span", { class: "differs" }, name))) : null,
    it.terminal ? h("p", { class: "status over" }, "the match is over") : null);
}

/** The information of a repair, and its worth if the game can be solved. */
function measured(it: Repair, role: string): string {
  const bits = it.bits === null ? "not counted" : `${it.bits.toFixed(2)} bits`;
  if (it.worth === null) return bits;
  return `${bits}, worth ${it.worth === 0 ? "nothing" : Number(it.worth.toFixed(3))} to ${role}`;
}

/** The percepts that would give the role the knowledge; searched on request. */
function repairs(finding: Shown, model: Model, send: Send): HTMLElement {
  const key = `${finding.role}/${finding.property}`;
  const found = model.repairs?.[key];
  if (!found) {
    return h("p", {}, h("button", { class: "link", "data-key": `repair-${key}`, disabled: Boolean(model.busy),
      click: () => send({ kind: "repair", role: finding.role, property: finding.property }) },
      `Find the percepts that ${finding.role} lacks`));
  }
  if (!found.repairs.length) {
    return h("p", { class: "quiet" }, found.known ? `Every match was checked: ${finding.role} knows it.`
      : "No percepts were found that are proved to suffice.");
  }
  const insert = (edits: Edit[]) => send({ kind: "insert", edits });
  return h("div", { class: "repairs" }, h("h4", {}, `So that ${finding.role} always knows ${WORDS[finding.property]}`),
    h("p", { class: "quiet" }, "Each is proved for every match. The least informative comes first: it shrinks the role's information set the least."),
    h("ol", {}, found.repairs.map((it, at) => h("li", {},
      h("span", {}, prose(`${it.says} `)), h("span", { class: "tag" }, measured(it, finding.role)), " ",
      h("button", { "data-key": `insert-${key}-${at}`, click: () => insert(it.edits) }, "Insert"),
      h("details", {}, h("summary", {}, "lines"), h("pre", {}, it.text.trim()))))));
}
