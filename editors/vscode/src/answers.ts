// Made from server/report by its test `schema`: do not edit.
/** The answer about one role, one property and one round of a match. */
export interface MatchVerdict {
  /** Its name. */
  role: string;
  /** Rounds played: 0 is before the first move. */
  round: number;
  /** What is known or not. */
  property: Asked;
  /** The answer. */
  verdict: MatchAnswer;
  /** What settled it: `exact`, `sat`, `search` (differences only), or `announced` where the end is told by the protocol. */
  method: string;
  /** Samples that agreed, for `undecided`. */
  agreed?: number | null;
  /** Why it is `undecided`. */
  why?: string | null;
  /** For `unknown`. */
  witness?: Pair | null;
}
/** What a role should know. */
export type Asked = "legal" | "terminal" | "goal";
/** Whether a role knows something at one point of a match. */
export type MatchAnswer = "known" | "unknown" | "undecided";
/** Two histories that the role cannot tell apart. */
export interface Pair {
  /** Per round, a move of each role. */
  first: string[][];
  /** As `first`. */
  second: string[][];
  /** What holds at the end of `first`, in words. */
  first_value: string;
  /** What holds at the end of `second`, in words. */
  second_value: string;
  /** Whether `first` is the match that was asked about. */
  first_is_match: boolean;
  /** The first round in which they differ, from 1. */
  parting: number;
  /** What could have told the role, and what makes the difference. Along a match at the first round of a property only. */
  rules?: Rules | null;
}
/** The rules behind two histories. */
export interface Rules {
  /** What could have told the role in the round of parting, the likeliest to be at fault first. */
  silent: Told[];
  /** What makes the difference. */
  deciding: Told[];
}
/** A rule and what it says about the two histories. */
export interface Told {
  /** The document. */
  uri: string;
  /** What of it. */
  range: Span;
  /** Without a full stop. */
  says: string;
}
/** From the first character to the one after the last. */
export interface Span {
  /** The first character. */
  start: Point;
  /** The one after the last. */
  end: Point;
}
/** Both count from 0; `character` in the encoding that was agreed on. */
export interface Point {
  /** Of the document. */
  line: number;
  /** Of the line. */
  character: number;
}
/** The answer about one role and property in every match. */
export interface GameVerdict {
  /** Its name. */
  role: string;
  /** What is known or not. */
  property: Asked;
  /** The answer. */
  verdict: GameAnswer;
  /** Rounds of the shortest pair, or up to which there is none. */
  depth: number | null;
  /** What settled it. */
  method: string | null;
  /** Of a proof about goals: whether it says nothing, since no match ever ends; `null` where that is not known. */
  vacuous?: boolean | null;
  /** How long it took. */
  seconds: number;
  /** For `refuted`. */
  witness?: Pair | null;
}
/** Whether a role knows something in every match. */
export type GameAnswer = "proved" | "refuted" | "open";
/** A range of a document, as the language server protocol has it. */
export interface Location {
  /** The document. */
  uri: string;
  /** What of it. */
  range: Span;
}
