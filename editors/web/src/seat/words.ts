// Names of moves and percepts in rows.

import { learn, row, seenBy, words } from "../../../vscode/src/panel/words";

export { learn, row, seenBy, words };

/** The number of names above which a common beginning is shown once. */
const MANY = 10;

/** The words that many names begin with, none of them whole. */
export function beginning(names: string[]): string {
  const all = names.map((name) => words(name).split(" "));
  let count = 0;
  while (all.every((it) => it.length > count + 1 && it[count] === all[0][count])) count++;
  return names.length > MANY ? all[0].slice(0, count).join(" ") : "";
}

/** Names joined as in a sentence. */
export const listed = (names: string[]): string =>
  names.length < 2 ? names[0] ?? "" : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
