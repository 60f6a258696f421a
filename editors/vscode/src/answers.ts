// Made from server/report by its test `schema`: do not edit.
/** The verdict about one role, one property and one round of a match. */
export interface MatchVerdict {
  /** The name of the role. */
  role: string;
  /** The number of rounds played; 0 is before the first move. */
  round: number;
  /** The property. */
  property: PropertyName;
  /** The verdict about it. */
  verdict: MatchAnswer;
  /** The deciding method: `exact`, `sat`, `search` (differences only), `announced` if the protocol announces the end; for own moves also `structure` or `definition`. */
  method: string;
  /** For `known`: true if a second reading of the rules agrees. */
  checked?: boolean | null;
  /** The reason why a `known` property was not checked, such as `no time`. */
  unchecked?: string | null;
  /** For `undecided`: the number of samples that agreed. */
  agreed?: number | null;
  /** For `undecided`: the reason. */
  why?: string | null;
  /** For `unknown`: two histories that refute the knowledge. */
  witness?: Pair | null;
}
/** The properties that a role should know. */
export type PropertyName = "legal" | "terminal" | "goal" | "own";
/** The verdicts about a property at one point of a match. */
export type MatchAnswer = "known" | "unknown" | "undecided";
/** Two histories that the role cannot tell apart. */
export interface Pair {
  /** The first history: for each round, the move of each role. */
  first: string[][];
  /** The second history, in the same form. */
  second: string[][];
  /** The value of the property after `first`, in words. */
  first_value: string;
  /** The value of the property after `second`, in words. */
  second_value: string;
  /** For editors: the words of moves to which the rules' comments give some. */
  says?: Record<string, string>;
  /** True if `first` is the match of the query. */
  first_is_match: boolean;
  /** The first round in which the histories differ, from 1. */
  parting: number;
  /** The rules that separate the histories, and those that could have shown the role a difference. Along a match, only for the first round of a property. */
  rules?: Rules | null;
}
/** The rules behind two histories. */
export interface Rules {
  /** Rules that could have shown the role a difference in the parting round, the most likely culprit first. */
  silent: RuleStatement[];
  /** Rules that make the property's values differ. */
  deciding: RuleStatement[];
}
/** A rule, and a statement about it and the two histories. */
export interface RuleStatement {
  /** The URI of the document. */
  uri: string;
  /** The range in the document. */
  range: Span;
  /** The statement, without a full stop. */
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
  /** The line in the document. */
  line: number;
  /** The character in the line. */
  character: number;
}
/** The verdict about one role and property in every match. */
export interface GameVerdict {
  /** The name of the role. */
  role: string;
  /** The property. */
  property: PropertyName;
  /** The verdict about it. */
  verdict: GameAnswer;
  /** The number of rounds of the shortest pair; if none was found, the number of rounds searched. */
  depth: number | null;
  /** The deciding method. */
  method: string | null;
  /** For `proved`: true if the independent checker followed the proof on the rules as written. */
  checked?: boolean | null;
  /** The reason why a proof was not checked, such as `no time`. */
  unchecked?: string | null;
  /** Proofs that the independent checker refused. Each is a bug in Percept. */
  refused?: Refused[];
  /** For a proof about goals: whether the proof is vacuous; `null` if that is not decided. */
  vacuous?: boolean | null;
  /** The reason why a proof is `vacuous`. */
  reason?: Emptiness | null;
  /** Seconds that the verdict took, checking included. */
  seconds: number;
  /** Seconds of these that checking took. */
  check_seconds: number;
  /** For `refuted`: two matches that refute the knowledge. */
  witness?: Pair | null;
}
/** The verdicts about a property in every match. */
export type GameAnswer = "proved" | "refuted" | "open";
/** A proof that the independent checker refused. */
export interface Refused {
  /** The method of the proof. */
  method: string;
  /** The checker's objection. */
  why: string;
}
/** The reasons why a proof that a role knows its goal is vacuous. */
export type Emptiness = "no-end" | "no-goal";
/** A range of a document, as the language server protocol has it. */
export interface Location {
  /** The URI of the document. */
  uri: string;
  /** The range in the document. */
  range: Span;
}
/** A statement that was removed or changed. */
export interface Change {
  /** A sentence for the reader. */
  message: string;
  /** The kind of change. */
  kind: Kind;
  /** The old statement, on one line. */
  was: string;
  /** The new statement, if it was changed. */
  place?: Location | null;
}
/** The kind of change. */
export type Kind = "removed" | "changed";
/** A match at one place. */
export interface Scene {
  /** The number of rounds before this state. */
  round: number;
  /** The number of known rounds, including those after this state. */
  rounds: number;
  /** True if the match is over. */
  terminal: boolean;
  /** The moves, percepts and goal of each role, in the order of the rules. */
  roles: Role[];
  /** The state. */
  state: Picture;
  /** The whole match, undone rounds included. */
  history: RoundView[];
  /** For each round of the history, the percepts that the rules send to every role that chooses: each knows that all received them. Absent if the rules are too large to decide it. */
  public?: string[][] | null;
  /** The words of moves, percepts and fluents to which the rules' comments give some; a percept whose words depend on its role is named `(sees ROLE PERCEPT)`. */
  says?: Record<string, string>;
}
/** A role at one place of a match. */
export interface Role {
  /** The name of the role. */
  name: string;
  /** True if the role is chance. */
  chance: boolean;
  /** The legal moves; none once the match is over. Only `noop` if the role has to wait. */
  legal: string[];
  /** For each legal move the cells it names: `3 2`; `3 *` is a column, `* 4` a row. */
  places: string[][];
  /** The percepts of the last round. */
  percepts: string[];
  /** The goal values that hold now. */
  goals: number[];
}
/** A readable state: boards, the fluents on no board, numbers. */
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
/** A grid of the content of each cell, or hands of cards or dice: a row for each owner, a column for each value. */
export interface Board {
  /** The title of the grid: `cell`, or `tried white` if there are several. */
  title: string;
  /** The way to draw it. */
  style: Style;
  /** The names of the columns, from left to right. */
  columns: string[];
  /** The names of the rows, from top to bottom. */
  rows: string[];
  /** The cells, as `cells[row][column]`. */
  cells: Cell[][];
}
/** The way to draw a board. */
export type Style = "grid" | "cards" | "dice";
/** The content of one cell. */
export interface Cell {
  /** The name of the cell in moves: `column row`. */
  place: string;
  /** The sign to draw; empty if the cell is empty. */
  sign: string;
  /** The colour of the sign, if its name implies one. */
  tone?: Tone | null;
  /** The names of the fluents that hold there (or may hold). */
  fluents: string[];
  /** The probability that the cell is not empty, if that is not certain. */
  share?: number | null;
  /** The possible pieces with their probabilities, the most likely first; empty if the content is certain. */
  odds?: Odds[];
}
/** A colour that pieces have by their names. */
export type Tone = "white" | "yellow" | "red" | "green" | "blue" | "black";
/** A possible content of a cell. */
export interface Odds {
  /** The piece, or the fluent's name if it has no piece. */
  says: string;
  /** The probability, from 0 to 1. */
  probability: number;
}
/** The meaning of a sign. */
export interface Meaning {
  /** The sign as on the board. */
  sign: string;
  /** The colour of the sign, if it has one. */
  tone?: Tone | null;
  /** The piece's own name. */
  says: string;
}
/** The fluents with one functor. */
export interface Group {
  /** The common head of their names. */
  functor: string;
  /** Their names, numbers in them compared as numbers. */
  fluents: string[];
}
/** One round of a match: a move and the percepts for each role. */
export interface RoundView {
  /** The round, from 1. */
  round: number;
  /** In the order of the roles. */
  moves: string[];
  /** The percepts of each role. */
  percepts: string[][];
}
/** A role's knowledge after some rounds. */
export interface Seat {
  /** The role of the seat. */
  role: string;
  /** The number of rounds played. */
  round: number;
  /** The role's moves and percepts, round by round. */
  history: SeatRound[];
  /** The role's knowledge of whether the match is over. */
  over: IsOver;
  /** Moves that are certainly legal (which is proved, never only drawn), and those that may be, each with its chance. */
  legal: Move[];
  /** The goal it certainly has, once the match is certainly over. */
  goals?: number[] | null;
  /** Boards with certain content, and shades for the rest. */
  boards: Board[];
  /** The meaning of the signs on the boards. */
  legend: Meaning[];
  /** Fluents on no board that certainly hold. */
  certain: string[];
  /** Fluents on no board that may hold, the most likely first. */
  possible: Belief[];
  /** The number of histories that look the same. */
  histories: string;
  /** True if the probabilities are exact. */
  exact: boolean;
  /** If the probabilities are not exact: the equivalent number of independent draws. */
  effective?: number | null;
  /** The words of moves, percepts and fluents to which the rules' comments give some; a percept whose words depend on its role is named `(sees ROLE PERCEPT)`. */
  says?: Record<string, string>;
}
/** One round of a match as the role experienced it. */
export interface SeatRound {
  /** The round, from 1. */
  round: number;
  /** The role's own move; absent if its percepts do not determine it, or if that was not decided in time. */
  move?: string | null;
  /** The percepts, in the order in which they were sent if there is one. */
  percepts: string[];
}
/** A role's knowledge of whether the match is over. */
export type IsOver = "yes" | "no" | "unknown" | "undecided";
/** A move the role may make. */
export interface Move {
  /** The move as the rules write it. */
  name: string;
  /** The probability that the move is legal, given that the match goes on; 1 means certain. */
  chance: number;
  /** The cells it names. */
  places: string[];
}
/** The probability of one fluent. */
export interface Belief {
  /** The name of the fluent. */
  fluent: string;
  /** The probability, from 0 to 1. */
  probability: number;
  /** The standard error of the probability; 0 if it is exact. */
  error: number;
}
/** An information set, or a part of it. */
export interface Members {
  /** The role of the information set. */
  role: string;
  /** The number of rounds played. */
  round: number;
  /** The method that listed the set. */
  method: string;
  /** The reason for this method. */
  why: string;
  /** True if `histories` and `states` are the proved size of the set. */
  complete: boolean;
  /** The number of histories, in decimal. */
  histories: string;
  /** The number of distinct states in which they end. */
  states: number;
  /** The reason why the work ended early. */
  stopped: string | null;
  /** Seconds that the listing took. */
  seconds: number;
  /** The listed histories. */
  members: Member[];
  /** The words of moves and fluents to which the rules' comments give some. */
  says?: Record<string, string>;
}
/** One history that the role considers possible. */
export interface Member {
  /** For each round, a move of each role in the order of the roles. */
  moves: string[][];
  /** The probability among the listed histories, if chance and the other roles move uniformly. */
  probability: number;
  /** The state at the end of the history. */
  state: Picture;
}
/** The probability of every fluent, with boards that show them. */
export interface Beliefs {
  /** The role that believes. */
  role: string;
  /** The number of rounds played. */
  round: number;
  /** The method of the estimate. */
  method: string;
  /** True if the probabilities are exact. */
  exact: boolean;
  /** The effective number of independent draws, unless the probabilities are exact. */
  effective: number | null;
  /** The number of histories, exact or as a bound. */
  histories: string;
  /** The meaning of the signs on the boards. */
  legend: Meaning[];
  /** Boards whose cells are shaded by the probability of their content. */
  boards: Board[];
  /** Every fluent that may hold, the most likely first. */
  beliefs: Belief[];
  /** The beliefs after each round, if requested. */
  rounds: Belief[][] | null;
  /** The words of fluents to which the rules' comments give some. */
  says?: Record<string, string>;
}
/** Two histories of the same length that look the same to a role. */
export interface Frames {
  /** The state before the first round, then the one after each round. */
  frames: Frame[];
  /** The meaning of the signs. */
  legend: Meaning[];
  /** The words of moves, percepts and fluents to which the rules' comments give some; a percept whose words depend on its role is named `(sees ROLE PERCEPT)`. */
  says?: Record<string, string>;
}
/** Both histories after the same number of rounds. */
export interface Frame {
  /** The number of rounds played. */
  round: number;
  /** The first history. */
  first: Side;
  /** The second history. */
  second: Side;
  /** The cells that differ: board, row and column of each. */
  differs: ([number, number, number])[];
  /** The role's move and percepts of this round, the same in both; absent before the first round. */
  told?: SeatRound | null;
}
/** One of the histories after some rounds. */
export interface Side {
  /** The moves of the round that led here, one for each role; none before the first. */
  moves: string[];
  /** The boards. */
  boards: Board[];
  /** Fluents on no board that hold here and not in the other history. */
  only: string[];
  /** True if the match is over. */
  terminal: boolean;
}
/** The round at which a replay on changed rules ended early. */
export interface ReplayEnd {
  /** The first round, from 1, that the new rules do not allow. */
  round: number;
  /** The reason in words. */
  why: string;
}
/** The reason that no game could be read. */
export interface Refusal {
  /** The error message. */
  message: string;
  /** The place of the error. */
  location: Location | null;
}
/** The atoms that can be explained at one point of a match. */
export interface Askable {
  /** The atoms; those that hold come first. */
  atoms: Atom[];
}
/** Something that holds or does not. */
export interface Atom {
  /** The atom as it appears in a list. */
  says: string;
  /** True if the atom holds at that point. */
  holds: boolean;
  /** The question that returns its explanation. */
  question: Question;
}
/** The atom to explain: one of the first four fields, with the role of a percept or a move. */
export interface Question {
  /** A fluent of the state. */
  fluent?: string | null;
  /** A percept of the last round. */
  percept?: string | null;
  /** A move that is legal or not. */
  move?: string | null;
  /** Anything else, in KIF. */
  atom?: string | null;
  /** The role of the percept or the move. */
  role?: string | null;
  /** The number of rounds before that point. */
  at?: number | null;
}
/** The explanation why an atom holds at one point of a match, or why it does not. */
export interface WhyAnswer {
  /** The number of rounds before that point. */
  round: number;
  /** For a fluent that holds: the round since which it has held; 0 means the initial state. */
  since: number | null;
  /** The explanation. */
  why: Explanation;
}
/** The support of an atom: in GDL reasons and failures, in POGDDL parts. */
export interface Explanation {
  /** The atom in KIF. */
  atom: string;
  /** True if the atom holds. */
  holds: boolean;
  /** For POGDDL: the support, down to facts. */
  parts?: Part[] | null;
  /** For GDL: the rule instances that make the atom true. */
  reasons?: Reason[] | null;
  /** For GDL: the rules that could have made the atom true. */
  failures?: Failure[] | null;
}
/** A condition, an effect or a fact of POGDDL. */
export interface Part {
  /** The statement in words. */
  says: string;
  /** True if the part holds. */
  holds: boolean;
  /** The place in the text. */
  location: Location | null;
  /** The parts that this part depends on. */
  parts: Part[];
}
/** A rule instance that makes an atom true. */
export interface Reason {
  /** The place of the statement. */
  rule: Location;
  /** The text of the statement. */
  text: string;
  /** The variables with their values. */
  bindings: ([string, string])[];
  /** The conditions that hold in this instance. */
  support: Support[];
}
/** A condition that holds. */
export interface Support {
  /** With its variables replaced. */
  literal: string;
  /** The place in the text. */
  location: Location;
  /** The explanation, if rules define the atom. */
  why: Explanation | null;
}
/** A rule that could have made an atom true, and did not. */
export interface Failure {
  /** The place of the statement. */
  rule: Location;
  /** The text of the statement. */
  text: string;
  /** The variables and their values in the attempt that got furthest. */
  bindings: ([string, string])[];
  /** Conditions that did not hold; the first one stopped the attempt. */
  failed: Failed[];
}
/** A condition that does not hold. */
export interface Failed {
  /** With its variables replaced. */
  literal: string;
  /** The place in the text. */
  location: Location;
}
/** Lines that give a role the knowledge that it lacks. */
export interface Repairs {
  /** The role that lacks the knowledge. */
  role: string;
  /** The property that the role does not know. */
  property: string;
  /** True if the role already knows the property; `null` if that is not decided. */
  known: boolean | null;
  /** The repairs; the one that reveals least comes first. */
  repairs: Repair[];
}
/** Lines that let one or more roles perceive what they lack. */
export interface Repair {
  /** The information that the roles receive, in words. */
  says: string;
  /** The information that the repair reveals, measured, in words. */
  measures: string;
  /** All lines that are inserted. */
  text: string;
  /** The most that the repair reveals to one of the roles: the reduction of its information set, in bits; `null` if it was not computed. */
  bits: number | null;
  /** The increase in the role's value of the game, if the repair is for one role; `null` if it was not computed. */
  worth: number | null;
  /** The measures for each role. */
  gives: Given[];
  /** The method of the proof. */
  method: string;
  /** The edits that insert the lines. */
  edits: Edit[];
}
/** The measures of a repair for one role. */
export interface Given {
  /** The role. */
  role: string;
  /** The reduction of the role's information set in bits, on average over the ends of random matches. `null` if the sets are too large to count. */
  bits: number | null;
  /** The increase in the role's value of the game, in points of its goal. `null` if the game has no value, or was not solved. */
  worth: number | null;
}
/** A text that replaces a range. */
export interface Edit {
  /** The URI of the document. */
  uri: string;
  /** The range to replace. */
  range: Span;
  /** The new text. */
  newText: string;
}
/** The coverage of random matches. */
export interface Coverage {
  /** The number of matches played. */
  matches: number;
  /** The number of rounds in all matches together. */
  rounds: number;
  /** The reason why rules could not be counted. */
  lacking: string | null;
  /** The result in a sentence: `200 random matches: all 28 rules fired, all 6 percepts came`. */
  says: string;
  /** The rules; in POGDDL the actions. */
  rules: CoveredRule[];
  /** The percepts of all roles. */
  percepts: CoveredPercept[];
}
/** A rule or an action, with the number of rounds in which it fired. */
export interface CoveredRule {
  /** The whole rule or action. */
  location: Location;
  /** The part to mark. */
  head: Span;
  /** The number of rounds in which the rule fired. */
  fired: number;
  /** For a rule that never held: the condition that never held when the conditions before it did. */
  stuck: Span | null;
}
/** A percept, with the number of rounds in which it occurred. */
export interface CoveredPercept {
  /** The role of the atom. */
  role: string;
  /** The atom as the rules write it. */
  name: string;
  /** The number of rounds in which it occurred. */
  count: number;
}
/** A match against other players, seen from one seat. */
export interface Sitting {
  /** The identifier of the match. */
  match: string;
  /** The role of the seat. */
  role: string;
  /** For each role, the strategy of its player. */
  players: Record<string, string>;
  /** The player to move. */
  turn: Turn;
  /** The legal moves, if it is the person's turn. */
  moves: string[];
  /** The role's knowledge. */
  seat: Seat | null;
  /** True if no rule has `sees`, so that every role sees every move. */
  allSeen: boolean;
  /** True if the game's texts have changed since the match began. */
  changed: boolean;
  /** The record of a match that has ended. */
  record?: SittingRecord | null;
}
/** The player to move. */
export type Turn = "you" | "others" | "nobody";
/** The record of a match. */
export interface SittingRecord {
  /** `over`, `stuck`, `too-long` or `given-up`. */
  ended: string;
  /** The end of the match in words. */
  why: string;
  /** For each round, a move of each role. */
  history: string[][];
  /** The goal of each role; `null` if the rules give none or several. */
  goals: Record<string, number | null>;
  /** The faults of players. */
  errors: Fault[];
  /** For each role, the remark of its player on the match. */
  remarks: Record<string, string | null>;
  /** The words of moves to which the rules' comments give some. */
  says?: Record<string, string>;
}
/** A fault of a player: a random move was made instead. */
export interface Fault {
  /** The round, from 1. */
  round: number;
  /** The role of the player. */
  role: string;
  /** The kind of fault, such as `timeout`. */
  kind: string;
  /** The fault in words. */
  detail: string;
  /** The move played instead. */
  played: string | null;
}
