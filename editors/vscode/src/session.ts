// One match as the panel shows it: keeps the history, turns wishes into requests, and tells its host what to show. The host
// is an editor or a page: it carries requests to Percept, opens places of a text, and saves files.

import type {
  Askable, Beliefs, Edit, Frames, Infoset, Location, Model, Proofs, Question, Repairs, Sitting, Step, Tab, Verdict, Why, Wish,
} from "./protocol";

/** The time limit for proofs of certain facts in a large game, in seconds. */
const PROVING = 4;
/** The time limit for the verdicts on a match, and for each proof about every match, in seconds. */
const SECONDS = 20;
/** The time in milliseconds after which work shows a message. */
const SHORT = 400;
/** The messages shown during a request that has no other message. */
const LONG: Record<string, string> = {
  "percept.step": "Playing the round …", "percept.pair": "Replaying both histories …", "percept.why": "Looking for the reason …",
  "percept.askable": "Listing possible questions …",
};

/** A match as the text of a trace. `game`: the path of the game from the trace's folder. */
export function trace(step: Step, game: string): string {
  const line = (moves: string[]) => step.sequential ? moves.find((move) => move !== "noop") ?? "noop" : `(${moves.join(" ")})`;
  return `; game: ${game}\n${(step.view?.history ?? []).map((round) => line(round.moves)).join("\n")}\n`;
}

/** What a session needs from the program that shows it. */
export interface Host {
  /** The arguments that name the game in every request. */
  game(): object;
  /** The answer to a command. Undefined if the text has changed in the meantime; an error if the command fails. */
  ask(command: string, argument: object, signal: AbortSignal, progress: (says: string) => void): Promise<unknown>;
  /** Shows this model. */
  post(model: Model): void;
  /** Opens the first of these places, and offers the others. */
  show(places: Location[]): void;
  insert(edits: Edit[]): void;
  save(step: Step): void;
}

export class Session {
  private history: string[][] | undefined;
  private at: number | undefined;
  private seed = Math.floor(Math.random() * 2 ** 31);
  private model: Model;
  /** The number of requests, so that a late answer does not replace a newer one. */
  private requests = 0;
  /** The question being explained; it is asked again when the rules change. */
  private question: Question | undefined;
  /** The number of questions, so that the answer to an earlier one does not replace that to the last. */
  private questions = 0;
  private cancel = new AbortController();
  private aside = new AbortController();

  /** `title`: the name of the game or match. */
  constructor(private readonly host: Host, title: string, tab: Tab) {
    this.model = { title, tab };
  }

  /** The files of the game, the last one its own. */
  get files(): string[] { return this.model.step?.files ?? []; }

  /** The moves of the match, if one was played or loaded here. */
  get moves(): string[][] | undefined { return this.history; }

  /** Goes to a place of a match; without one, stays. */
  goTo(match?: { history: string[][]; at: number }): void {
    if (!match) return;
    this.history = match.history;
    this.at = match.at;
    this.forget();
  }

  /** Forgets what the old text gave; the match itself is kept, and replayed by `refresh`. */
  edited(): void {
    this.model.repairs = undefined;
    this.model.askable = undefined;
  }

  /** Ends all requests. */
  close(): void {
    this.cancel.abort();
    this.aside.abort();
  }

  wish(wish: Wish): void {
    switch (wish.kind) {
      case "ready":
        void this.refresh();
        break;
      case "jump":
        this.at = wish.at;
        this.forget();
        void this.refresh();
        break;
      case "load":
        this.goTo({ history: wish.moves, at: wish.moves.length });
        this.model.tab = "state";
        this.model.eye = undefined;
        void this.refresh();
        break;
      case "play":
        void this.play(wish.moves);
        break;
      case "tab":
        this.model.tab = wish.tab;
        void this.refresh();
        break;
      case "role":
        this.model.role = wish.role;
        void this.refresh();
        break;
      case "announce":
        this.model.announceEnd = wish.on;
        void this.refresh();
        break;
      case "eye":
        this.model.eye = wish.role;
        this.model.tab = "state";
        // Results from another point of view must not be shown here.
        this.model = { title: this.model.title, tab: "state", eye: wish.role, players: this.model.players };
        this.forget();
        void this.refresh();
        break;
      case "restart":
        this.history = [];
        this.at = 0;
        this.forget();
        void this.refresh();
        break;
      case "why":
        void this.explain(wish.question);
        break;
      case "unask":
        this.unask();
        this.post();
        break;
      case "askable":
        void this.askable().then(() => this.post());
        break;
      case "ask":
        void this.askable().then(({ atoms }) => {
          const atom = atoms.find((it) => it.says === wish.text) ?? atoms.find((it) => it.says.endsWith(`: ${wish.text}`));
          return this.explain(atom?.question ?? { atom: wish.text });
        });
        break;
      case "pair":
        void this.pair(wish.key, wish.role, wish.first, wish.second);
        break;
      case "repair":
        void this.repair(wish.role, wish.property);
        break;
      case "insert":
        this.host.insert(wish.edits);
        break;
      case "sit":
        void this.sit({ action: "start", ...this.host.game(), role: wish.role, players: wish.players,
          playclock: wish.playclock, startclock: Math.max(1, wish.playclock) }, "The other players are starting …");
        break;
      case "sitMove":
        void this.sit({ action: "move", match: this.model.sitting?.match, move: wish.move }, "The other players are thinking …");
        break;
      case "giveUp":
        void this.sit({ action: "giveUp", match: this.model.sitting?.match }, "Ending the match …");
        break;
      case "leave":
        void this.ask("percept.match", { action: "leave", match: this.model.sitting?.match });
        this.add({ sitting: undefined, truth: undefined });
        break;
      case "review":
        void this.review(wish.at);
        break;
      case "open":
        this.host.show([wish.location]);
        break;
      case "save":
        if (this.model.step?.view) this.host.save(this.model.step);
        break;
      case "stop":
        // The answer to the last request is ignored. The next action sends the request again.
        this.requests++;
        this.cancel.abort();
        this.aside.abort();
        this.busy(undefined);
        break;
    }
  }

  private add(more: Partial<Model>): void {
    Object.assign(this.model, more);
    this.post();
  }

  /** The atoms that can be explained here; requested once per place. */
  private async askable(): Promise<Askable> {
    if (this.model.askable) return this.model.askable;
    const found = await this.ask<Askable>("percept.askable", this.about());
    return (this.model.askable = found?.atoms ? found : { version: 1, atoms: [] });
  }

  private async pair(key: string, role: string, first: string[][], second: string[][]): Promise<void> {
    const frames = await this.ask<Frames>("percept.pair", { ...this.host.game(), role, first, second });
    if (frames) this.add({ pairs: { ...this.model.pairs, [key]: frames } });
  }

  private async repair(role: string, property: string): Promise<void> {
    this.busy("Looking for missing percepts …");
    const found = await this.ask<Repairs>("percept.repair", { ...this.host.game(), role, property, seconds: 60 });
    if (found) this.model.repairs = { ...this.model.repairs, [`${role}/${property}`]: found };
    this.busy(undefined);
  }

  /** Makes one step of a match that is played from a seat. The server waits for the other players. */
  private async sit(argument: object, what: string): Promise<void> {
    this.cancel.abort();
    this.cancel = new AbortController();
    this.busy(what);
    let sitting = await this.ask<Sitting>("percept.match", argument, this.cancel.signal);
    // Who can only wait is not asked to.
    while (sitting?.match && sitting.turn === "you" && sitting.moves?.length === 1 && sitting.moves[0] === "noop") {
      const waited = await this.ask<Sitting>("percept.match", { action: "move", match: sitting.match, move: "noop" }, this.cancel.signal);
      if (!waited) break;
      sitting = waited;
    }
    if (sitting?.refusals) this.model.error = sitting.refusals[0]?.message;
    if (sitting?.match) this.model.sitting = sitting;
    this.busy(undefined);
    if (sitting?.record) await this.review(sitting.record.history.length);
  }

  /** Shows a finished match after some rounds: the true state, and the beliefs of the role. */
  private async review(at: number): Promise<void> {
    const sitting = this.model.sitting;
    if (!sitting?.record) return;
    const about = { ...this.host.game(), history: sitting.record.history, at };
    const step = await this.ask<Step>("percept.step", about);
    const believed = await this.ask<Step>("percept.step", { ...about, role: sitting.role });
    if (step && believed) this.add({ truth: { step, believed } });
  }

  private about(): object {
    return { ...this.host.game(), history: this.history, at: this.at };
  }

  /** The same, from the point of view of a role if one was chosen. */
  private seen(): object {
    return this.model.eye ? { ...this.about(), role: this.model.eye } : this.about();
  }

  /** Drops the explanation, which does not apply to another place of the match. */
  private forget(): void {
    this.unask();
    this.model.askable = undefined;
  }

  private unask(): void {
    this.questions++;
    this.question = undefined;
    this.model.why = undefined;
  }

  private async play(moves: (string | null)[]): Promise<void> {
    this.forget();
    // A step is always requested in full, so that the moves can be kept. At a seat the panel gets only the seat's part.
    const step = this.model.eye
      ? await this.playSeated(moves[0] ?? null)
      : await this.ask<Step>("percept.step", { ...this.about(), choose: moves, seed: this.seed++ });
    if (!step) return;
    this.take(step);
    await this.refresh(this.model.eye ? undefined : step);
  }

  /** Plays a round at a seat: the server refuses a move that the role does not know to be legal. */
  private async playSeated(move: string | null): Promise<Step | undefined> {
    const seat = this.model.step?.seat;
    const at = this.model.players?.indexOf(seat?.role ?? "") ?? -1;
    if (!seat || at < 0) return undefined;
    const certain = seat.legal.filter((it) => it.chance >= 1).map((it) => it.name);
    const own = move ?? certain[Math.floor(Math.random() * certain.length)];
    if (!own || !certain.includes(own)) return undefined;
    const choose = this.model.players!.map((_, index) => (index === at ? own : null));
    return this.ask<Step>("percept.step", { ...this.about(), choose, seed: this.seed++ });
  }

  /** Keeps the history and the current round. */
  private take(step: Step): void {
    if (step.view) {
      this.history = step.view.history.map((round) => round.moves);
      this.at = step.view.round;
    }
  }

  /** Requests all visible data, and shows each part as it arrives. */
  async refresh(step?: Step): Promise<void> {
    const request = ++this.requests;
    this.cancel.abort();
    this.cancel = new AbortController();
    const signal = this.cancel.signal;
    // Shown at once, because a large game takes a while.
    if (!step && !this.model.step?.view) this.busy("Setting the game up …");
    const current = step ?? (await this.ask<Step>("percept.step", this.seen(), signal));
    if (request !== this.requests) return;
    if (!current) return this.busy(undefined);
    this.model.step = current;
    this.model.busy = undefined;
    if (current.view) this.model.players = current.view.roles.map((role) => role.name);
    if (current.seat) return this.busy(undefined);
    const players = current.view?.roles.filter((role) => !role.chance) ?? [];
    if (!players.some((role) => role.name === this.model.role)) this.model.role = players[0]?.name;
    this.post();
    if (!current.view) return;
    if (this.question) await this.explain(this.question, true);
    if (request !== this.requests) return;
    if (this.model.tab === "knowledge" && this.model.role) {
      // The picture first, then the histories behind it; last the proofs of certain facts.
      this.model.infoset = this.model.beliefs = undefined;
      this.busy("Computing probabilities …");
      const beliefs = await this.ask<Beliefs>("percept.beliefs", { ...this.about(), role: this.model.role }, signal);
      if (request !== this.requests) return;
      this.model.beliefs = beliefs;
      this.busy("Looking for histories …");
      const set = await this.ask<Infoset>("percept.infoset", { ...this.about(), role: this.model.role, limit: 40 }, signal);
      if (request !== this.requests) return;
      this.model.infoset = set;
      if (beliefs?.exact === false) {
        this.busy("Proving certain facts …");
        const sure = await this.ask<Beliefs>("percept.beliefs", { ...this.about(), role: this.model.role, seconds: PROVING }, signal);
        if (request !== this.requests) return;
        this.model.beliefs = sure ?? beliefs;
      }
    } else if (this.model.tab === "verdict") {
      this.busy("Checking every role's knowledge …");
      const verdict = await this.ask<Verdict>("percept.observe", { ...this.about(), at: undefined, announceEnd: this.model.announceEnd ?? false, seconds: SECONDS }, signal);
      if (request !== this.requests) return;
      this.model.verdict = verdict;
    } else if (this.model.tab === "proof") {
      this.model.proofs = undefined;
      this.busy("Proving for every match …");
      const proofs = await this.ask<Proofs>("percept.prove", { ...this.host.game(), announceEnd: this.model.announceEnd ?? false, seconds: SECONDS }, signal);
      if (request !== this.requests) return;
      this.model.proofs = proofs;
    }
    this.busy(undefined);
  }

  private busy(what: string | undefined): void {
    this.model.busy = what;
    this.model.since = what ? Date.now() : undefined;
    this.model.progress = undefined;
    this.post();
  }

  /** The signal of requests beside the view: "Stop" ends them, another view does not. */
  private beside(): AbortSignal {
    if (this.aside.signal.aborted) this.aside = new AbortController();
    return this.aside.signal;
  }

  private post(): void {
    this.host.post(this.model);
  }

  /** Sends a request. Long requests show a message and their progress, and can be stopped. */
  private async ask<T>(command: string, argument: object, signal = this.beside()): Promise<T | undefined> {
    let notice: string | undefined;
    const late = setTimeout(() => {
      if (!this.model.busy) this.busy((notice = LONG[command] ?? "Asking the server …"));
    }, SHORT);
    try {
      this.model.error = undefined;
      return (await this.host.ask(command, argument, signal, (says) => {
        if (!this.model.busy || signal.aborted) return;
        this.model.progress = says;
        this.post();
      })) as T | undefined;
    } catch (error) {
      if (!signal.aborted) {
        this.model.error = error instanceof Error ? error.message : String(error);
        this.post();
      }
      return undefined;
    } finally {
      clearTimeout(late);
      if (notice && this.model.busy === notice) this.busy(undefined);
    }
  }

  /** Explains an atom, or shows its rules if an explanation is not possible. */
  private async explain(question: Question, again = false): Promise<void> {
    const number = ++this.questions;
    const at = question.at ?? this.at;
    this.question = { ...question, at };
    const why = await this.ask<Why>("percept.why", { ...this.about(), ...question, at });
    if (number !== this.questions) return;
    if (why?.why) {
      this.model.why = why;
      this.post();
      return;
    }
    this.model.error = undefined;
    this.forget();
    this.post();
    const name = question.fluent ?? question.percept ?? question.move ?? question.atom;
    if (name && !again) await this.showRules(name);
  }

  private async showRules(name: string): Promise<void> {
    const found = await this.ask<{ locations?: Location[] }>("percept.rules", { ...this.host.game(), name });
    if (found?.locations?.length) this.host.show(found.locations);
  }
}
