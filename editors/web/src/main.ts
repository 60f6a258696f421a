// The page: a game on the left, the answers of percept on the right.

import tutorial from "../../../docs/tutorial.md";
import { h } from "../../vscode/src/panel/dom";
import { mount } from "../../vscode/src/panel/panel";
import { Session } from "../../vscode/src/session";
import { Drafts, sameGame, storage, type Draft } from "./drafts";
import { Editor, type Held } from "./editor";
import { long, NoAnswer, quick, ready, type Finding, type Named, type Place } from "./engine";
import { GAMES } from "./games";
import { PageHost } from "./host";
import { pack, unpack } from "./link";
import { markdown } from "./markdown";
import { start } from "./start";
import { STRATEGIES } from "./table";

const element = (id: string) => document.getElementById(id) as HTMLElement;
/** The delay in milliseconds between the last change and playing the game. */
const PAUSE = 700;

const editor = new Editor(element("editor"), element("tabs"), { changed, found, explain: (rule) => void explain(rule), step, failed: say });
const host = new PageHost({ texts: () => editor.texts(), post: (model) => post(model), go, insert: (edits) => editor.apply({ title: "", edits }), download });
let session = new Session(host, "", "state");
const post = mount(element("match"), (wish) => session.wish(wish), { keys: element("match"), strategies: STRATEGIES });
const drafts = new Drafts(storage());
/** The last draft that was left, as in the editor, with its undo history. */
let left: { id: string; held: Held } | undefined;
let pause: number | undefined;

function go(place: Place): void { editor.go(place); }

/** Shows a match that was found elsewhere. */
function step(moves: string[][]): void {
  session.wish({ kind: "load", moves });
  show("match", false);
}

function say(why: unknown): void {
  element("status").textContent = why instanceof NoAnswer ? why.message : String(why);
}

/** Shows a part of the page; `asks`: false if what it shows is already on its way. */
function show(name: string, asks = true): void {
  document.body.dataset.shown = name;
  for (const tab of document.querySelectorAll<HTMLElement>("[data-page]")) {
    const shown = tab.dataset.page === name;
    tab.setAttribute("aria-selected", String(shown));
    if (tab.dataset.page !== "text") element(tab.dataset.page as string).hidden = !shown;
  }
  if (name === "match" && asks) void session.refresh();
}

function download(name: string, text: string): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name }) as HTMLAnchorElement;
  link.click();
  URL.revokeObjectURL(link.href);
}

function changed(): void {
  window.clearTimeout(pause);
  pause = window.setTimeout(() => void settled(), PAUSE);
}

/** Saves the reader's own text. */
function keep(): void {
  const before = drafts.current;
  if (!drafts.keep(editor.texts())) say("The browser has no room to save this game: copy it, or use its link.");
  if (drafts.current === before) return;
  // The link in the address would be that of another game or an older version.
  if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
  if (drafts.current?.id !== before?.id) list();
}

/** Called when the text has not changed for a while: saves it, plays it, and replays the match on it. */
async function settled(): Promise<void> {
  const texts = editor.texts();
  keep();
  session.edited();
  if (!element("match").hidden) void session.refresh();
  try {
    const answer = await long.ask<{ findings: Finding[] }>({ ask: "judge", texts, seconds: 1 });
    if (JSON.stringify(editor.texts()) === JSON.stringify(texts)) editor.judge(answer.findings);
  } catch (error) {
    if (!(error instanceof NoAnswer && error.message === "stopped")) say(error);
  }
}

function found(findings: Finding[]): void {
  const visible = findings.filter((it) => it.severity !== "hint");
  const errors = visible.filter((it) => it.severity === "error").length;
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  element("status").textContent = visible.length ? `${count(errors, "error")}, ${count(visible.length - errors, "warning")}` : "no problems";
  document.querySelector("[data-page=problems]")!.textContent = visible.length ? `Problems (${visible.length})` : "Problems";
  document.body.dataset.findings = String(visible.length);
  performance.mark("percept-findings");
  element("problems").replaceChildren(...(findings.length ? findings : []).map((it) => h("div", { class: `finding ${it.severity}` },
    h("p", {}, h("button", { class: "link", click: () => go(it) }, it.message), " ", h("button", { class: "rule", click: () => void explain(it.rule) }, it.rule)),
    it.because ? h("p", { class: "because" }, it.because, " ", it.moves ? h("button", { class: "link", click: () => step(it.moves as string[][]) }, "Step there") : null) : null,
    it.fixes.length ? h("p", { class: "fixes" }, ...it.fixes.map((fix) => h("button", { class: "fix", click: () => editor.apply(fix) }, fix.title))) : null)),
    ...(findings.length ? [] : [h("p", {}, "No problems. Try a mistake: leave out a bracket, misspell a name, forget a ", h("code", {}, "sees"), " rule.")]));
}

async function explain(rule: string): Promise<void> {
  const answer = await quick.ask<{ page: string }>({ ask: "explain", rule }).catch(() => null);
  if (answer) read(answer.page);
}

/** Shows a page over this one. */
function read(page: string): void {
  const dialog = element("page") as HTMLDialogElement;
  dialog.replaceChildren(h("form", { method: "dialog" }, h("button", { title: "Close", "aria-label": "Close" }, "✕")), markdown(page));
  dialog.showModal();
}

function open(texts: Named[], held?: Held): void {
  long.stop();
  session.close();
  session = new Session(host, texts.at(-1)?.name ?? "", "state");
  element("start").hidden = true;
  document.body.dataset.start = "no";
  editor.open(texts, held);
  if (!element("match").hidden) void session.refresh();
  changed();
}

/** The first page. */
function welcome(): void {
  start(element("start"), drafts.all(), { open: bring, resume, file: () => element("file").click(), tutorial: () => read(tutorial) });
  element("start").hidden = false;
  document.body.dataset.start = "yes";
}

/** Opens files of this computer: a description, or a domain and a problem. */
async function openFiles(files: FileList | null): Promise<void> {
  const texts = await Promise.all([...files ?? []].slice(0, 2).map(async (it) => ({ name: it.name, text: await it.text() })));
  if (texts.length) bring(texts);
}

/** Saves the reader's own text before another text replaces it on the page. */
function leave(): void {
  keep();
  if (drafts.current) left = { id: drafts.current.id, held: editor.held() };
}

/** Shows the text of a link or an example. */
function bring(texts: Named[]): void {
  leave();
  const own = drafts.all();
  const game = own.find((it) => sameGame(it.texts, texts));
  if (game) return resume(game);
  drafts.bring(texts);
  open(texts);
  notice(own[0]);
}

/** Resumes a draft of the reader in its last state. */
function resume(draft: Draft): void {
  const before = left;
  leave();
  const now = drafts.of(draft.id) ?? draft;
  const held = [left, before].find((it) => it?.id === now.id && sameGame(it.held.texts, now.texts))?.held;
  drafts.resume(now);
  open(now.texts, held);
  notice(undefined);
}

/** Shows that the reader's own game is saved, with a button that opens it. */
function notice(own: Draft | undefined): void {
  element("own").hidden = !own;
  if (own) {
    element("own").replaceChildren(`Your own game, ${own.name}, is saved: `,
      h("button", { class: "link", click: () => resume(own) }, "Open it again"));
  }
}

async function share(): Promise<void> {
  keep();
  const link = `${location.href.split("#")[0]}#g=${await pack(editor.texts())}`;
  history.replaceState(null, "", link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  element("status").textContent = `${copied ? "The link is copied" : "The link is in the address bar"}: ${link.length.toLocaleString("en")} characters, with the whole game in it.`;
}

/** The game of the address, if it has one. */
async function carried(): Promise<Named[] | undefined> {
  const packed = /^#g=(.+)$/.exec(location.hash)?.[1];
  if (!packed) return undefined;
  try { return await unpack(packed); } catch (error) {
    say(`This link cannot be read: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** Shows the game of the link, the reader's last own game, or the first page. */
async function begin(): Promise<void> {
  const brought = await carried();
  const own = drafts.all();
  const saved = brought ? own.find((it) => sameGame(it.texts, brought)) : own[0];
  const texts = saved?.texts ?? brought ?? GAMES[0].texts;
  if (saved) drafts.resume(saved);
  else drafts.bring(texts);
  open(texts);
  notice(saved ? undefined : own[0]);
  if (!saved && !brought) welcome();
}

const choice = element("games") as HTMLSelectElement;
const first = choice.options[0];

/** Lists the games that can be opened: the reader's own ones, and the examples. */
function list(): void {
  const own = drafts.all().map((it) => h("option", { value: `own ${it.id}` }, it.name));
  const games = GAMES.map((game, at) => h("option", { value: at }, game.title));
  choice.replaceChildren(first, ...(own.length ? [h("optgroup", { label: "Your own games" }, ...own)] : []),
    h("optgroup", { label: "Games to start from" }, ...games));
}

choice.addEventListener("change", () => {
  const own = choice.value.startsWith("own ") ? drafts.of(choice.value.slice(4)) : undefined;
  const game = GAMES[Number(choice.value)];
  choice.selectedIndex = 0;
  if (own) resume(own);
  else if (game) bring(game.texts);
});
element("home").addEventListener("click", welcome);
element("save").addEventListener("click", () => { for (const it of editor.texts()) download(it.name, it.text); });
element("rename").addEventListener("click", () => editor.rename());
element("file").addEventListener("change", (event) => {
  const box = event.target as HTMLInputElement;
  void openFiles(box.files).then(() => { box.value = ""; });
});
element("learn").addEventListener("click", () => read(tutorial));
element("format").addEventListener("click", () => void editor.format().catch(say));
element("convert").addEventListener("click", () => void editor.convert().catch(say));
element("share").addEventListener("click", () => void share());
for (const tab of document.querySelectorAll<HTMLElement>("[data-page]")) tab.addEventListener("click", () => show(tab.dataset.page as string));
window.addEventListener("hashchange", () => void carried().then((brought) => { if (brought) bring(brought); }));
window.addEventListener("pagehide", keep);
ready.then(() => { document.body.dataset.ready = "yes"; }, (error) => say(`percept cannot be loaded: ${error}`));
await begin();
list();
show("match");
// Access for programs outside the page: tests, the browser's console.
Object.assign(window, { percept: { editor, session: () => session } });
