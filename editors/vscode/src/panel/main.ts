// The panel: a match with its rounds, state, roles, information sets, and the verdict.

import type { Cell, Finding, Group, Model, Role, Round, Seat, Shown, Tab, Wish } from "../protocol";
import { askBox } from "./ask";
import { boards, names } from "./board";
import { h, prose } from "./dom";
import { anchor, witness } from "./pair";
import { playTab } from "./play";
import { proofTab } from "./proof";
import { bars, fitting, seatView } from "./seat";
import { whyCard } from "./why";
import { WORDS } from "./words";

declare function acquireVsCodeApi(): { postMessage(wish: Wish): void };

const vscode = acquireVsCodeApi();
const app = document.getElementById("app") as HTMLElement;
let model: Model | undefined;
/** The moves picked for the coming round. */
let picked = new Map<number, string>();
let place = "";
/** The cells chosen on boards, in the order of the move's arguments. */
let cells: string[] = [];
/** The players, kept while the view is that of one of them. */
let seatNames: string[] = [];

const send = (wish: Wish) => vscode.postMessage(wish);

window.addEventListener("message", (event: MessageEvent<Model>) => {
  model = event.data;
  const view = model.step?.view;
  const seat = model.step?.seat;
  const here = seat ? `${seat.role}/${seat.round}/${seat.history.map((it) => it.move).join()}`
    : `${view?.round}/${view?.history.map((round) => round.moves.join()).join(";")}`;
  if (here !== place) {
    picked = new Map();
    cells = [];
  }
  place = here;
  render();
});

window.addEventListener("keydown", (event) => {
  const view = model?.step?.view;
  const target = event.target as HTMLElement;
  if (!view || model?.tab === "play" || event.ctrlKey || event.metaKey || event.altKey || target.closest("[role=tablist], input, select")) return;
  const to: Record<string, number> = {
    ArrowLeft: view.round - 1, ArrowRight: view.round + 1, Home: 0, End: view.rounds,
  };
  const at = to[event.key];
  if (at === undefined || at < 0 || at > view.rounds) return;
  event.preventDefault();
  send({ kind: "jump", at });
});

// A button that is replaced between press and release gets no click, so rendering waits for the release.
let pressed = false;
let waits = false;
window.addEventListener("pointerdown", () => { pressed = true; }, true);
const release = () => setTimeout(() => {
  pressed = false;
  if (waits) render();
});
for (const event of ["pointerup", "pointercancel"]) window.addEventListener(event, release, true);
// Released outside the page.
window.addEventListener("blur", release);
window.addEventListener("pointermove", (event) => { if (pressed && event.buttons === 0) release(); }, true);

function render(): void {
  if (!model) return;
  waits = pressed;
  if (waits) return;
  seatNames = model.step?.view?.roles.filter((role) => !role.chance).map((role) => role.name) ?? seatNames;
  const focused = document.activeElement?.getAttribute("data-key");
  const caret = (document.activeElement as HTMLInputElement | null)?.selectionStart;
  app.toggleAttribute("aria-busy", Boolean(model.busy));
  // While a seat is played, no other match is shown.
  const sits = model.tab === "play";
  app.replaceChildren(...[header(), problems(), sits ? null : timeline(), sits ? null : eyes(), tabs(), busy(), body()].filter((it) => it !== null));
  const here = app.querySelector(".mark.here");
  const marks = here?.closest(".marks");
  // Scrolls sideways only, so that the vertical position is kept.
  if (here && marks) marks.scrollLeft += here.getBoundingClientRect().left - marks.getBoundingClientRect().left - 24;
  if (focused) focusOn(focused);
  const box = document.activeElement as HTMLInputElement | null;
  if (focused === "ask" && box && typeof caret === "number") box.setSelectionRange(caret, caret);
}

/** Restores the keyboard focus. If its element is gone, focuses the next one, never the page as a whole. */
function focusOn(key: string): void {
  const places = [`[data-key="${CSS.escape(key)}"]`, ".move", "[data-key=play]", "[role=tab][aria-selected=true]"];
  for (const place of places) {
    const found = app.querySelector<HTMLButtonElement>(place);
    if (!found) continue;
    found.focus();
    if (document.activeElement === found) return;
  }
}

/** The current work with its elapsed time. */
function busy(): HTMLElement | null {
  if (!model?.busy) return null;
  const since = model.since ?? Date.now();
  const seconds = Math.floor((Date.now() - since) / 1000);
  return h("p", { class: "busy", role: "status" }, h("span", { class: "spin", "aria-hidden": "true" }), `${model.busy} `,
    model.progress ? h("span", { class: "progress", "aria-hidden": "true" }, `${model.progress} `) : null,
    h("span", { class: "elapsed", "aria-hidden": "true" }, seconds > 0 ? `${seconds} s ` : ""),
    h("button", { class: "link", "data-key": "stop", click: () => send({ kind: "stop" }) }, "Stop"));
}

setInterval(() => {
  const place = app.querySelector(".elapsed");
  if (place && model?.since) place.textContent = `${Math.floor((Date.now() - model.since) / 1000)} s `;
}, 1000);

function header(): HTMLElement {
  const view = model?.step?.view;
  const status = !view || model?.tab === "play" ? "" : view.terminal ? "the match is over" : view.round === 0 ? "before the first round" : `after round ${view.round}`;
  return h("header", {},
    h("h1", {}, model?.title ?? ""),
    h("p", { class: view?.terminal && model?.tab !== "play" ? "status over" : "status", role: "status", "aria-live": "polite" },
      status, view && model?.tab !== "play" ? h("button", { class: "link", "data-key": "why-end", title: view.terminal ? "Why is the match over?" : "Why is the match not over?",
        click: () => send({ kind: "why", question: { atom: "terminal" } }) }, view.terminal ? "why?" : "why not over?") : null));
}

function problems(): HTMLElement | null {
  const parts: HTMLElement[] = [];
  if (model?.error) parts.push(h("p", { class: "problem" }, prose(model.error)));
  for (const refusal of model?.step?.refusals ?? []) {
    const location = refusal.location;
    parts.push(h("p", { class: "problem" }, "This is not a playable game: ", prose(refusal.message), " ",
      location ? h("button", { class: "link", click: () => send({ kind: "open", location }) }, "Show") : null));
  }
  const ended = model?.step?.ended;
  if (ended) parts.push(h("p", { class: "problem" }, prose(`The rules have changed: round ${ended.round} no longer fits (${ended.why}). The match ends before it.`)));
  return parts.length ? h("section", { role: "alert" }, parts) : null;
}

function timeline(): HTMLElement | null {
  const view = model?.step?.view;
  if (!view) return null;
  const button = (key: string, label: string, sign: string, at: number) =>
    h("button", { class: "icon", "data-key": key, title: label, "aria-label": label,
      disabled: at < 0 || at > view.rounds || at === view.round, click: () => send({ kind: "jump", at }) }, sign);
  const slider = h("input", { type: "range", min: 0, max: view.rounds, value: view.round, "data-key": "slider",
    "aria-label": "Round", "aria-valuetext": `round ${view.round} of ${view.rounds}`,
    input: (event: Event) => send({ kind: "jump", at: Number((event.target as HTMLInputElement).value) }) });
  const marks = h("ol", { class: "marks", "aria-label": "Rounds" }, view.history.map((round) =>
    h("li", {}, h("button", { class: round.round === view.round ? "mark here" : round.round > view.round ? "mark later" : "mark",
      "data-key": `mark${round.round}`, "aria-current": round.round === view.round ? "step" : undefined,
      title: round.moves.join("  "), click: () => send({ kind: "jump", at: round.round }) },
      h("b", {}, String(round.round)), ` ${round.moves.filter((move) => move !== "noop").join(" ") || "noop"}`))));
  return h("nav", { class: "timeline", "aria-label": "Rounds of the match" },
    h("div", { class: "bar" },
      button("first", "To the start", "«", 0), button("back", "One round back", "‹", view.round - 1), slider,
      button("forth", "One round forward", "›", view.round + 1), button("last", "To the end", "»", view.rounds),
      h("span", { class: "count" }, `${view.round} / ${view.rounds}`)),
    view.history.length ? marks : null);
}

/** The bar of a seat. A role knows the number of rounds played, but not how many follow in a recorded match. */
function seatBar(seat: Seat): HTMLElement {
  return h("div", { class: "bar" },
    h("button", { class: "icon", "data-key": "back", title: "One round back", "aria-label": "One round back",
      disabled: seat.round === 0, click: () => send({ kind: "jump", at: seat.round - 1 }) }, "‹"),
    h("span", {}, seat.round === 0 ? "before the first round" : `after round ${seat.round}`));
}

const shownPair = (finding: Pick<Finding, "role" | "round" | "property" | "witness">) => witness(finding, model!, send, render);

const TABS: [Tab, string, string][] = [
  ["state", "State", "The state, and the moves of all roles"], ["knowledge", "Knowledge", "The knowledge of a role"],
  ["verdict", "Verdict", "The required knowledge of every role in this match"], ["proof", "Every match", "The required knowledge in every match"],
  ["play", "Play", "Take a seat against other players"]];

function tabs(): HTMLElement | null {
  if (!model?.step?.view) return null;
  const current = model.tab;
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const at = TABS.findIndex(([tab]) => tab === current);
    const next = TABS[(at + step + TABS.length) % TABS.length][0];
    (document.activeElement as HTMLElement).setAttribute("data-key", `tab-${next}`);
    send({ kind: "tab", tab: next });
  };
  return h("div", { role: "tablist", "aria-label": "Views", keydown: move }, TABS.map(([tab, name, title]) =>
    h("button", { role: "tab", title, id: `tab-${tab}`, "data-key": `tab-${tab}`, "aria-selected": String(tab === current),
      "aria-controls": "view", tabindex: tab === current ? 0 : -1, click: () => send({ kind: "tab", tab }) }, name)));
}

function body(): HTMLElement | null {
  const seat = model?.step?.seat;
  if (seat) {
    return h("section", { "aria-label": `Knowledge of ${seat.role}` }, seatBar(seat),
      seatView(seat, { chosen: cells, click: chooseCell, play: (move) => send({ kind: "play", moves: [move] }) }));
  }
  if (!model?.step?.view) return null;
  const content = model.tab === "state" ? stateTab() : model.tab === "knowledge" ? knowledgeTab()
    : model.tab === "verdict" ? verdictTab() : model.tab === "play" ? playTab(model, seatNames, send, render)
    : proofTab(model!.proofs, Boolean(model!.busy), shownPair);
  return h("section", { role: "tabpanel", id: "view", "aria-labelledby": `tab-${model.tab}` }, content);
}

function stateTab(): HTMLElement[] {
  const view = model!.step!.view!;
  return [
    ...[whyCard(model!, send)].filter((it) => it !== null),
    askBox(model!, send),
    h("div", { class: "columns" },
      h("div", { class: "state" }, h("h2", {}, "State"), state(view.state)),
      h("div", { class: "roles" }, h("h2", {}, view.terminal ? "Results" : "Moves"), view.roles.map(roleCard), actions())),
  ];
}

/** A state: boards for the fluents that fit on one, the rest grouped. Each fact links to its rules; a cell selects moves. */
function state(shown: Shown, asks = true): HTMLElement {
  const fact = (name: string) => h("button", { class: "fact", title: "Why does this hold?", disabled: !asks,
    click: () => send({ kind: "why", question: { fluent: name } }) }, name);
  const parts: HTMLElement[] = boards(shown.boards, shown.legend, asks ? {
    click: chooseCell, chosen: cells, open: (cell) => candidates([...cells, cell.place]).length > 0,
  } : {});
  const drawn = new Set(shown.boards.flatMap((board) => board.cells.flat().flatMap((cell) => cell.fluents)));
  const groups = shown.groups.map((group) => ({ ...group, fluents: group.fluents.filter((name) => !drawn.has(name)) }))
    .filter((group) => group.fluents.length);
  // Fluents without arguments need no heading of their own.
  const isPlain = (group: Group) => group.fluents.length === 1 && group.fluents[0] === group.functor;
  const plain = groups.filter(isPlain);
  if (plain.length) parts.push(h("div", { class: "group facts" }, plain.map((group) => fact(group.functor))));
  for (const group of groups.filter((group) => !isPlain(group))) {
    parts.push(h("div", { class: "group" }, h("h3", {}, group.functor), h("div", { class: "facts" }, group.fluents.map(fact))));
  }
  if (shown.numbers.length) {
    parts.push(h("table", { class: "numbers" }, h("caption", {}, "Numbers"), h("tbody", {},
      shown.numbers.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(value)))))));
  }
  return parts.length ? h("div", { class: "shown" }, parts) : h("p", { class: "quiet" }, "Nothing holds.");
}

/** The moves that name these cells in this order, as pairs of the role's index and the move's name. */
function candidates(chosen: string[]): [number, string][] {
  const fits = (places: string[]) => places.length >= chosen.length && chosen.every((cell, at) => names(places[at], cell));
  const seat = model?.step?.seat;
  if (seat) return fitting(seat, chosen).map((name): [number, string] => [0, name]);
  return (model?.step?.view?.roles ?? []).flatMap((role, index) =>
    role.legal.filter((_, at) => fits(role.places[at] ?? [])).map((name): [number, string] => [index, name]));
}

/** Handles a click on a cell: selects the moves that name all clicked cells. A cell that no move names is explained. */
function chooseCell(cell: Cell): void {
  const next = [...cells, cell.place];
  let found = candidates(next);
  cells = next;
  if (!found.length) {
    cells = [cell.place];
    found = candidates(cells);
  }
  const seated = Boolean(model?.step?.seat);
  if (!found.length) {
    cells = [];
    if (!seated && cell.fluents.length) return send({ kind: "why", question: { fluent: cell.fluents[0] } });
  } else if (found.length === 1) {
    cells = [];
    if (seated) return send({ kind: "play", moves: [found[0][1]] });
    return choose(found[0][0], found[0][1]);
  }
  render();
}

/** The choice between the whole state and the view of one role. */
function eyes(): HTMLElement | null {
  const players = seatNames;
  if (!players.length) return null;
  const choice = (role: string | undefined, label: string) => h("button", { class: "move", "data-key": `eye-${label}`,
    "aria-pressed": String(model?.eye === role), click: () => send({ kind: "eye", role }) }, label);
  return h("div", { class: "picker", role: "group", "aria-label": "Point of view" },
    h("span", { class: "label" }, "View: "), choice(undefined, "everything"), players.map((name) => choice(name, name)));
}

/** The public percepts of a round. Undefined if the rules are too large to determine them, or if there is only one player. */
function publicPercepts(round: number): Set<string> | undefined {
  const view = model!.step!.view!;
  const percepts = view.roles.filter((role) => !role.chance).length > 1 ? view.public?.[round - 1] : undefined;
  return percepts && new Set(percepts);
}

function roleCard(role: Role, index: number): HTMLElement {
  const view = model!.step!.view!;
  const sole = role.legal.length === 1 ? role.legal[0] : undefined;
  const chosen = picked.get(index) ?? sole;
  const allowed = cells.length ? new Set(candidates(cells).filter(([at]) => at === index).map(([, name]) => name)) : undefined;
  const choices = role.legal.filter((name) => !allowed || allowed.has(name)).map((name) =>
    h("button", { class: "move", "data-key": `${role.name}:${name}`, "aria-pressed": String(name === chosen),
      click: () => choose(index, name) }, name));
  const all = publicPercepts(view.round);
  const waits = role.legal.length === 1 && role.legal[0] === "noop";
  return h("article", { class: role.chance ? "role chance" : "role", "aria-label": `Role ${role.name}` },
    h("h3", {}, role.name, role.chance ? h("span", { class: "tag" }, "chance") : null,
      view.terminal && role.goals.length ? h("button", { class: "goal", title: "Why this goal?",
        click: () => send({ kind: "why", question: { atom: `(goal ${role.name} ${role.goals[0]})` } }) }, `goal ${role.goals.join(", ")}`) : null),
    view.round > 0 && !role.chance
      ? h("p", { class: "percepts" }, h("span", { class: "label" }, "perceived "), role.percepts.length
          ? role.percepts.map((name) => h("span", {}, h("button", { class: "percept", title: "Why does it perceive this?",
              click: () => send({ kind: "why", question: { percept: name, role: role.name } }) }, name),
              all && h("span", { class: "tag", title: all.has(name) ? "All roles perceive this, and know that all do"
                : "Not all roles perceive this" }, all.has(name) ? "public" : "private")))
          : h("span", { class: "quiet" }, "nothing"))
      : null,
    view.terminal ? null : waits ? h("p", { class: "quiet" }, "waits") : h("div", { class: "moves", role: "group", "aria-label": `Legal moves of ${role.name}` }, choices));
}

function choose(index: number, name: string): void {
  picked.set(index, name);
  const view = model!.step!.view!;
  const open = view.roles.filter((role, at) => !role.chance && role.legal.length > 1 && !picked.has(at));
  const deciders = view.roles.filter((role) => role.legal.length > 1);
  // No other role has a choice: the round is complete.
  if (open.length === 0 && deciders.length === 1) play();
  else render();
}

function play(): void {
  const view = model!.step!.view!;
  send({ kind: "play", moves: view.roles.map((role, at) => picked.get(at) ?? (role.legal.length === 1 ? role.legal[0] : null)) });
}

function actions(): HTMLElement {
  const view = model!.step!.view!;
  const open = view.roles.filter((role, at) => !role.chance && role.legal.length > 1 && !picked.has(at)).map((role) => role.name);
  return h("div", { class: "actions" },
    view.terminal ? null : h("button", { class: "primary", "data-key": "play", click: play,
      title: open.length ? `${open.join(" and ")} will move at random` : "Play this round" },
      open.length ? "Play, rest at random" : "Play this round"),
    h("button", { "data-key": "restart", click: () => send({ kind: "restart" }), disabled: view.rounds === 0 }, "Start again"),
    h("button", { "data-key": "save", click: () => send({ kind: "save" }), disabled: view.rounds === 0 }, "Save as trace"));
}

function rolePicker(): HTMLElement {
  const players = model!.step!.view!.roles.filter((role) => !role.chance);
  return h("div", { class: "picker", role: "group", "aria-label": "Role" }, players.map((role) =>
    h("button", { "data-key": `pick-${role.name}`, "aria-pressed": String(role.name === model!.role), class: "move",
      click: () => send({ kind: "role", role: role.name }) }, role.name)));
}

function knowledgeTab(): HTMLElement[] {
  const view = model!.step!.view!;
  const set = model!.infoset;
  const index = view.roles.findIndex((role) => role.name === model!.role);
  const factored = view.round > 0 && publicPercepts(1) !== undefined;
  const percepts = (round: Round): string[] => {
    const [names, all] = [round.percepts[index] ?? [], publicPercepts(round.round)];
    return (all ? [names.filter((name) => all.has(name)), names.filter((name) => !all.has(name))] : [names])
      .map((part) => part.join(" ") || "—");
  };
  const headings = ["round", "its move", ...(factored ? ["public percepts", "private percepts"] : ["percepts"])];
  const seen = h("table", { class: "view" }, h("caption", {}, `What ${model!.role} perceived`),
    h("thead", {}, h("tr", {}, headings.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, view.history.slice(0, view.round).map((round) => h("tr", {}, h("th", { scope: "row" }, String(round.round)),
      h("td", {}, round.moves[index] ?? ""), percepts(round).map((part) => h("td", {}, part))))));
  const parts = [rolePicker()];
  const beliefs = model!.beliefs;
  if (beliefs && beliefs.role === model!.role && beliefs.round === view.round) {
    const drawn = new Set(beliefs.boards.flatMap((board) => board.cells.flat().flatMap((cell) => cell.fluents)));
    if (beliefs.boards.length) parts.push(h("h2", {}, "How likely"), h("div", { class: "shown" }, boards(beliefs.boards, beliefs.legend)));
    const open = bars(beliefs.beliefs.filter((it) => !drawn.has(it.fluent)), beliefs.exact);
    if (open) parts.push(open);
  }
  // Below the picture: a match may be long.
  parts.push(view.round > 0 ? seen : h("p", { class: "quiet" }, "Nothing has happened yet."));
  if (!set || set.role !== model!.role || set.round !== view.round) return parts;
  const one = set.histories === "1" && set.complete;
  parts.push(h("p", { class: "size" }, one
    ? `${set.role} knows everything: only one history fits.`
    : h("span", {}, h("b", {}, grouped(set.histories)), set.complete ? " histories fit its view, ending in " : " histories found so far, ending in ",
        h("b", {}, grouped(String(set.states))), " states."),
    h("span", { class: "quiet" }, ` (${set.method}, ${set.seconds.toFixed(3)} s${set.stopped ? `; ${set.stopped}` : ""})`)));
  const real = JSON.stringify(view.history.slice(0, view.round).map((round) => round.moves));
  parts.push(h("ol", { class: "members" }, set.members.map((member) => {
    const isReal = JSON.stringify(member.moves) === real;
    return h("li", { class: isReal ? "real" : "" },
      h("span", { class: "share", title: "share among the listed histories, if chance and the other roles move at random" }, `${(member.probability * 100).toFixed(1)} %`),
      isReal ? h("span", { class: "tag" }, "this match") : null,
      member.moves.map((moves, round) => {
        const differs = JSON.stringify(moves) !== JSON.stringify(view.history[round]?.moves);
        return h("span", { class: differs ? "joint differs" : "joint" }, moves.join(" "));
      }),
      h("details", {}, h("summary", {}, "state"), state(member.state, false)));
  })));
  return parts;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

const SIGNS = { known: "✓", unknown: "?", undecided: "…" };

function verdictTab(): HTMLElement[] {
  const findings = model!.verdict?.findings;
  if (!findings) return [h("p", { class: "quiet" }, model!.busy ? "" : "No verdict yet.")];
  const roles = [...new Set(findings.map((it) => it.role))];
  const last = Math.max(0, ...findings.map((it) => it.round));
  const bad = findings.filter((it) => it.verdict === "unknown");
  const undecided = findings.filter((it) => it.verdict === "undecided");
  const summary = bad.length
    ? `At ${bad.length === 1 ? "one point" : `${bad.length} points`} of this match a role lacks required knowledge.`
    : undecided.length ? `No problem was found in this match, but ${undecided.length} questions are undecided.`
    : "After every round of this match every role knows its legal moves, whether the match is over, and its goal.";
  const table = h("table", { class: "verdict" },
    h("caption", {}, "What each role knows after each round"),
    h("thead", {}, h("tr", {}, h("td", {}), Array.from({ length: last + 1 }, (_, round) => h("th", { scope: "col" }, String(round))))),
    roles.map((role) => h("tbody", {}, h("tr", {}, h("th", { scope: "rowgroup", colspan: last + 2 }, role)),
      (["legal", "terminal", "goal", "own"] as const).filter((property) => property !== "own" || findings.some((it) => it.role === role && it.property === "own")).map((property) => h("tr", {}, h("th", { scope: "row" }, WORDS[property]),
        Array.from({ length: last + 1 }, (_, round) => {
          const finding = findings.find((it) => it.role === role && it.property === property && it.round === round);
          return h("td", {}, finding ? verdictCell(finding) : null);
        }))))));
  return [h("p", { class: bad.length ? "summary bad" : undecided.length ? "summary" : "summary good", role: "status" }, summary), table,
    ...bad.slice(0, 12).map(shownPair)];
}

function verdictCell(finding: Finding): HTMLElement {
  const label = `${finding.role}, round ${finding.round}: ${WORDS[finding.property]}: ${finding.verdict} (${finding.method})`;
  return finding.witness
    ? h("a", { class: "unknown", href: `#${anchor(finding)}`, title: label, "aria-label": label }, SIGNS.unknown)
    : h("span", { class: finding.verdict, title: label, role: "img", "aria-label": label }, SIGNS[finding.verdict]);
}

send({ kind: "ready" });
