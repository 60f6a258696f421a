// The editor: CodeMirror with percept as its language support.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, startCompletion, type Completion, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { forceLinting, lintGutter, lintKeymap, linter, setDiagnostics, type Action, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, lineNumbers, drawSelection, highlightActiveLine, type DecorationSet } from "@codemirror/view";
import { h } from "../../vscode/src/panel/dom";
import { quick, type Edit, type Finding, type Fix, type Named, type Place } from "./engine";
import { markdown } from "./markdown";

/** The events for the page around the editor. */
export interface Listener {
  changed(): void;
  found(findings: Finding[]): void;
  explain(rule: string): void;
  step(moves: string[][]): void;
  failed(why: unknown): void;
}

const coloured = StateEffect.define<[number, number, string][]>();
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(coloured)) continue;
      const length = transaction.state.doc.length;
      const marks = effect.value.filter(([from, to]) => from < to && to <= length)
        .map(([from, to, kind]) => Decoration.mark({ class: `tok-${kind}` }).range(from, to));
      next = Decoration.set(marks, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The texts of an editor with their undo histories. */
export interface Held { texts: Named[]; states: EditorState[] }

/** Texts in tabs, one of which is shown. */
export class Editor {
  readonly view: EditorView;
  private states: EditorState[] = [];
  private names: string[] = [];
  private shown = 0;
  private judged: Finding[] = [];
  private found: Finding[] = [];
  private version = 0;

  constructor(parent: HTMLElement, private tabs: HTMLElement, private listener: Listener) {
    this.view = new EditorView({ parent });
  }

  /** The current texts. */
  texts(): Named[] {
    this.states[this.shown] = this.view.state;
    return this.names.map((name, at) => ({ name, text: this.states[at].doc.toString() }));
  }

  held(): Held {
    return { texts: this.texts(), states: [...this.states] };
  }

  /** Shows these texts; `held` is their last state in the editor. */
  open(texts: Named[], held?: Held): void {
    this.names = texts.map((it) => it.name);
    this.states = held ? [...held.states] : texts.map((it) => EditorState.create({ doc: it.text, extensions: this.extensions() }));
    this.judged = [];
    this.shown = 0;
    this.view.setState(this.states[0]);
    this.drawTabs();
    this.refresh();
  }

  /** Asks for another name of the shown text. */
  rename(): void {
    const name = window.prompt("The name of this text, as a file", this.names[this.shown])?.trim();
    if (!name || name === this.names[this.shown]) return;
    this.names[this.shown] = name;
    this.drawTabs();
    this.listener.changed();
  }

  show(text: number): void {
    if (text === this.shown || !this.states[text]) return;
    this.states[this.shown] = this.view.state;
    this.shown = text;
    this.view.setState(this.states[text]);
    this.drawTabs();
    this.refresh();
  }

  /** Goes to a place and marks it. */
  go(place: Place): void {
    this.show(place.text);
    const length = this.view.state.doc.length;
    const [anchor, head] = [Math.min(place.from, length), Math.min(place.to, length)];
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  /** Shows the findings of playing the game on the current text. */
  judge(findings: Finding[]): void {
    this.judged = findings;
    this.drawFindings();
  }

  apply(fix: Fix): void {
    const by = new Map<number, Edit[]>();
    for (const edit of fix.edits) by.set(edit.text, [...(by.get(edit.text) ?? []), edit]);
    const here = this.shown;
    for (const [text, edits] of by) {
      this.show(text);
      this.view.dispatch({ changes: edits.map((it) => ({ from: it.from, to: it.to, insert: it.insert })), userEvent: "input.fix" });
    }
    this.show(here);
  }

  async format(): Promise<void> {
    const answer = await quick.ask<{ text: string } | null>({ ask: "format", texts: this.texts(), text: this.shown });
    if (answer) this.replace(answer.text);
  }

  async convert(): Promise<void> {
    const answer = await quick.ask<{ text: string; ending: string }>({ ask: "convert", texts: this.texts(), text: this.shown });
    const texts = this.texts();
    const name = texts[this.shown].name.replace(/\.[^.]*$/, "");
    texts[this.shown] = { name: `${name}.${answer.ending}`, text: answer.text };
    this.open(texts);
    this.listener.changed();
  }

  private replace(text: string): void {
    if (text === this.view.state.doc.toString()) return;
    // Changes only the differing part, so that the cursor keeps its place.
    const old = this.view.state.doc.toString();
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from++;
    let [end, newEnd] = [old.length, text.length];
    while (end > from && newEnd > from && old[end - 1] === text[newEnd - 1]) { end--; newEnd--; }
    this.view.dispatch({ changes: { from, to: end, insert: text.slice(from, newEnd) }, userEvent: "format" });
  }

  private drawTabs(): void {
    this.tabs.replaceChildren(...this.names.map((name, at) =>
      h("button", { class: at === this.shown ? "tab shown" : "tab", role: "tab", "aria-selected": String(at === this.shown), click: () => this.show(at) }, name)));
  }

  /** Requests findings and colours of the current text. */
  private refresh(): void {
    forceLinting(this.view);
    void this.colour();
  }

  private async colour(): Promise<void> {
    const version = ++this.version;
    const tokens = await quick.ask<[number, number, string][] | null>({ ask: "tokens", texts: this.texts(), text: this.shown }).catch(() => null);
    if (version === this.version && tokens) this.view.dispatch({ effects: coloured.of(tokens) });
  }

  private async check(): Promise<Diagnostic[]> {
    const texts = this.texts();
    try {
      const answer = await quick.ask<{ findings: Finding[] }>({ ask: "check", texts });
      this.found = answer.findings;
    } catch (error) {
      this.found = [];
      this.listener.failed(error);
    }
    this.listener.found(this.all());
    return this.diagnostics();
  }

  private all(): Finding[] {
    return [...this.found, ...this.judged].sort((a, b) => a.text - b.text || a.from - b.from);
  }

  private drawFindings(): void {
    this.listener.found(this.all());
    this.view.dispatch(setDiagnostics(this.view.state, this.diagnostics()));
  }

  private diagnostics(): Diagnostic[] {
    const length = this.view.state.doc.length;
    return this.all().filter((it) => it.text === this.shown).map((it) => ({
      from: Math.min(it.from, length), to: Math.min(Math.max(it.to, it.from), length),
      severity: it.severity === "information" ? "info" : it.severity, source: it.rule,
      message: it.because ? `${it.message}\n${it.because}` : it.message,
      actions: this.actions(it),
    }));
  }

  private actions(finding: Finding): Action[] {
    const fixes = finding.fixes.map((fix) => ({ name: fix.title, apply: () => this.apply(fix) }));
    const moves = finding.moves;
    return [...fixes,
      ...(moves ? [{ name: "Step there", apply: () => this.listener.step(moves) }] : []),
      { name: "Why?", apply: () => this.listener.explain(finding.rule) }];
  }

  private async complete(context: CompletionContext) {
    if (!context.explicit && !context.matchBefore(/[\w?:(-]/)) return null;
    const answer = await quick.ask<{ from: number; to: number; items: Item[] } | null>(
      { ask: "complete", texts: this.texts(), text: this.shown, at: context.pos }).catch(() => null);
    if (!answer) return null;
    const options: Completion[] = answer.items.map((it) => ({
      label: it.label, detail: it.detail, type: it.kind, boost: -it.rank,
      info: it.info ? () => markdown(it.info as string) : undefined,
      apply: it.snippet ? snippet(places(it.insert)) : it.insert,
    }));
    return { from: answer.from, to: answer.to, options, validFor: /^[\w?:-]*$/ };
  }

  private async hover(pos: number) {
    const answer = await quick.ask<{ markdown: string; from: number; to: number } | null>(
      { ask: "hover", texts: this.texts(), text: this.shown, at: pos }).catch(() => null);
    if (!answer) return null;
    return { pos: answer.from, end: answer.to, above: true, create: () => ({ dom: h("div", { class: "hover" }, markdown(answer.markdown)) }) };
  }

  private async define(): Promise<void> {
    const at = this.view.state.selection.main.head;
    const places = await quick.ask<Place[] | null>({ ask: "definition", texts: this.texts(), text: this.shown, at }).catch(() => null);
    if (places?.[0]) this.go(places[0]);
  }

  private extensions(): Extension {
    return [
      lineNumbers(), foldGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      highlightSelectionMatches(), colours, EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": "The text of the game" }),
      foldService.of((state, from, to) => foldOf(state, from, to)),
      autocompletion({ override: [(context) => this.complete(context)] }),
      linter(() => this.check(), { delay: 120 }), lintGutter(),
      hoverTooltip((_, pos) => this.hover(pos), { hoverTime: 250 }),
      EditorState.languageData.of(() => [{ commentTokens: { line: ";" }, closeBrackets: { brackets: ["("] } }]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.judged = [];
        void this.colour();
        this.listener.changed();
      }),
      EditorView.domEventHandlers({
        mousedown: (event, view) => {
          if (!event.ctrlKey && !event.metaKey) return false;
          const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (pos === null) return false;
          view.dispatch({ selection: { anchor: pos } });
          void this.define();
          return true;
        },
      }),
      keymap.of([
        { key: "F12", run: () => { void this.define(); return true; } },
        { key: "Shift-Alt-f", run: () => { void this.format(); return true; } },
        { key: "Ctrl-Space", run: startCompletion },
        { key: "Tab", run: acceptCompletion },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab,
      ]),
    ];
  }
}

interface Item { label: string; detail: string; kind: string; insert: string; snippet: boolean; rank: number; info: string | null }

/** The protocol's `${1:x}` and `$0` in the syntax of CodeMirror. */
function places(text: string): string {
  return text.replaceAll(/\$\{(\d+):([^}]*)\}/g, "#{$2}").replaceAll(/\$\{?(\d+)\}?/g, "#{}");
}

/** The fold of a form that begins on a line, up to its end. */
function foldOf(state: EditorState, from: number, to: number): { from: number; to: number } | null {
  const line = state.doc.sliceString(from, to);
  if (!line.startsWith("(")) return null;
  let depth = 0;
  const text = state.doc.sliceString(from, Math.min(from + 20000, state.doc.length));
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ";") at = Math.max(at, text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at));
    else if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return from + at > to ? { from: to, to: from + at } : null;
  }
  return null;
}
