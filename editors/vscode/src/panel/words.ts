// The words of moves, percepts and facts: those that the rules' comments give (`percept: say`), which come with the answers.
// Where a person clicks, a term without given words loses its brackets: `mark 2 3`. The term itself is the title.

import type { Model } from "../protocol";

type Said = Record<string, string> | null | undefined;

let given: Record<string, string> = Object.create(null);

/** Takes the words for all that is about to be shown. */
export function learn(all: Said[]): void {
  given = Object.assign(Object.create(null), ...all);
}

/** The words that come with the parts of a model. */
export const saidIn = (model: Model): Said[] => {
  const { step, sitting, truth, beliefs, infoset, pairs } = model;
  return [beliefs?.says, infoset?.says, ...Object.values(pairs ?? {}).map((it) => it.says), sitting?.record?.says, truth?.believed.seat?.says,
    truth?.step.view?.says, step?.view?.says, step?.seat?.says, sitting?.seat?.says];
};

/** The given words, else the term. */
export const told = (name: string): string => given[name] ?? name;

/** The name of a role's percept: words of a comment about percepts are given to `(sees ROLE PERCEPT)`. */
export const seenBy = (role: string) => (percept: string): string => {
  const name = `(sees ${role} ${percept})`;
  return name in given ? name : percept;
};

/** Words in a row; those that have a comma of their own are set apart by semicolons. */
export const row = (all: string[]): string => all.join(all.some((it) => it.includes(",")) ? "; " : ", ");

/** The term as a title, unless it is what is shown. */
export const title = (name: string): string | undefined => name in given ? name : undefined;

/** The given words, else the term without brackets: `(mark 2 3)` as `mark 2 3`, `(= (hits ann) 3)` as `hits ann = 3`. */
export function words(name: string): string {
  if (name in given) return given[name];
  const [, number, value] = /^\(= (.*) (-?\d+)\)$/.exec(name) ?? [];
  return number === undefined ? name.replace(/[()]/g, " ").replace(/\s+/g, " ").trim() : `${words(number)} = ${value}`;
}
