// Signs and words for knowledge: the same in panel and page, and as percept writes them elsewhere (server/report/src/signs.rs).

/** The properties that a role has to know. */
export const WORDS = { legal: "its legal moves", terminal: "whether the match is over", goal: "its goal", own: "its own moves" };

/** The sign of an answer, and the class of its colour. */
export const SIGNS = {
  known: ["✓", "good"], proved: ["✓", "good"], unknown: ["✗", "bad"], refuted: ["✗", "bad"], undecided: ["?", "open"], open: ["?", "open"],
} as const;

/** The names of two histories that a role cannot tell apart. */
export const PAIR = ["A", "B"] as const;

/** A probability in percent; one just below 1 must not look certain. */
export function percent(share: number): string {
  return share < 1 && share > 0.999 ? "> 99.9 %" : `${(share * 100).toFixed(1)} %`;
}

/** A number with its noun: `1 history`, `2 histories`. `digits` may begin with "at least". */
export function histories(digits: string): string {
  const grouped = digits.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
  return `${grouped} ${/(^|\s)1$/.test(digits) ? "history" : "histories"}`;
}
