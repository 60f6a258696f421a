// Facts as chips, and the probability of facts as bars.

import type { Belief, Group, Picture } from "../answers";
import { boards, onBoards, type Clicks } from "./board";
import { h } from "./dom";
import { percent } from "./signs";
import { title, told } from "./words";

/** A fact as `say` puts it; with `ask`, a click asks why it holds. */
export function fact(name: string, ask?: (name: string) => void, say = told): HTMLElement {
  const shown = say(name);
  return ask ? h("button", { class: "fact", title: `Why does ${name} hold?`, click: () => ask(name) }, shown)
    : h("span", { class: "fact", title: shown === name ? undefined : name }, shown);
}

/** A move or a percept in a text. */
export const term = (name: string, kind = "term"): HTMLElement => h("code", { class: kind, title: title(name) }, told(name));

/** Moves or percepts in a row of text. */
export const terms = (names: string[]): (Node | string)[] =>
  names.length ? names.flatMap((name) => [term(name), " "]) : [h("span", { class: "quiet" }, "nothing")];

export const facts = (names: string[], ask?: (name: string) => void, say = told): HTMLElement | null =>
  names.length ? h("div", { class: "facts" }, names.map((name) => fact(name, ask, say))) : null;

/** A state: boards for the fluents that fit on one, the rest grouped, numbers. */
export function picture(shown: Picture, clicks: Clicks = {}, ask?: (name: string) => void): HTMLElement {
  const drawn = onBoards(shown.boards);
  const groups = shown.groups.map((group) => ({ ...group, fluents: group.fluents.filter((name) => !drawn.has(name)) }))
    .filter((group) => group.fluents.length);
  // Groups of one or two facts need no heading: the facts name it.
  const isSmall = (group: Group) => group.fluents.length <= 2;
  const small = groups.filter(isSmall).flatMap((group) => group.fluents);
  const parts: (HTMLElement | null)[] = [boards(shown.boards, shown.legend, clicks), facts(small, ask),
    ...groups.filter((group) => !isSmall(group)).map((group) => h("div", { class: "group" }, h("p", { class: "name" }, group.functor), facts(group.fluents, ask))),
    shown.numbers.length ? h("table", { class: "numbers" }, h("tbody", {},
      shown.numbers.map(([name, value]) => h("tr", {}, h("th", { scope: "row", title: title(name) }, told(name)), h("td", {}, String(value)))))) : null];
  const there = parts.filter((it) => it !== null);
  return there.length ? h("div", { class: "picture" }, there) : h("p", { class: "quiet" }, "No fact holds.");
}

/** A bar for each fact that is not certain, the most likely first. */
export function bars(beliefs: Belief[], exact: boolean): HTMLElement | null {
  const open = beliefs.filter((it) => it.probability < 1);
  if (!open.length) return null;
  const row = (it: Belief) => {
    const bar = h("div", { class: "bar-fill" });
    bar.style.setProperty("--share", String(it.probability));
    const says = `${percent(it.probability)}${exact ? "" : ` ± ${(it.error * 100).toFixed(1)}`}`;
    return h("tr", {}, h("th", { scope: "row", title: title(it.fluent) }, told(it.fluent)), h("td", { class: "bar-box", "aria-hidden": "true" }, bar), h("td", { class: "percent" }, says));
  };
  return h("div", {}, h("table", { class: "bars" }, h("caption", {}, "How likely each other fact is"), h("tbody", {}, open.slice(0, 60).map(row))),
    open.length > 60 ? h("p", { class: "quiet" }, `and ${open.length - 60} less likely ones`) : null);
}
