// Two histories that a role cannot tell apart: their rounds in one table, boards side by side with marked differences, and
// percepts with which the role could tell them apart.

import type { RuleStatement } from "../answers";
import type { Edit, Finding, Frame, Frames, Meaning, Side } from "../protocol";
import { boards } from "./board";
import type { Panel } from "./context";
import { h, prose } from "./dom";
import { pairOfRounds } from "./rounds";
import { PAIR, WORDS } from "./signs";
import { title, told } from "./words";

type Shown = Pick<Finding, "role" | "round" | "property" | "witness">;

/** The selected round of each pair. */
const selected = new Map<string, number>();
const requested = new Set<string>();

export const anchor = (finding: Shown) => `witness-${finding.role}-${finding.round}-${finding.property}`;

/** The key of a pair is made of its moves, because other rules may give other pairs. */
const keyOf = (finding: Shown) => `${finding.role} ${JSON.stringify([finding.witness!.first, finding.witness!.second])}`;

export function witness(finding: Shown, panel: Panel): HTMLElement {
  const { model, send } = panel;
  const { role, property } = finding;
  const pair = finding.witness!;
  const key = keyOf(finding);
  const frames = model.pairs?.[key];
  if (!frames && !requested.has(key)) {
    requested.add(key);
    send({ kind: "pair", key, role, first: pair.first, second: pair.second });
  }
  const told = frames?.frames?.slice(1).map((it) => it.told?.percepts ?? []);
  const value = (name: string, says: string) => h("span", {}, h("b", { class: "of" }, name), ` ${says || "none"}`);
  return h("article", { class: "witness", id: anchor(finding), tabindex: -1 },
    h("h2", {}, `${role} does not know ${WORDS[property]} after round ${finding.round}`),
    h("p", {}, `${role} does and sees the same in ${pair.first_is_match ? "A, this match, and B" : "A and B"}.`),
    h("p", { class: "values" }, value(PAIR[0], pair.first_value), value(PAIR[1], pair.second_value)),
    pairOfRounds(pair.first, pair.second, panel.model.step?.view?.roles ?? [], told && { name: role, percepts: told }),
    pair.first_is_match ? h("p", {}, h("button", { class: "link", "data-key": `go-${key}`, click: () => send({ kind: "jump", at: finding.round }) }, "Go to this round"))
      : h("p", {}, PAIR.map((name, at) => [h("button", { class: "link", "data-key": `step-${name}-${key}`,
        click: () => send({ kind: "load", moves: at ? pair.second : pair.first }) }, `Step through ${name}`), " "]).flat()),
    frames?.frames ? strip(key, frames, panel) : null,
    rules("Why it could not see the difference", pair.rules?.silent, panel), rules("Why they differ", pair.rules?.deciding, panel),
    repairs(finding, panel));
}

/** Rules behind the pair, each a link to its place. */
function rules(title: string, all: RuleStatement[] | undefined, { send }: Panel): HTMLElement | null {
  return all?.length ? h("details", {}, h("summary", {}, title), h("ul", {}, all.map((it) =>
    h("li", {}, h("button", { class: "link", click: () => send({ kind: "open", location: it }) }, prose(it.says)))))) : null;
}

/** The boards of one round, and the slider. */
function strip(key: string, all: Frames, panel: Panel): HTMLElement | null {
  const drawn = all.frames.some((it) => it.first.boards.length || it.first.only.length || it.second.only.length);
  if (!drawn) return null;
  const last = all.frames.length - 1;
  const at = Math.min(selected.get(key) ?? last, last);
  const frame = all.frames[at];
  const go = (round: number) => { selected.set(key, round); panel.render(); };
  const slider = h("input", { type: "range", min: 0, max: last, value: at, "data-key": `pair-${key}`, "aria-label": "Round of both histories",
    "aria-valuetext": `round ${at} of ${last}`, input: (event: Event) => go(Number((event.target as HTMLInputElement).value)) });
  return h("div", { class: "strip" },
    h("div", { class: "bar" }, h("span", { class: "label" }, at === 0 ? "at the start" : `after round ${at}`), slider, h("span", { class: "count" }, `${at} / ${last}`)),
    h("div", { class: "pair" }, side(frame, frame.first, all.legend, PAIR[0]), side(frame, frame.second, all.legend, PAIR[1])));
}

function side(frame: Frame, it: Side, legend: Meaning[], name: string): HTMLElement {
  const differs = (board: number, row: number, column: number) =>
    frame.differs.some(([b, r, c]) => b === board && r === row && c === column);
  return h("div", {}, h("h3", {}, h("b", { class: "of" }, name), it.terminal ? " the match is over" : ""),
    boards(it.boards, legend, { differs }),
    it.only.length ? h("p", { class: "facts" }, h("span", { class: "label" }, "only here"), it.only.map((fact) => h("span", { class: "fact differs", title: title(fact) }, told(fact)))) : null);
}

/** The percepts that would give the role the knowledge; searched on request. */
function repairs(finding: Shown, { model, send }: Panel): HTMLElement {
  const key = `${finding.role}/${finding.property}`;
  const found = model.repairs?.[key];
  if (!found) {
    return h("p", {}, h("button", { class: "link", "data-key": `repair-${key}`, disabled: Boolean(model.busy),
      click: () => send({ kind: "repair", role: finding.role, property: finding.property }) },
      `What would ${finding.role} have to see?`));
  }
  if (!found.repairs.length) {
    return h("p", { class: "quiet" }, found.known ? `Every match was checked: ${finding.role} knows it.`
      : "No percepts were found that are proved to suffice.");
  }
  const insert = (edits: Edit[]) => send({ kind: "insert", edits });
  return h("div", { class: "repairs" }, h("h3", {}, `So that ${finding.role} always knows ${WORDS[finding.property]}`),
    h("p", { class: "quiet" }, "Each is proved for every match. The one that reveals least comes first."),
    h("ol", {}, found.repairs.map((it, at) => h("li", {},
      h("span", {}, prose(`${it.says} `)), h("span", { class: "tag" }, it.measures), " ",
      h("button", { "data-key": `insert-${key}-${at}`, click: () => insert(it.edits) }, "Insert"),
      h("details", {}, h("summary", {}, "lines"), h("pre", {}, it.text.trim()))))));
}
