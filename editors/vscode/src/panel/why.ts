// Explanations of atoms: rule instances with their support, each linked to the text.

import type { Explanation, Location, Model, Part, Question, Wish } from "../protocol";
import { h } from "./dom";

type Send = (wish: Wish) => void;

/** The card with the answer to the last question, if there is one. */
export function whyCard(model: Model, send: Send): HTMLElement | null {
  const answer = model.why;
  if (!answer) return null;
  const { why, round } = answer;
  // A fluent is explained by its cause: the round that made it hold, or the start.
  const made = /^\((next|init) (.+)\)$/s.exec(why.atom);
  // A fact may have held long before the explained round, because a rule kept it.
  const { since } = answer;
  const when = since !== undefined && since !== null
    ? since === 0 ? "since the start" : `since round ${since}`
    : round === 0 ? "at the start" : `after round ${round}`;
  const kept = made?.[1] === "next" && since !== undefined && since !== null && since <= round
    ? h("button", { class: "link", title: "Explain the round in which it began", click: () => send({ kind: "why", question: { fluent: made[2]!, at: since } }) },
      since === 0 ? "Why at the start?" : `Why in round ${since}?`)
    : null;
  return h("section", { class: "why", tabindex: -1, "data-key": "why", "aria-label": `Why ${why.atom}`,
    keydown: (event: KeyboardEvent) => event.key === "Escape" && send({ kind: "unask" }) },
    h("header", {},
      h("h2", {}, why.holds ? "Why " : "Why not ", h("code", {}, made?.[2] ?? why.atom)),
      h("span", { class: "quiet" }, when), kept,
      h("button", { class: "icon close", title: "Close", "aria-label": "Close the explanation", "data-key": "unask",
        click: () => send({ kind: "unask" }) }, "×")),
    body(why, round, send));
}

function body(why: Explanation, round: number, send: Send): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (why.parts?.length) parts.push(list(why.parts, send));
  for (const reason of why.reasons ?? []) {
    parts.push(h("div", { class: "reason" },
      rule(reason.text, reason.rule, send), bindings(reason.bindings),
      h("ul", {}, reason.support.map((support) => h("li", { class: "holds" },
        literal(support.literal, support.location, round, send),
        support.why ? h("div", { class: "nested" }, body(support.why, round, send)) : null)))));
  }
  for (const failure of why.failures ?? []) {
    parts.push(h("div", { class: "reason" },
      rule(failure.text, failure.rule, send), bindings(failure.bindings),
      h("ul", {}, failure.failed.map((failed) => h("li", { class: "fails" },
        literal(failed.literal, failed.location, round, send))))));
  }
  if (parts.length === 0) {
    parts.push(h("p", { class: "quiet" }, why.holds ? "It is given and needs no rule." : "No rule can derive it."));
  }
  return parts;
}

/** The support of a fact of a planning domain. */
function list(parts: Part[], send: Send): HTMLElement {
  return h("ul", {}, parts.map((part) => {
    const location = part.location;
    return h("li", { class: part.holds ? "holds" : "fails" },
      location ? h("button", { class: "literal", title: "Go to this place", click: () => send({ kind: "open", location }) }, part.says)
        : h("span", {}, part.says),
      part.parts.length ? list(part.parts, send) : null);
  }));
}

function rule(text: string, location: Location, send: Send): HTMLElement {
  return h("button", { class: "rule", title: "Go to this rule", click: () => send({ kind: "open", location }) }, text);
}

function bindings(list: [string, string][]): HTMLElement | null {
  return list.length ? h("p", { class: "bindings" }, list.map(([name, value]) => h("span", {}, `?${name} = ${value}`))) : null;
}

/** A literal links to its place; a fluent that held before also links to its explanation. */
function literal(text: string, location: Location, round: number, send: Send): HTMLElement {
  const fluent = /^\(true (.+)\)$/s.exec(text)?.[1];
  return h("span", {},
    h("button", { class: "literal", title: "Go to this condition", click: () => send({ kind: "open", location }) }, text),
    fluent && round >= 0
      ? h("button", { class: "link", click: () => send({ kind: "why", question: { fluent, at: round } as Question }) }, "why?")
      : null);
}
