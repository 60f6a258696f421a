// What the server's commands return (version 1), and what the panel and the extension tell each other.

// Verdicts and places are made from the schema of the server: answers.ts.
import type { GameVerdict, Location, MatchVerdict, Pair, Span } from "./answers";

export type { GameVerdict as Proof, Location, MatchVerdict as Finding, Pair as Witness };
export interface Refusal { message: string; location?: Location | null }

export type Tone = "white" | "yellow" | "red" | "green" | "blue" | "black";
/** `place`: what moves that name this cell call it. `share`: how likely something stands here, where that is not certain. */
export interface Cell { place: string; sign: string; tone?: Tone; fluents: string[]; share?: number; odds?: { says: string; probability: number }[] }
export interface Board { title: string; columns: string[]; rows: string[]; cells: Cell[][] }
export interface Meaning { sign: string; tone?: Tone; says: string }
export interface Group { functor: string; fluents: string[] }
export interface Shown { boards: Board[]; legend: Meaning[]; groups: Group[]; numbers: [string, number][] }
/** `places`: for each legal move the cells it names, in its order; `3 *` is a column, `* 4` a row. */
export interface Role { name: string; chance: boolean; legal: string[]; places: string[][]; percepts: string[]; goals: number[] }
export interface Belief { fluent: string; probability: number; error: number }
/** All that one role knows at a place of a match. */
export interface Seat {
  role: string; round: number; history: { round: number; move?: string; percepts: string[] }[]; over: "yes" | "no" | "unknown" | "undecided";
  legal: { name: string; chance: number; places: string[] }[]; goals?: number[]; boards: Board[]; legend: Meaning[];
  certain: string[]; possible: Belief[]; histories: string; exact: boolean; effective?: number;
}
export interface Round { round: number; moves: string[]; percepts: string[][] }
export interface View { round: number; rounds: number; terminal: boolean; roles: Role[]; state: Shown; history: Round[] }

export interface Step {
  version: 1; view?: View; seat?: Seat; sequential?: boolean; files?: string[];
  ended?: { round: number; why: string } | null; refusals?: Refusal[];
}
export interface Member { moves: string[][]; probability: number; state: Shown }
export interface Infoset {
  version: 1; role: string; round: number; method: string; complete: boolean; histories: string; states: number;
  stopped?: string | null; seconds: number; members: Member[]; refusals?: Refusal[];
}
export interface Beliefs {
  version: 1; role: string; round: number; method: string; exact: boolean; effective?: number | null; histories: string;
  boards: Board[]; legend: Meaning[]; beliefs: Belief[]; refusals?: Refusal[];
}
export interface Verdict { version: 2; findings?: MatchVerdict[]; refusals?: Refusal[] }

/** What is asked: one of the first four, and whose, for a percept or a move. `at`: after how many rounds. */
export interface Question { fluent?: string; percept?: string; move?: string; atom?: string; role?: string; at?: number }
export interface Explanation {
  atom: string; holds: boolean;
  /** In POGDDL: what it rests on. In GDL: reasons and failures. */
  parts?: Part[];
  reasons?: { rule: Location; text: string; bindings: [string, string][];
    support: { literal: string; location: Location; why?: Explanation | null }[] }[];
  failures?: { rule: Location; text: string; bindings: [string, string][]; failed: { literal: string; location: Location }[] }[];
}
export interface Part { says: string; holds: boolean; location?: Location | null; parts: Part[] }
export interface Proofs { version: 2; findings?: GameVerdict[]; refusals?: Refusal[] }
/** `since`: of a fluent that holds, the round from which on it has held all the time (0: from the start). */
export interface Why { version: 1; round: number; since?: number | null; why: Explanation; refusals?: Refusal[] }

/** Two histories that a role cannot tell apart, round by round. */
export interface Side { moves: string[]; boards: Board[]; only: string[]; terminal: boolean }
export interface Frame { round: number; first: Side; second: Side; differs: [number, number, number][]; told?: { move?: string; percepts: string[] } }
export interface Frames { version: 1; frames: Frame[]; legend: Meaning[]; refusals?: Refusal[] }
/** What can be asked for its reasons. */
export interface Askable { version: 1; atoms: { says: string; holds: boolean; question: Question }[] }
/** Lines that make a role know what it does not know now; what tells least first. */
export interface Repair { says: string; text: string; bits: number | null; worth: number | null; method: string; edit: Edit }
export interface Edit { uri: string; range: Span; newText: string }
export interface Repairs { version: 1; role: string; property: string; known: boolean | null; repairs: Repair[]; refusals?: Refusal[] }
/** What random matches have met. */
export interface Coverage {
  version: 1; matches: number; rounds: number; lacking?: string | null;
  rules: { location: Location; head: Span; fired: number; stuck?: Span | null }[];
  percepts: { role: string; name: string; count: number }[]; refusals?: Refusal[];
}
/** A match against other players, seen from one seat (`percept.match`). */
export interface Sitting {
  version: 1; match?: string; role?: string; players?: Record<string, string>; turn?: "you" | "others" | "nobody";
  moves?: string[]; seat?: Seat; changed?: boolean; record?: SittingRecord; refusals?: Refusal[];
}
export interface SittingRecord {
  ended: string; why?: string | null; history: string[][]; goals: Record<string, number | null>; remarks?: Record<string, string>;
  errors?: { round: number; role: string; kind: string; detail: string }[];
}

export type Tab = "state" | "knowledge" | "verdict" | "proof" | "play";

/** All that the panel shows. */
export interface Model {
  title: string; tab: Tab; step?: Step; role?: string;
  /** Through whose eyes; then `step` has a seat, and there is nothing else to see. */
  eye?: string; players?: string[]; infoset?: Infoset; beliefs?: Beliefs; verdict?: Verdict; proofs?: Proofs; why?: Why; error?: string;
  /** By the pair's key. */
  pairs?: Record<string, Frames>; repairs?: Record<string, Repairs>; askable?: Askable;
  /** A match that is played from a seat, and, once it is over, what its role believed and what was true. */
  sitting?: Sitting; truth?: { step: Step; believed: Step };
  /** What is being worked on, and since when (milliseconds). */
  busy?: string; since?: number; progress?: string;
}

/** From the panel to the extension. */
export type Wish =
  | { kind: "ready" }
  | { kind: "jump"; at: number }
  | { kind: "play"; moves: (string | null)[] }
  | { kind: "tab"; tab: Tab }
  | { kind: "role"; role: string }
  | { kind: "eye"; role?: string }
  | { kind: "why"; question: Question }
  | { kind: "unask" }
  | { kind: "askable" }
  | { kind: "ask"; text: string }
  | { kind: "pair"; key: string; role: string; first: string[][]; second: string[][] }
  | { kind: "repair"; role: string; property: string }
  | { kind: "insert"; edit: Edit }
  | { kind: "sit"; role: string; players: Record<string, string>; playclock: number }
  | { kind: "sitMove"; move: string | null }
  | { kind: "giveUp" }
  | { kind: "leave" }
  | { kind: "review"; at: number }
  | { kind: "open"; location: Location }
  | { kind: "restart" }
  | { kind: "save" }
  | { kind: "stop" };
