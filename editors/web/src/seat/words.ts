// Names of moves and percepts as words.

/** `(mark 2 3)` as `mark 2 3`. */
export const words = (name: string): string => name.replace(/[()]/g, " ").replace(/\s+/g, " ").trim();

/** Names joined as in a sentence. */
export const listed = (names: string[]): string =>
  names.length < 2 ? names[0] ?? "" : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
