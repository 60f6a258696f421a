// A match that the reader plays against players of this page: the true course is kept here, the panel sees the seat only.

import type { Scene, Seat, Sitting } from "../../vscode/src/answers";

/** The strategies of this page, each with a word on what it does. */
export const STRATEGIES = [["auto", "thinks: searches in sampled states"], ["random", "any legal move"]] as const;

type Action = { action: string; texts?: object[]; role?: string; players?: Record<string, string>; move?: string | null };
interface Stepped { view?: Scene; seat?: Seat; moves: string[][]; roles: { name: string; chance: boolean }[]; refusals?: object[] }
interface Match { texts: object[]; role: string; players: Record<string, string>; history: string[][]; name: string }

/** The longest match. */
const LONGEST = 1000;

export class Table {
  private match?: Match;
  private begun = 0;

  constructor(private put: (question: object) => Promise<unknown>) {}

  /** What `percept.match` does in an editor: `start`, `move`, `giveUp`, `leave`. */
  async act({ action, texts, role, players, move }: Action): Promise<object | undefined> {
    if (action === "start") this.match = { texts: texts ?? [], role: role ?? "", players: { ...players, [role ?? ""]: "you" }, history: [], name: `match ${++this.begun}` };
    const match = this.match;
    if (!match || action === "leave") return void (this.match = undefined);
    const before = await this.step(match, {});
    if (before.refusals) return before;
    if (action === "giveUp") return this.record(match, before, "given-up", "one player gave up");
    if (action !== "move") return this.sitting(match, before);
    const thinks = Object.values(match.players).some((it) => it === "auto");
    const choose = before.roles.map((it) => (it.name === match.role ? move ?? null : null));
    const after = await this.step(match, { choose, seed: Math.floor(Math.random() * 2 ** 31), others: thinks ? "think" : "random" });
    match.history = after.moves;
    return this.sitting(match, after);
  }

  private step(match: Match, more: object): Promise<Stepped> {
    return this.put({ ask: "step", texts: match.texts, history: match.history, ...more }) as Promise<Stepped>;
  }

  private async sitting(match: Match, at: Stepped): Promise<Sitting | undefined> {
    const view = at.view;
    if (!view) return undefined;
    if (view.terminal) return this.record(match, at, "over", "the match is over");
    if (view.roles.some((it) => !it.legal.length)) return this.record(match, at, "stuck", "a role has no legal move");
    if (view.round >= LONGEST) return this.record(match, at, "too-long", "the match was too long");
    const { seat } = await this.step(match, { role: match.role });
    const moves = view.roles.find((it) => it.name === match.role)?.legal ?? [];
    return { match: match.name, role: match.role, players: match.players, turn: "you", moves, seat: seat ?? null, allSeen: false, changed: false };
  }

  private record(match: Match, at: Stepped, ended: string, why: string): Sitting {
    const goals = Object.fromEntries((at.view?.roles ?? []).filter((it) => !it.chance)
      .map((it) => [it.name, ended === "over" && it.goals.length === 1 ? it.goals[0] : null]));
    return { match: match.name, role: match.role, players: match.players, turn: "nobody", moves: [], seat: null, allSeen: false, changed: false,
      record: { ended, why, history: match.history, goals, errors: [], remarks: {} } };
  }
}
