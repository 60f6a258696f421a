// The messages between a page and its table (server/table/src/wire.rs).

import type { Picture, Seat } from "../../../vscode/src/answers";

export interface Begin { kind: "begin"; game: string; match: number; role: string | null; players: [string, string][]; all_seen: boolean }
export interface Seated { kind: "seat"; turn: "you" | "others" | "nobody"; moves: string[]; only?: string; movers?: string[]; numbers: [string, number][]; seat?: Seat }
export interface Opened {
  kind: "opened"; ended: string; trace: string; faults: string[];
  roles: { name: string; chance: boolean; goal: number | null }[];
  rounds: { moves: string[]; percepts: string[][] }[];
}
export type Message = Begin | Seated | Opened
  | { kind: "chosen"; round: number; move: string }
  | { kind: "watched"; rounds: number }
  | { kind: "truth"; round: number; picture: Picture }
  | { kind: "again"; ready: number; of: number }
  | { kind: "refused"; why: string };

export type Wish = { wish: "sit"; token: string } | { wish: "move"; match: number; round: number; move: string }
  | { wish: "beliefs"; on: boolean } | { wish: "again" } | { wish: "look"; round: number };
