// What a role could know: how likely each fact is, what it did and saw, and the histories that fit.

import type { Member, Round } from "../protocol";
import type { Panel } from "./context";
import { h, scrolling } from "./dom";
import { boards, onBoards } from "./board";
import { bars, picture, term, terms } from "./facts";
import { seenBy } from "./words";
import { rounds } from "./rounds";
import { histories, percent } from "./signs";
import { publicPercepts } from "./state";

export function knowledgeTab(panel: Panel): HTMLElement[] {
  const { model } = panel;
  const view = model.step!.view!;
  const parts = [rolePicker(panel)];
  const beliefs = model.beliefs;
  if (beliefs && beliefs.role === model.role && beliefs.round === view.round) {
    const drawn = onBoards(beliefs.boards);
    const shown = boards(beliefs.boards, beliefs.legend);
    const open = bars(beliefs.beliefs.filter((it) => !drawn.has(it.fluent)), beliefs.exact);
    if (shown || open) parts.push(h("h2", {}, `What ${model.role} believes`), ...[shown, open].filter((it) => it !== null));
  }
  // Below the picture: a match may be long.
  parts.push(view.round > 0 ? seen(panel) : h("p", { class: "quiet" }, "Nothing has happened yet: play a round in the tab State."));
  const set = model.infoset;
  if (!set || set.role !== model.role || set.round !== view.round) return parts;
  const states = `${histories(String(set.states)).split(" ")[0]} ${set.states === 1 ? "state" : "states"}`;
  parts.push(h("h2", {}, `What ${set.role} considers possible`), h("p", {}, set.histories === "1" && set.complete
    ? `${set.role} knows everything: only 1 history fits.`
    : `${histories(set.histories)} ${set.histories === "1" ? "fits" : "fit"} what it did and saw${set.complete ? "" : " (so far)"}, ending in ${states}.`,
    h("span", { class: "quiet" }, ` ${set.method}, ${set.seconds.toFixed(2)} s${set.stopped ? `; ${set.stopped}` : ""}`)));
  const real = view.history.slice(0, view.round).map((round) => round.moves);
  parts.push(h("ol", { class: "members" }, set.members.map((it) => member(it, real, panel))));
  return parts;
}

function rolePicker({ model, send }: Panel): HTMLElement {
  const players = model.step!.view!.roles.filter((role) => !role.chance);
  return h("div", { class: "picker", role: "group", "aria-label": "Role" }, h("span", { class: "label" }, "Knowledge of"), players.map((role) =>
    h("button", { "data-key": `pick-${role.name}`, "aria-pressed": String(role.name === model.role), class: "choice",
      click: () => send({ kind: "role", role: role.name }) }, role.name)));
}

/** The role's own moves and percepts. */
function seen(panel: Panel): HTMLElement {
  const { model } = panel;
  const view = model.step!.view!;
  const index = view.roles.findIndex((role) => role.name === model.role);
  const factored = publicPercepts(panel, 1) !== undefined;
  const percepts = (round: Round): string[][] => {
    const [names, all] = [round.percepts[index] ?? [], publicPercepts(panel, round.round)];
    return all ? [names.filter((name) => all.has(name)), names.filter((name) => !all.has(name))] : [names];
  };
  const cell = (names: string[]) => h("td", {}, terms(names));
  const headings = ["round", "did", ...(factored ? ["saw, public", "saw, private"] : ["saw"])];
  return scrolling(`What ${model.role} did and saw`, {}, h("table", { class: "rounds" }, h("caption", {}, `What ${model.role} did and saw`),
    h("thead", {}, h("tr", {}, headings.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, view.history.slice(0, view.round).map((round) => h("tr", {}, h("th", { scope: "row" }, String(round.round)),
      cell([round.moves[index] ?? ""]), percepts(round).map((names) => cell(names.map(seenBy(model.role ?? "")))))))));
}

/** The number of differences named in the line of a history. */
const NAMED = 4;

/** One history: its probability, and where it differs from the match; the whole of it on request. */
function member(it: Member, real: string[][], { model }: Panel): HTMLElement {
  const roles = model.step!.view!.roles;
  const differs = it.moves.flatMap((joint, round) => joint.flatMap((move, role) => move === real[round]?.[role] ? []
    : [h("span", { class: "difference" }, h("span", { class: "quiet" }, `round ${round + 1} ${roles[role]?.name ?? ""} `), term(move, "term differs"))]));
  return h("li", { class: differs.length ? "" : "real" },
    h("span", { class: "share", title: "its share of the listed histories, if chance and the other roles move at random" }, percent(it.probability)),
    differs.length ? differs.slice(0, NAMED) : h("span", { class: "tag" }, "this match"),
    differs.length > NAMED ? h("span", { class: "quiet" }, `and ${differs.length - NAMED} more moves`) : null,
    h("details", {}, h("summary", {}, "all its rounds, and its state"), rounds(it.moves, roles, real), picture(it.state)));
}
