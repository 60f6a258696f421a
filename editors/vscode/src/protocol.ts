// What the server's commands return (version 1), and what the panel and the extension tell each other.

// What games, matches and verdicts look like is made from the schema of the server: answers.ts.
import type { Beliefs as Believed, Frames as Pairs, GameVerdict, Location, MatchVerdict, Members, ReplayEnd, Scene, Seat, Span } from "./answers";

export type {
  Belief, Board, Cell, Frame, GameVerdict as Proof, Group, Location, MatchVerdict as Finding, Meaning, Member, Pair as Witness, Picture as Shown,
  Role, RoundView as Round, Scene as View, Seat, Side, Tone,
} from "./answers";
export interface Refusal { message: string; location?: Location | null }

export interface Step {
  version: 1; view?: Scene; seat?: Seat; sequential?: boolean; files?: string[]; ended?: ReplayEnd | null; refusals?: Refusal[];
}
export interface Infoset extends Members { version: 1; refusals?: Refusal[] }
export interface Beliefs extends Believed { version: 1; refusals?: Refusal[] }
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

export interface Frames extends Pairs { version: 1; refusals?: Refusal[] }
/** What can be asked for its reasons. */
export interface Askable { version: 1; atoms: { says: string; holds: boolean; question: Question }[] }
/** Lines that make a role know what it does not know now; what tells least first. */
export interface Repair { says: string; text: string; bits: number | null; worth: number | null; method: string; edits: Edit[] }
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
  /** `allSeen`: no rule says `sees`, so everybody sees every move. */
  moves?: string[]; seat?: Seat; allSeen?: boolean; changed?: boolean; record?: SittingRecord; refusals?: Refusal[];
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
  | { kind: "insert"; edits: Edit[] }
  | { kind: "sit"; role: string; players: Record<string, string>; playclock: number }
  | { kind: "sitMove"; move: string | null }
  | { kind: "giveUp" }
  | { kind: "leave" }
  | { kind: "review"; at: number }
  | { kind: "open"; location: Location }
  | { kind: "restart" }
  | { kind: "save" }
  | { kind: "stop" };
