// The panel: a match with its rounds, state, roles, information sets, and the verdict. An editor or a page mounts it.

import type { Model, Tab, Wish } from "../protocol";
import type { Panel } from "./context";
import { h, prose } from "./dom";
import { knowledgeTab } from "./knowledge";
import { playTab } from "./play";
import { proofTab } from "./proof";
import { seatView } from "./seat";
import { chooseCell, stateTab } from "./state";
import { verdictTab } from "./verdict";
import { learn, row, saidIn, title, told } from "./words";

let app: HTMLElement;
let model: Model | undefined;
let place = "";
const panel: Panel = { picked: new Map(), cells: [], players: [] } as unknown as Panel;

/** Shows models in `box`, and sends the reader's wishes. `keys`: where the arrow keys move through the match. */
export function mount(box: HTMLElement, send: (wish: Wish) => void, { keys, strategies }: { keys: EventTarget; strategies: Panel["strategies"] }): (next: Model) => void {
  app = box;
  Object.assign(panel, { send, render, strategies });
  keys.addEventListener("keydown", (event) => jump(event as KeyboardEvent));
  setInterval(() => {
    const clock = app.querySelector(".elapsed");
    if (clock && model?.since) clock.textContent = elapsed(model.since);
  }, 1000);
  return (next) => {
    model = panel.model = next;
    const view = model.step?.view;
    const seat = model.step?.seat;
    const here = seat ? `${seat.role}/${seat.round}/${seat.history.map((it) => it.move).join()}`
      : `${view?.round}/${view?.history.map((round) => round.moves.join()).join(";")}`;
    if (here !== place) {
      panel.picked = new Map();
      panel.cells = [];
    }
    place = here;
    render();
  };
}

const send = (wish: Wish) => panel.send(wish);
const elapsed = (since: number) => Date.now() - since >= 1000 ? `${Math.floor((Date.now() - since) / 1000)} s ` : "";

function jump(event: KeyboardEvent): void {
  const view = model?.step?.view;
  const target = event.target as HTMLElement;
  if (!view || model?.tab === "play" || event.ctrlKey || event.metaKey || event.altKey || target.closest?.("[role=tablist], input, select")) return;
  const to: Record<string, number> = {
    ArrowLeft: view.round - 1, ArrowRight: view.round + 1, Home: 0, End: view.rounds,
  };
  const at = to[event.key];
  if (at === undefined || at < 0 || at > view.rounds) return;
  event.preventDefault();
  send({ kind: "jump", at });
}

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
  learn(saidIn(model));
  panel.players = model.step?.view?.roles.filter((role) => !role.chance).map((role) => role.name) ?? panel.players;
  const focused = document.activeElement?.getAttribute("data-key");
  const caret = (document.activeElement as HTMLInputElement | null)?.selectionStart;
  const scrolled = [...app.querySelectorAll(".scrolls, #view, .moves, .roles")].map((it) => it.scrollTop);
  const before = app.querySelector("#view")?.getAttribute("aria-labelledby");
  app.toggleAttribute("aria-busy", Boolean(model.busy));
  // While a seat is played, no other match is shown.
  const sits = model.tab === "play";
  app.replaceChildren(...[h("div", { class: "top" }, header(), problems(), sits ? null : timeline(), tablist(), busy()), body()].filter((it) => it !== null));
  const here = app.querySelector(".mark.here");
  const marks = here?.closest(".marks");
  // Scrolls sideways only, so that the vertical position is kept.
  if (here && marks) marks.scrollLeft += here.getBoundingClientRect().left - marks.getBoundingClientRect().left - 24;
  if (before === app.querySelector("#view")?.getAttribute("aria-labelledby")) {
    app.querySelectorAll(".scrolls, #view, .moves, .roles").forEach((it, at) => { it.scrollTop = scrolled[at] ?? 0; });
  }
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
  return h("p", { class: "busy", role: "status" }, h("span", { class: "spin", "aria-hidden": "true" }), `${model.busy} `,
    model.progress ? h("span", { class: "progress", "aria-hidden": "true" }, `${model.progress} `) : null,
    h("span", { class: "elapsed", "aria-hidden": "true" }, elapsed(since)),
    h("button", { class: "link", "data-key": "stop", click: () => send({ kind: "stop" }) }, "Stop"));
}

function header(): HTMLElement {
  const view = model?.step?.view;
  const sits = model?.tab === "play";
  const status = !view || sits ? "" : view.terminal ? "the match is over" : view.round === 0 ? "before the first round" : `after round ${view.round}`;
  return h("header", {},
    h("h1", {}, model?.title ?? ""),
    h("p", { class: view?.terminal && !sits ? "status over" : "status", role: "status", "aria-live": "polite" },
      status, view && !sits ? h("button", { class: "link", "data-key": "why-end", title: view.terminal ? "Why is the match over?" : "Why is the match not over?",
        click: () => send({ kind: "why", question: { atom: "terminal" } }) }, view.terminal ? "why?" : "why not over?") : null),
    sits ? null : eyes());
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
      title: named(round.moves), click: () => send({ kind: "jump", at: round.round }) },
      h("b", {}, String(round.round)), ` ${made(round.moves)}`))));
  return h("nav", { class: "timeline", "aria-label": "Rounds of the match" },
    h("div", { class: "bar" },
      button("first", "To the start", "«", 0), button("back", "One round back", "‹", view.round - 1), slider,
      button("forth", "One round forward", "›", view.round + 1), button("last", "To the end", "»", view.rounds),
      h("span", { class: "count" }, `${view.round} / ${view.rounds}`)),
    view.history.length ? marks : null);
}

/** The moves of a round without `noop`. */
const made = (moves: string[]) => {
  const shown = moves.filter((move) => move !== "noop");
  return (shown.some(title) ? row(shown.map(told)) : shown.join(" ")) || told("noop");
};

const named = (moves: string[]) => moves.map((move, role) => `${model!.step!.view!.roles[role]?.name}: ${move}`).join("\n");

/** The tabs, each with its name and a sentence on what it shows. */
const TABS: [Tab, string, string][] = [
  ["state", "State", "Everything that is true now, and the moves of all roles"],
  ["knowledge", "Knowledge", "What one role could know from what it did and saw"],
  ["verdict", "Verdict", "Does every role know its moves, the end, and its goal in this match?"],
  ["proof", "Every match", "Does every role know its moves, the end, and its goal in every match?"],
  ["play", "Play", "Take a seat against other players, and see only what it sees"]];

function tablist(): HTMLElement | null {
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
  return h("div", { class: "tabs" }, h("div", { role: "tablist", "aria-label": "Views", keydown: move }, TABS.map(([tab, name, title]) =>
    h("button", { role: "tab", title, id: `tab-${tab}`, "data-key": `tab-${tab}`, "aria-selected": String(tab === current),
      "aria-controls": "view", tabindex: tab === current ? 0 : -1, click: () => send({ kind: "tab", tab }) }, name))),
    h("p", { class: "lead" }, TABS.find(([tab]) => tab === current)?.[2] ?? ""));
}

function body(): HTMLElement | null {
  const seat = model?.step?.seat;
  if (seat) {
    const back = h("button", { "data-key": "back", disabled: seat.round === 0, click: () => send({ kind: "jump", at: seat.round - 1 }) }, "One round back");
    return h("section", { id: "view", class: "stage", "aria-label": `The match as ${seat.role} sees it` },
      ...seatView(seat, { chosen: panel.cells, click: (cell) => chooseCell(panel, cell), play: (move) => send({ kind: "play", moves: [move] }) }, [], [back]));
  }
  if (!model?.step?.view) return null;
  const content = { state: stateTab, knowledge: knowledgeTab, verdict: verdictTab, proof: proofTab, play: playTab }[model.tab](panel);
  const isStage = content.some((it) => it.classList.contains("moves-bar"));
  return h("section", { role: "tabpanel", id: "view", class: isStage ? "stage" : "page", "aria-labelledby": `tab-${model.tab}` }, content);
}

/** The choice between the whole state and the view of one role. */
function eyes(): HTMLElement | null {
  if (!panel.players.length) return null;
  const choice = (role: string | undefined, label: string) => h("button", { class: "choice", "data-key": `eye-${label}`,
    title: role ? `Only what ${role} knows` : "The whole state", "aria-pressed": String(model?.eye === role), click: () => send({ kind: "eye", role }) }, label);
  return h("div", { class: "picker eyes", role: "group", "aria-label": "Point of view" },
    h("span", { class: "label" }, "Show"), choice(undefined, "everything"), panel.players.map((name) => choice(name, name)));
}
