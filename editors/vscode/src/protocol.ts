// The results of the server's commands (version 1), and the messages between the panel and the extension.

// The types of the answers are generated from the schema of the server: answers.ts.
import type {
  Askable as Atoms, Beliefs as Believed, Coverage as Covered, Edit, Frames as Pairs, GameVerdict, Location, MatchVerdict, Members, Question,
  Refusal, Repairs as Repaired, ReplayEnd, Scene, Seat, Sitting as Sat, WhyAnswer as Explained,
} from "./answers";

export type {
  Atom, Belief, Board, Cell, Edit, Emptiness, Explanation, Frame, GameVerdict as Proof, Group, Location, MatchVerdict as Finding, Meaning, Member,
  Pair as Witness, Part, Picture as Shown, Question, Refusal, Repair, Role, RoundView as Round, Scene as View, Seat, Side, SittingRecord, Tone,
} from "./answers";

/** The answer of every command without a playable game. */
interface Refused { refusals?: Refusal[] }

export interface Step extends Refused {
  version: 1; view?: Scene; seat?: Seat; sequential?: boolean; files?: string[]; ended?: ReplayEnd | null;
}
export interface Infoset extends Members, Refused { version: 1 }
export interface Beliefs extends Believed, Refused { version: 1 }
export interface Verdict extends Refused { version: 2; findings?: MatchVerdict[] }
export interface Proofs extends Refused { version: 2; findings?: GameVerdict[] }
export interface Why extends Explained, Refused { version: 1 }
export interface Frames extends Pairs, Refused { version: 1 }
export interface Askable extends Atoms { version: 1 }
export interface Repairs extends Repaired, Refused { version: 1 }
export interface Coverage extends Covered, Refused { version: 1 }
/** `percept.match`; only the name after the match was left. */
export interface Sitting extends Partial<Sat>, Refused { version: 1 }

export type Tab = "state" | "knowledge" | "verdict" | "proof" | "play";

/** The data that the panel shows. */
export interface Model {
  title: string; tab: Tab; step?: Step; role?: string;
  /** The role whose point of view is shown; then `step` has only a seat. */
  eye?: string; players?: string[]; infoset?: Infoset; beliefs?: Beliefs; verdict?: Verdict; proofs?: Proofs; why?: Why; error?: string;
  /** The frames of each pair, by the pair's key. */
  pairs?: Record<string, Frames>; repairs?: Record<string, Repairs>; askable?: Askable;
  /** True if the end of the match is announced to the players. */
  announceEnd?: boolean;
  /** A match that is played from a seat, and after its end the beliefs of the role and the true state. */
  sitting?: Sitting; truth?: { step: Step; believed: Step };
  /** The current work, and the time of its start (milliseconds). */
  busy?: string; since?: number; progress?: string;
}

/** A message from the panel to the extension. */
export type Wish =
  | { kind: "ready" }
  | { kind: "jump"; at: number }
  /** Another match: its moves, of all roles in each round. */
  | { kind: "load"; moves: string[][] }
  | { kind: "play"; moves: (string | null)[] }
  | { kind: "tab"; tab: Tab }
  | { kind: "role"; role: string }
  | { kind: "announce"; on: boolean }
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
