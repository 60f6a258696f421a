// "Why, or why not?": a box for any atom that holds or could hold: a fact, a move, a percept, the end, a goal.

import type { Model, Wish } from "../protocol";
import { h } from "./dom";

let typed = "";

export function askBox(model: Model, send: (wish: Wish) => void): HTMLElement {
  const atoms = model.askable?.atoms ?? [];
  const ask = () => {
    const text = typed.trim();
    if (!text) return;
    typed = "";
    send({ kind: "ask", text });
  };
  const input = h("input", { type: "text", list: "askable", class: "ask", "data-key": "ask", placeholder: "a fact, a move, a percept, terminal …",
    "aria-label": "Why, or why not?", value: typed,
    focus: () => { if (!model.askable) send({ kind: "askable" }); },
    input: (event: Event) => { typed = (event.target as HTMLInputElement).value; },
    keydown: (event: KeyboardEvent) => { if (event.key === "Enter") ask(); } });
  return h("div", { class: "picker askbox", role: "search" }, h("label", { class: "label" }, "Why, or why not? ", input),
    h("button", { "data-key": "ask-go", click: ask }, "Ask"),
    h("datalist", { id: "askable" }, atoms.map((it) => h("option", { value: it.says, label: it.holds ? "holds" : "does not hold" }))));
}
