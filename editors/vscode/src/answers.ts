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
  /** What settled it: `exact`, `sat`, `search` (differences only), `announced` where the end is told by the protocol; of own moves also `structure` or `definition`. */
  method: string;
  /** For `known`: whether a second reading of the rules says so, too. */
  checked?: boolean | null;
  /** For something known that was not checked: why, such as `no time`. */
  unchecked?: string | null;
  /** Samples that agreed, for `undecided`. */
  agreed?: number | null;
  /** Why it is `undecided`. */
  why?: string | null;
  /** For `unknown`. */
  witness?: Pair | null;
}
/** What a role should know. */
export type Asked = "legal" | "terminal" | "goal" | "own";
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
  /** For `proved`: whether a second reader followed the proof on the rules as written. */
  checked?: boolean | null;
  /** For a proof that was not checked: why, such as `no time`. */
  unchecked?: string | null;
  /** Proofs that the second reader refused, which is a fault of Percept. */
  refused?: Refused[];
  /** Of a proof about goals: whether it says nothing; `null` where that is not known. */
  vacuous?: boolean | null;
  /** Why a proof is `vacuous`. */
  reason?: Emptiness | null;
  /** How long it took, with checking. */
  seconds: number;
  /** How much of it the second reader took. */
  check_seconds: number;
  /** For `refuted`. */
  witness?: Pair | null;
}
/** Whether a role knows something in every match. */
export type GameAnswer = "proved" | "refuted" | "open";
/** A proof that the second reader refused. */
export interface Refused {
  /** The method of the proof. */
  method: string;
  /** The reader's objection. */
  why: string;
}
/** Why a proof that a role knows its goal says nothing. */
export type Emptiness = "no-end" | "no-goal";
/** A range of a document, as the language server protocol has it. */
export interface Location {
  /** The document. */
  uri: string;
  /** What of it. */
  range: Span;
}
/** A match at one place. */
export interface Scene {
  /** Rounds played before this state. */
  round: number;
  /** Rounds known, those after this state included. */
  rounds: number;
  /** Whether the match is over. */
  terminal: boolean;
  /** What each role can do, saw and gets, in the order of the rules. */
  roles: Role[];
  /** What holds. */
  state: Picture;
  /** The whole match, undone rounds included. */
  history: RoundView[];
  /** By round of the history, what of its percepts the rules send to everybody who chooses: each knows that all were told. Absent where the rules are too large to tell. */
  public?: string[][] | null;
}
/** A role at one place of a match. */
export interface Role {
  /** As the rules write it. */
  name: string;
  /** Whether it is chance. */
  chance: boolean;
  /** The moves legal now; none once the match is over. `noop` alone where the role has to wait. */
  legal: string[];
  /** For each legal move the cells it names: `3 2`; `3 *` is a column, `* 4` a row. */
  places: string[][];
  /** What it perceived after the last round. */
  percepts: string[];
  /** The goal values that hold now. */
  goals: number[];
}
/** A state, readable: boards, what is on none of them, numbers. */
export interface Picture {
  /** In the order of hints, then of names. */
  boards: Board[];
  /** The signs on the boards that are not the piece's own name. */
  legend: Meaning[];
  /** All fluents by functor, those on boards included. */
  groups: Group[];
  /** Numeric fluents and their values. */
  numbers: ([string, number])[];
}
/** A grid of what holds at each place. */
export interface Board {
  /** What the grid shows: `cell`, or `tried white` where there are several. */
  title: string;
  /** From left to right. */
  columns: string[];
  /** From top to bottom. */
  rows: string[];
  /** `cells[row][column]`. */
  cells: Cell[][];
}
/** What stands at one place. */
export interface Cell {
  /** `column row`: what moves that name this cell name. */
  place: string;
  /** The sign to draw; empty where nothing holds. */
  sign: string;
  /** The colour to draw it in, where its name says one. */
  tone?: Tone | null;
  /** The names of the fluents that hold there (or may hold). */
  fluents: string[];
  /** How likely it is that something stands here, where that is not certain. */
  share?: number | null;
  /** What may stand here and how likely each is, the likeliest first; empty where it is certain. */
  odds?: Odds[];
}
/** A colour that pieces have by their names. */
export type Tone = "white" | "yellow" | "red" | "green" | "blue" | "black";
/** One thing that may stand on a cell. */
export interface Odds {
  /** The piece, or the fluent's name where it has none. */
  says: string;
  /** From 0 to 1. */
  probability: number;
}
/** What a sign means. */
export interface Meaning {
  /** As on the board. */
  sign: string;
  /** Its colour, where it has one. */
  tone?: Tone | null;
  /** The piece's own name. */
  says: string;
}
/** The fluents with one functor. */
export interface Group {
  /** What their names begin with. */
  functor: string;
  /** Their names, numbers in them compared as numbers. */
  fluents: string[];
}
/** One round of a match: a move and the percepts for each role. */
export interface RoundView {
  /** From 1. */
  round: number;
  /** In the order of the roles. */
  moves: string[];
  /** By role. */
  percepts: string[][];
}
/** What a role knows after some rounds. */
export interface Seat {
  /** Whose seat it is. */
  role: string;
  /** Rounds played. */
  round: number;
  /** What it did and saw, round by round. */
  history: Lived[];
  /** Whether the match is over, as far as it knows. */
  over: IsOver;
  /** Moves that are certainly legal (which is proved, never only drawn), and those that may be, each with its chance. */
  legal: Move[];
  /** The goal it certainly has, once the match is certainly over. */
  goals?: number[] | null;
  /** Boards with what is certain and shades for the rest. */
  boards: Board[];
  /** What the signs on the boards mean. */
  legend: Meaning[];
  /** Fluents that certainly hold, and stand on no board. */
  certain: string[];
  /** Fluents that may hold, and stand on no board; the likeliest first. */
  possible: Belief[];
  /** The number of histories that look the same. */
  histories: string;
  /** Whether the probabilities are exact; else how many independent draws they rest on. */
  exact: boolean;
  /** Of probabilities that are not exact. */
  effective?: number | null;
}
/** One round as the role lived it. */
export interface Lived {
  /** From 1. */
  round: number;
  /** Its own move; absent where what it saw does not tell even that, or where that was not found out soon. */
  move?: string | null;
  /** In the order in which they were sent, where there is one. */
  percepts: string[];
}
/** Whether a match is over, as far as a role knows. */
export type IsOver = "yes" | "no" | "unknown" | "undecided";
/** A move the role may make. */
export interface Move {
  /** As the rules write it. */
  name: string;
  /** How likely it is legal, if the match goes on; 1: certain. */
  chance: number;
  /** The cells it names. */
  places: string[];
}
/** How likely one fluent is. */
export interface Belief {
  /** Its name. */
  fluent: string;
  /** From 0 to 1. */
  probability: number;
  /** The standard error of the probability; 0 where it is exact. */
  error: number;
}
/** An information set, or a part of it. */
export interface Members {
  /** Whose it is. */
  role: string;
  /** Rounds played. */
  round: number;
  /** How it was found. */
  method: string;
  /** Why this method. */
  why: string;
  /** Whether `histories` and `states` are the proved size of the set. */
  complete: boolean;
  /** The number of histories, in decimal. */
  histories: string;
  /** The number of distinct states in which they end. */
  states: number;
  /** Why the work ended early. */
  stopped: string | null;
  /** How long it took. */
  seconds: number;
  /** Those that are listed. */
  members: Member[];
}
/** One history that the role considers possible. */
export interface Member {
  /** Per round, a move of each role in the order of the roles. */
  moves: string[][];
  /** Among those listed, when chance and the other roles move uniformly. */
  probability: number;
  /** What holds at its end. */
  state: Picture;
}
/** How likely every fluent is, with a picture of it. */
export interface Beliefs {
  /** Whose they are. */
  role: string;
  /** Rounds played. */
  round: number;
  /** How they were found. */
  method: string;
  /** Whether the probabilities are exact; else how many independent draws they rest on. */
  exact: boolean;
  /** Of probabilities that are not exact. */
  effective: number | null;
  /** The number of histories, exact or as far as it is known. */
  histories: string;
  /** What the signs on the boards mean. */
  legend: Meaning[];
  /** Boards shaded by how likely it is what stands there. */
  boards: Board[];
  /** Every fluent that may hold, the likeliest first. */
  beliefs: Belief[];
  /** After each round, where that was asked for. */
  rounds: Belief[][] | null;
}
/** Two histories of the same length that look the same to a role. */
export interface Frames {
  /** Before the first round, then after each. */
  frames: Frame[];
  /** What the signs mean. */
  legend: Meaning[];
}
/** Both histories after the same number of rounds. */
export interface Frame {
  /** Rounds played. */
  round: number;
  /** One of them. */
  first: Side;
  /** The other one. */
  second: Side;
  /** Cells that are not the same: which board, row and column. */
  differs: ([number, number, number])[];
  /** What the role did and saw in this round, in both alike; absent before the first. */
  told?: Lived | null;
}
/** One of the histories after some rounds. */
export interface Side {
  /** The moves of the round that led here, one for each role; none before the first. */
  moves: string[];
  /** What holds on the boards. */
  boards: Board[];
  /** What holds here and not in the other history, on no board. */
  only: string[];
  /** Whether the match is over. */
  terminal: boolean;
}
/** Where a replay on changed rules ended early. */
export interface ReplayEnd {
  /** The first round, from 1, that the new rules do not allow. */
  round: number;
  /** In words. */
  why: string;
}
/** Why there is no game to work on. */
export interface Refusal {
  /** What is wrong. */
  message: string;
  /** At which place. */
  location: Location | null;
}
/** What can be asked for its reasons. */
export interface Askable {
  /** What holds comes first. */
  atoms: Atom[];
}
/** Something that holds or does not. */
export interface Atom {
  /** For a list. */
  says: string;
  /** Whether it holds there. */
  holds: boolean;
  /** How to ask for its reasons. */
  question: Question;
}
/** What is asked: one of the first four, and whose, for a percept or a move. */
export interface Question {
  /** A fluent of the state. */
  fluent?: string | null;
  /** A percept of the last round. */
  percept?: string | null;
  /** A move that is legal or not. */
  move?: string | null;
  /** Anything else, in KIF. */
  atom?: string | null;
  /** Whose percept or move. */
  role?: string | null;
  /** After how many rounds. */
  at?: number | null;
}
/** Why something holds at a place of a match, or does not. */
export interface Why {
  /** After how many rounds the state is that was asked. */
  round: number;
  /** Of a fluent that holds: the round from which on it has held all the time; 0: from the start. */
  since: number | null;
  /** The reasons. */
  why: Explanation;
}
/** What an atom rests on: in GDL reasons and failures, in POGDDL parts. */
export interface Explanation {
  /** In KIF. */
  atom: string;
  /** Whether it holds. */
  holds: boolean;
  /** Of POGDDL: what it rests on, down to facts. */
  parts?: Part[] | null;
  /** Of GDL: rule instances that make it true. */
  reasons?: Reason[] | null;
  /** Of GDL: rules that could have made it true. */
  failures?: Failure[] | null;
}
/** A condition, an effect or a fact of POGDDL. */
export interface Part {
  /** In words. */
  says: string;
  /** Whether it holds. */
  holds: boolean;
  /** Where the text says so. */
  location: Location | null;
  /** What it rests on. */
  parts: Part[];
}
/** A rule instance that makes an atom true. */
export interface Reason {
  /** The statement. */
  rule: Location;
  /** Its text. */
  text: string;
  /** Variables with their values. */
  bindings: ([string, string])[];
  /** The conditions it rests on. */
  support: Support[];
}
/** A condition that holds. */
export interface Support {
  /** With its variables replaced. */
  literal: string;
  /** Where it is written. */
  location: Location;
  /** Why, where rules say so. */
  why: Explanation | null;
}
/** A rule that could have made an atom true, and did not. */
export interface Failure {
  /** The statement. */
  rule: Location;
  /** Its text. */
  text: string;
  /** Variables with their values, where the rule got furthest. */
  bindings: ([string, string])[];
  /** Conditions that did not hold; the first is where it got stuck. */
  failed: Failed[];
}
/** A condition that does not hold. */
export interface Failed {
  /** With its variables replaced. */
  literal: string;
  /** Where it is written. */
  location: Location;
}
/** Lines that make a role know what it does not know now. */
export interface Repairs {
  /** Whose knowledge. */
  role: string;
  /** Of what. */
  property: string;
  /** Whether the role knows it anyhow; `null` where that was not found out. */
  known: boolean | null;
  /** What tells least comes first. */
  repairs: Repair[];
}
/** One way to tell the role. */
export interface Repair {
  /** What is told, in words. */
  says: string;
  /** All lines that are inserted. */
  text: string;
  /** By how much the role's information set shrinks; `null` where that was not found out. */
  bits: number | null;
  /** By how much the game is worth more to the role then; `null` where that was not found out. */
  worth: number | null;
  /** By what it was proved. */
  method: string;
  /** How to insert them. */
  edits: Edit[];
}
/** A text that takes the place of a range. */
export interface Edit {
  /** The document. */
  uri: string;
  /** What is replaced. */
  range: Span;
  /** By what. */
  newText: string;
}
/** What random matches have met. */
export interface Coverage {
  /** How many were played. */
  matches: number;
  /** The rounds of all of them. */
  rounds: number;
  /** Why rules could not be counted. */
  lacking: string | null;
  /** Rules, in POGDDL actions. */
  rules: CoveredRule[];
  /** Percepts of all roles. */
  percepts: CoveredPercept[];
}
/** A rule or an action, and how often it was met. */
export interface CoveredRule {
  /** All of it. */
  location: Location;
  /** The part to mark. */
  head: Span;
  /** In how many rounds it fired. */
  fired: number;
  /** Where it never did: the condition that never held where those before it did. */
  stuck: Span | null;
}
/** A percept, and how often it was met. */
export interface CoveredPercept {
  /** Whose. */
  role: string;
  /** As the rules write it. */
  name: string;
  /** In how many rounds. */
  count: number;
}
/** A match against other players, seen from one seat. */
export interface Sitting {
  /** What it is called. */
  match: string;
  /** Whose seat. */
  role: string;
  /** By role: the strategy of its player. */
  players: Record<string, string>;
  /** Who is to move. */
  turn: Turn;
  /** The legal moves, where it is the person's turn. */
  moves: string[];
  /** What the role knows. */
  seat: Seat | null;
  /** No rule says `sees`, so everybody sees every move. */
  allSeen: boolean;
  /** The game's texts have changed since it began. */
  changed: boolean;
  /** Of a match that has ended. */
  record?: SittingRecord | null;
}
/** Who is to move. */
export type Turn = "you" | "others" | "nobody";
/** How a match went. */
export interface SittingRecord {
  /** `over`, `stuck`, `too-long` or `given-up`. */
  ended: string;
  /** The same in words. */
  why: string;
  /** Per round, a move of each role. */
  history: string[][];
  /** By role: the goal; `null` where the rules give none, or several. */
  goals: Record<string, number | null>;
  /** What players did wrong. */
  errors: Fault[];
  /** By role: what its player says of how it played. */
  remarks: Record<string, string | null>;
}
/** Something that a player did wrong; it cost a random move. */
export interface Fault {
  /** From 1. */
  round: number;
  /** Whose player. */
  role: string;
  /** `timeout`, ... */
  kind: string;
  /** In words. */
  detail: string;
  /** What was played instead. */
  played: string | null;
}
