// The messages between a page and its table (server/table/src/wire.rs).

import type { Picture, Seat } from "../../../vscode/src/answers";

/** The words of terms, by the rules' comments. */
type Said = Record<string, string>;

/** A player as all see it: a person (with a name, if it gave one), a program, or one that plays on for a person who gave up. */
export interface Player { role: string; name?: string; program?: string; free?: boolean }
export interface Begin { kind: "begin"; game: string; match: number; role: string | null; players: Player[]; clock?: number; all_seen: boolean }
export interface Gathering { kind: "gathering"; game: string; role: string | null; players: Player[] }
export interface Table { id: number; game: string; stage: "gathering" | "playing" | "over"; seats: Player[] }
export interface Lobby { kind: "lobby"; games: string[]; strategies: string[]; tables: Table[] }
export interface Seated { kind: "seat"; turn: "you" | "others" | "over"; moves: string[]; only?: string; movers?: string[]; numbers: [string, number][]; seat?: Seat; says?: Said }
export interface Opened {
  kind: "opened"; ended: string; trace: string; faults: string[];
  roles: { name: string; chance: boolean; goal: number | null }[];
  rounds: { moves: string[]; percepts: string[][] }[]; says?: Said;
}
export type Message = Begin | Gathering | Lobby | Seated | Opened
  | { kind: "left"; players: Player[] }
  | { kind: "chosen"; round: number; move: string }
  | { kind: "late"; round: number }
  | { kind: "clock"; left: number }
  | { kind: "noted" }
  | { kind: "yours"; token: string }
  | { kind: "watched"; rounds: number }
  | { kind: "truth"; round: number; picture: Picture; says?: Said }
  | { kind: "again"; ready: number; of: number }
  | { kind: "refused"; why: string };

export type Wish = { wish: "sit"; token: string } | { wish: "move"; match: number; round: number; move: string }
  | { wish: "beliefs"; on: boolean } | { wish: "again" } | { wish: "look"; round: number } | { wish: "leave"; match: number }
  | { wish: "note" | "tried"; match: number; round: number; text: string }
  | { wish: "newTable"; game: string } | { wish: "take"; table: number; seat: number; name: string }
  | { wish: "program"; table: number; seat: number; strategy: string } | { wish: "free"; table: number; seat: number }
  | { wish: "watch" | "remove"; table: number };
