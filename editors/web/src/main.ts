// The page: a game on the left, what percept knows of it on the right.

import { h } from "../../vscode/src/panel/dom";
import { Editor } from "./editor";
import { long, NoAnswer, quick, ready, type Finding, type Named, type Place } from "./engine";
import { GAMES } from "./games";
import { Knowledge } from "./knowledge";
import { pack, unpack } from "./link";
import { markdown } from "./markdown";
import { Panel } from "./panel";

const element = (id: string) => document.getElementById(id) as HTMLElement;
/** Quiet time after a change before the game is played. */
const PAUSE = 700;
const KEPT = "percept-game";

const editor = new Editor(element("editor"), element("tabs"), { changed, found, explain: (rule) => void explain(rule), step, failed: say });
const panel = new Panel(element("match"), () => editor.texts(), go);
const knowledge = new Knowledge(element("knowledge"), {
  texts: () => editor.texts(), history: () => panel.history, round: () => panel.round, go, step,
});
let pause: number | undefined;

function go(place: Place): void { editor.go(place); }

function step(moves: string[][]): void {
  show("match");
  void panel.load(moves);
}

function say(why: unknown): void {
  element("status").textContent = why instanceof NoAnswer ? why.message : String(why);
}

function show(name: string): void {
  for (const tab of document.querySelectorAll<HTMLElement>("[data-page]")) {
    const shown = tab.dataset.page === name;
    tab.setAttribute("aria-selected", String(shown));
    element(tab.dataset.page as string).hidden = !shown;
  }
  if (name === "match") void panel.draw();
  if (name === "infosets") sets();
}

/** One button per role: what it cannot tell apart. */
function sets(): void {
  const box = element("infosets");
  const result = h("div", { id: "set" });
  const own = new Knowledge(result, { texts: () => editor.texts(), history: () => panel.history, round: () => panel.round, go, step }, false);
  void long.ask<{ roles?: { name: string; chance: boolean }[]; refusals?: { message: string }[] }>({ ask: "step", texts: editor.texts(), history: panel.history, at: panel.round }).then((it) => {
    box.replaceChildren(h("p", {}, `The histories that a role cannot tell from the match as it stands after round ${panel.round}, and how likely each is if everybody else moved at random.`),
      ...(it.refusals ?? []).map((refusal) => h("p", { class: "complaint" }, refusal.message)),
      h("div", { class: "controls" }, ...(it.roles ?? []).filter((role) => !role.chance).map((role) =>
        h("button", { class: "primary", "data-role": role.name, click: () => void own.infoset(role.name) }, role.name))), result);
  }, say);
}

function changed(): void {
  window.clearTimeout(pause);
  pause = window.setTimeout(() => void settled(), PAUSE);
}

/** The text has stood still for a while: it is kept, played, and the match replayed on it. */
async function settled(): Promise<void> {
  const texts = editor.texts();
  try { localStorage.setItem(KEPT, JSON.stringify(texts)); } catch { /* A browser may forbid it. */ }
  if (!element("match").hidden) void panel.follow();
  try {
    const answer = await long.ask<{ findings: Finding[] }>({ ask: "judge", texts, seconds: 1 });
    if (JSON.stringify(editor.texts()) === JSON.stringify(texts)) editor.judge(answer.findings);
  } catch (error) {
    if (!(error instanceof NoAnswer && error.message === "stopped")) say(error);
  }
}

function found(findings: Finding[]): void {
  const told = findings.filter((it) => it.severity !== "hint");
  const errors = told.filter((it) => it.severity === "error").length;
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  element("status").textContent = told.length ? `${count(errors, "error")}, ${count(told.length - errors, "warning")}` : "nothing to complain of";
  document.body.dataset.findings = String(told.length);
  performance.mark("percept-findings");
  element("problems").replaceChildren(...(findings.length ? findings : []).map((it) => h("div", { class: `finding ${it.severity}` },
    h("p", {}, h("button", { class: "link", click: () => go(it) }, it.message), " ", h("button", { class: "rule", click: () => void explain(it.rule) }, it.rule)),
    it.because ? h("p", { class: "because" }, it.because, " ", it.moves ? h("button", { class: "link", click: () => step(it.moves as string[][]) }, "Step there") : null) : null,
    it.fixes.length ? h("p", { class: "fixes" }, ...it.fixes.map((fix) => h("button", { class: "fix", click: () => editor.apply(fix) }, fix.title))) : null)),
    ...(findings.length ? [] : [h("p", {}, "Nothing to complain of. Break something: leave out a bracket, misspell a name, forget a ", h("code", {}, "sees"), " rule.")]));
}

async function explain(rule: string): Promise<void> {
  const answer = await quick.ask<{ page: string }>({ ask: "explain", rule }).catch(() => null);
  if (!answer) return;
  const dialog = element("page") as HTMLDialogElement;
  dialog.replaceChildren(h("form", { method: "dialog" }, h("button", { title: "Close" }, "✕")), markdown(answer.page));
  dialog.showModal();
}

function open(texts: Named[]): void {
  long.stop();
  panel.reset();
  editor.open(texts);
  if (!element("match").hidden) void panel.draw();
  changed();
}

async function share(): Promise<void> {
  const link = `${location.href.split("#")[0]}#g=${await pack(editor.texts())}`;
  history.replaceState(null, "", link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  element("status").textContent = `${copied ? "The link is copied" : "The link is in the address bar"}: ${link.length.toLocaleString("en")} characters, with the whole game in it.`;
}

/** The game of the link, the one that was written here last, or the first. */
async function begin(): Promise<Named[]> {
  const carried = /^#g=(.+)$/.exec(location.hash)?.[1];
  if (carried) {
    try { return await unpack(carried); } catch (error) { say(`This link cannot be read: ${error instanceof Error ? error.message : error}`); }
  }
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Named[] | null;
    if (Array.isArray(kept) && kept.length && kept.every((it) => typeof it.name === "string" && typeof it.text === "string")) return kept;
  } catch { /* Nothing was kept. */ }
  return GAMES[0].texts;
}

const choice = element("games") as HTMLSelectElement;
choice.append(...GAMES.map((game, at) => h("option", { value: at }, game.title)));
choice.addEventListener("change", () => {
  const game = GAMES[Number(choice.value)];
  choice.selectedIndex = 0;
  if (game) open(game.texts);
});
element("format").addEventListener("click", () => void editor.format().catch(say));
element("convert").addEventListener("click", () => void editor.convert().catch(say));
element("share").addEventListener("click", () => void share());
for (const tab of document.querySelectorAll<HTMLElement>("[data-page]")) tab.addEventListener("click", () => show(tab.dataset.page as string));
window.addEventListener("hashchange", () => void begin().then(open));
ready.then(() => { document.body.dataset.ready = "yes"; }, (error) => say(`percept cannot be loaded: ${error}`));
open(await begin());
show("problems");
// For whoever drives the page from outside: tests, the browser's console.
Object.assign(window, { percept: { editor, panel } });
