// The properties that a role has to know.

export const WORDS = { legal: "its legal moves", terminal: "whether the match is over", goal: "its goal", own: "its own moves" };
