// The state of a match, and the moves of all roles in a bar that stays in sight.

import type { Cell, Role } from "../protocol";
import { askBox } from "./ask";
import { names } from "./board";
import type { Panel } from "./context";
import { h, scrolling } from "./dom";
import { picture } from "./facts";
import { fitting } from "./seat";
import { whyCard } from "./why";
import { seenBy, told, words } from "./words";

export function stateTab(panel: Panel): HTMLElement[] {
  const { model, send, cells } = panel;
  const view = model.step!.view!;
  const ask = (name: string) => send({ kind: "why", question: { fluent: name } });
  return [
    scrolling("The state", { class: "scrolls" }, whyCard(model, send), picture(view.state, {
      click: (cell) => chooseCell(panel, cell), chosen: cells, open: (cell) => candidates(panel, [...cells, cell.place]).length > 0,
    }, ask), askBox(model, send)),
    h("div", { class: "moves-bar", role: "group", "aria-label": view.terminal ? "Results" : "Moves of the next round" },
      h("div", { class: "roles" }, view.roles.map((role, index) => roleCard(panel, role, index))), actions(panel)),
  ];
}

/** The moves that name these cells in this order, as pairs of the role's index and the move's name. */
function candidates({ model }: Panel, chosen: string[]): [number, string][] {
  const fits = (places: string[]) => places.length >= chosen.length && chosen.every((cell, at) => names(places[at], cell));
  const seat = model.step?.seat;
  if (seat) return fitting(seat, chosen).map((name): [number, string] => [0, name]);
  return (model.step?.view?.roles ?? []).flatMap((role, index) =>
    role.legal.filter((_, at) => fits(role.places[at] ?? [])).map((name): [number, string] => [index, name]));
}

/** Handles a click on a cell: selects the moves that name all clicked cells. A cell that no move names is explained. */
export function chooseCell(panel: Panel, cell: Cell): void {
  const next = [...panel.cells, cell.place];
  let found = candidates(panel, next);
  panel.cells = next;
  if (!found.length) {
    panel.cells = [cell.place];
    found = candidates(panel, panel.cells);
  }
  const seated = Boolean(panel.model.step?.seat);
  if (!found.length) {
    panel.cells = [];
    if (!seated && cell.fluents.length) return panel.send({ kind: "why", question: { fluent: cell.fluents[0] } });
  } else if (found.length === 1) {
    panel.cells = [];
    if (seated) return panel.send({ kind: "play", moves: [found[0][1]] });
    return choose(panel, found[0][0], found[0][1]);
  }
  panel.render();
}

/** The public percepts of a round. Undefined if the rules are too large to determine them, or if there is only one player. */
export function publicPercepts({ model }: Panel, round: number): Set<string> | undefined {
  const view = model.step!.view!;
  const percepts = view.roles.filter((role) => !role.chance).length > 1 ? view.public?.[round - 1] : undefined;
  return percepts && new Set(percepts);
}

/** True if a role has no choice but to wait. */
const waits = (role: Role) => role.legal.length === 1 && role.legal[0] === "noop";

function roleCard(panel: Panel, role: Role, index: number): HTMLElement {
  const { model, send, picked, cells } = panel;
  const view = model.step!.view!;
  const sole = role.legal.length === 1 ? role.legal[0] : undefined;
  const chosen = picked.get(index) ?? sole;
  const allowed = cells.length ? new Set(candidates(panel, cells).filter(([at]) => at === index).map(([, name]) => name)) : undefined;
  const choices = role.legal.filter((name) => !allowed || allowed.has(name)).map((name) =>
    h("button", { class: "move", "data-key": `${role.name}:${name}`, "aria-pressed": String(name === chosen), title: name,
      click: () => choose(panel, index, name) }, words(name)));
  const all = publicPercepts(panel, view.round);
  const goal = view.terminal && role.goals.length ? h("button", { class: "goal", title: "Why this goal?",
    click: () => send({ kind: "why", question: { atom: `(goal ${role.name} ${role.goals[0]})` } }) }, `goal ${role.goals.join(", ")}`) : null;
  const percept = (name: string) => h("span", { class: "told" }, h("button", { class: "fact percept", title: `Why does it see ${name}?`,
    click: () => send({ kind: "why", question: { percept: name, role: role.name } }) }, told(seenBy(role.name)(name))),
    all && h("span", { class: "tag", title: all.has(name) ? "All roles see this, and know that all do" : "Not all roles see this" }, all.has(name) ? "public" : "private"));
  return h("article", { class: role.chance ? "role chance" : "role", "aria-label": `Role ${role.name}` },
    h("h2", {}, role.name, role.chance ? h("span", { class: "tag" }, "chance") : null, goal),
    view.round > 0 && !role.chance ? h("p", { class: "percepts" }, h("span", { class: "label" }, "saw"),
      role.percepts.length ? role.percepts.map(percept) : h("span", { class: "quiet" }, "nothing")) : null,
    view.terminal ? null : waits(role) ? h("p", { class: "quiet" }, "waits")
      : h("div", { class: "moves", role: "group", "aria-label": `Legal moves of ${role.name}` },
        choices.length ? choices : h("span", { class: "quiet" }, role.legal.length ? "no move names the chosen cells" : "has no legal move")));
}

/** The roles, other than chance, that still have to choose. */
const undecided = ({ model, picked }: Panel) => model.step!.view!.roles.filter((role, at) => !role.chance && role.legal.length > 1 && !picked.has(at));

function choose(panel: Panel, index: number, name: string): void {
  panel.picked.set(index, name);
  const deciders = panel.model.step!.view!.roles.filter((role) => role.legal.length > 1);
  // No other role has a choice: the round is complete.
  if (undecided(panel).length === 0 && deciders.length === 1) play(panel);
  else panel.render();
}

function play({ model, send, picked }: Panel): void {
  const view = model.step!.view!;
  send({ kind: "play", moves: view.roles.map((role, at) => picked.get(at) ?? (role.legal.length === 1 ? role.legal[0] : null)) });
}

function actions(panel: Panel): HTMLElement {
  const { model, send } = panel;
  const view = model.step!.view!;
  const open = undecided(panel).map((role) => role.name);
  const stuck = view.terminal ? [] : view.roles.filter((role) => !role.legal.length).map((role) => role.name);
  const [says, label] = open.length ? [`${open.join(" and ")} will move at random`, "Play, the rest at random"] : ["", `Play round ${view.round + 1}`];
  return h("div", { class: "actions" },
    view.terminal ? null : stuck.length ? h("span", { class: "sign bad" }, `No round can follow: ${stuck.join(" and ")} ${stuck.length === 1 ? "has" : "have"} no legal move.`)
      : h("button", { class: "primary", "data-key": "play", click: () => play(panel), title: says || undefined }, label),
    h("button", { "data-key": "restart", click: () => send({ kind: "restart" }), disabled: view.rounds === 0 }, "Start again"),
    h("button", { "data-key": "save", click: () => send({ kind: "save" }), disabled: view.rounds === 0 }, "Save as trace"));
}
