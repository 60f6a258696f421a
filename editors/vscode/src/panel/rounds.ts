// Histories as tables: one line a round, one column a role. What differs between two histories is marked.

import { h, scrolling } from "./dom";
import { term as termOf, terms } from "./facts";
import { seenBy } from "./words";
import { PAIR } from "./signs";

export interface Column { name: string; chance: boolean }

/** The number of rounds shown around each difference in a long history. */
const AROUND = 2;
const LONG = 12;

const head = (roles: Column[], more: string[]) => h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "round"),
  roles.map((role) => h("th", { scope: "col", class: role.chance ? "chance" : undefined }, role.name)), more.map((name) => h("th", { scope: "col" }, name))));

const term = (name: string) => termOf(name, name === "noop" ? "term idle" : "term");

/** A history. The moves that differ from those of `other` are marked. */
export function rounds(moves: string[][], roles: Column[], other?: string[][]): HTMLElement {
  return scrolling("The rounds of this history", {}, h("table", { class: "rounds" }, head(roles, []), h("tbody", {}, moves.map((joint, round) =>
    h("tr", {}, h("th", { scope: "row" }, String(round + 1)), joint.map((move, role) =>
      h("td", { class: cell(roles[role], other !== undefined && other[round]?.[role] !== move) }, term(move))))))));
}

const cell = (role: Column | undefined, differs: boolean) => [role?.chance ? "chance" : "", differs ? "differs" : ""].filter(Boolean).join(" ") || undefined;

/** Two histories in one table: a move that is the same in both stands once, others stand twice, with their history's name. */
export function pairOfRounds(first: string[][], second: string[][], roles: Column[], told?: { name: string; percepts: string[][] }): HTMLElement {
  const differs = first.map((joint, round) => joint.some((move, role) => second[round]?.[role] !== move));
  const isShown = (round: number) => first.length <= LONG || differs.some((it, at) => it && Math.abs(at - round) <= AROUND);
  const rows: HTMLElement[] = [];
  let same = 0;
  const skip = () => {
    if (same) rows.push(h("tr", { class: "same" }, h("td", { colspan: roles.length + (told ? 2 : 1) }, `${same} ${same === 1 ? "round" : "rounds"} the same in both`)));
    same = 0;
  };
  const both = (one: string, other: string) => one === other ? [term(one)]
    : [one, other].map((move, at) => h("div", {}, h("b", { class: "of" }, PAIR[at]), " ", term(move)));
  first.forEach((joint, round) => {
    if (!isShown(round)) return void same++;
    skip();
    rows.push(h("tr", {}, h("th", { scope: "row" }, String(round + 1)), roles.map((role, at) => {
      const [one, other] = [joint[at] ?? "", second[round]?.[at] ?? ""];
      return h("td", { class: cell(role, one !== other) }, both(one, other));
    }), told ? h("td", {}, terms((told.percepts[round] ?? []).map(seenBy(told.name)))) : null));
  });
  skip();
  return scrolling("Both histories, round by round", {}, h("table", { class: "rounds pairs" }, head(roles, told ? [`${told.name} sees`] : []), h("tbody", {}, rows)));
}
