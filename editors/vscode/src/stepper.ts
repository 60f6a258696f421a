// The extension's side of the panel: it keeps the match, sends requests to the server, and follows edits of the text.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, LSPErrorCodes, WorkDoneProgress } from "vscode-languageclient/node";
import { page } from "./page";
import { between, insert, show, toRange } from "./places";
import type {
  Askable, Beliefs, Frames, Infoset, Location, Model, Proofs, Question, Repairs, Sitting, Step, Tab, Verdict, Why, Wish,
} from "./protocol";
import { isTrusted } from "./trust";

/** The delay in milliseconds between the last keystroke and the replay of the match. */
const QUIET = 150;
/** The time limit for proofs of certain facts in a large game, in seconds. */
const PROVING = 4;
/** The time in milliseconds after which work shows a message. */
const SHORT = 400;
/** The messages shown during a request that has no other message. */
const LONG: Record<string, string> = {
  "percept.step": "Playing the round …", "percept.pair": "Replaying both histories …", "percept.why": "Looking for the reason …",
  "percept.askable": "Listing possible questions …",
};
/** The number of progress tokens used so far. */
let tokens = 0;

export class Stepper {
  private static readonly open_ = new Map<string, Stepper>();

  private history: string[][] | undefined;
  private at: number | undefined;
  private seed = Math.floor(Math.random() * 2 ** 31);
  private model: Model;
  private timer: NodeJS.Timeout | undefined;
  /** The number of requests, so that a late answer does not replace a newer one. */
  private requests = 0;
  /** The question being explained; it is asked again when the rules change. */
  private question: Question | undefined;
  private cancel: vscode.CancellationTokenSource | undefined;
  private aside: vscode.CancellationTokenSource | undefined;

  static open(
    context: vscode.ExtensionContext,
    client: () => LanguageClient | undefined,
    uri: vscode.Uri | undefined,
    tab: Tab,
    match?: { history: string[][]; at: number },
  ): void {
    if (!uri) {
      void vscode.window.showInformationMessage("Open a game or a trace first.");
      return;
    }
    const existing = Stepper.open_.get(uri.toString());
    if (existing) {
      existing.panel.reveal(undefined, true);
      existing.goTo(match);
      existing.wish({ kind: "tab", tab });
      return;
    }
    const media = vscode.Uri.joinPath(context.extensionUri, "out");
    const name = uri.path.split("/").pop() ?? "game";
    const panel = vscode.window.createWebviewPanel(
      "percept.stepper",
      `Match: ${name}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [media] },
    );
    const stepper = new Stepper(panel, client, uri, name, tab, media);
    stepper.goTo(match);
    Stepper.open_.set(uri.toString(), stepper);
  }

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly client: () => LanguageClient | undefined,
    private readonly uri: vscode.Uri,
    name: string,
    tab: Tab,
    media: vscode.Uri,
  ) {
    this.model = { title: name, tab };
    panel.webview.html = page(panel.webview, media);
    const listeners = [
      panel.webview.onDidReceiveMessage((wish: Wish) => this.wish(wish)),
      vscode.workspace.onDidChangeTextDocument((event) => this.onEdit(event.document.uri)),
    ];
    panel.onDidDispose(() => {
      listeners.forEach((listener) => listener.dispose());
      clearTimeout(this.timer);
      this.cancel?.cancel();
      this.aside?.cancel();
      Stepper.open_.delete(uri.toString());
    });
  }

  /** Goes to the end of this match, if there is one. */
  private goTo(match?: { history: string[][]; at: number }): void {
    if (!match) return;
    this.history = match.history;
    this.at = match.at;
    this.forget();
  }

  private onEdit(changed: vscode.Uri): void {
    const files = this.model.step?.files ?? [this.uri.toString()];
    const watched = [...files, this.uri.toString()].map((it) => vscode.Uri.parse(it).toString());
    if (!watched.includes(changed.toString())) return;
    // The results for the old rules are no longer valid.
    this.model.repairs = undefined;
    this.model.askable = undefined;
    // The history of a trace comes from its text, unless moves were played in the panel.
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), QUIET);
  }

  private wish(wish: Wish): void {
    switch (wish.kind) {
      case "ready":
        void this.refresh();
        break;
      case "jump":
        this.at = wish.at;
        this.forget();
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
        this.question = undefined;
        this.model.why = undefined;
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
        void insert(wish.edits);
        break;
      case "sit":
        void this.sit({ action: "start", uri: this.uri.toString(), role: wish.role, players: wish.players,
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
        void show(wish.location);
        break;
      case "save":
        void this.save();
        break;
      case "stop":
        // The answer to the last request is ignored. The next action sends the request again.
        this.requests++;
        this.cancel?.cancel();
        this.aside?.cancel();
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
    const frames = await this.ask<Frames>("percept.pair", { uri: this.uri.toString(), role, first, second });
    if (frames) this.add({ pairs: { ...this.model.pairs, [key]: frames } });
  }

  private async repair(role: string, property: string): Promise<void> {
    this.busy("Looking for missing percepts …");
    const found = await this.ask<Repairs>("percept.repair", { uri: this.uri.toString(), role, property, seconds: 60 });
    if (found) this.model.repairs = { ...this.model.repairs, [`${role}/${property}`]: found };
    this.busy(undefined);
  }

  /** Makes one step of a match that is played from a seat. The server waits for the other players. */
  private async sit(argument: object, what: string): Promise<void> {
    this.cancel?.cancel();
    this.cancel = new vscode.CancellationTokenSource();
    this.busy(what);
    const sitting = await this.ask<Sitting>("percept.match", argument, this.cancel.token);
    if (sitting?.refusals) this.model.error = sitting.refusals[0]?.message;
    if (sitting?.match) this.model.sitting = sitting;
    this.busy(undefined);
    if (sitting?.record) await this.review(sitting.record.history.length);
  }

  /** Shows a finished match after some rounds: the true state, and the beliefs of the role. */
  private async review(at: number): Promise<void> {
    const sitting = this.model.sitting;
    if (!sitting?.record) return;
    const about = { uri: this.uri.toString(), history: sitting.record.history, at };
    const step = await this.ask<Step>("percept.step", about);
    const believed = await this.ask<Step>("percept.step", { ...about, role: sitting.role });
    if (step && believed) this.add({ truth: { step, believed } });
  }

  private about(): object {
    return { uri: this.uri.toString(), history: this.history, at: this.at };
  }

  /** The same, from the point of view of a role if one was chosen. */
  private seen(): object {
    return this.model.eye ? { ...this.about(), role: this.model.eye } : this.about();
  }

  /** Drops the explanation, which does not apply to another place of the match. */
  private forget(): void {
    this.question = undefined;
    this.model.why = undefined;
    this.model.askable = undefined;
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
  private async refresh(step?: Step): Promise<void> {
    const request = ++this.requests;
    this.cancel?.cancel();
    this.cancel = new vscode.CancellationTokenSource();
    const token = this.cancel.token;
    // Shown at once, because a large game takes a while.
    if (!step && !this.model.step?.view) this.busy("Setting the game up …");
    const current = step ?? (await this.ask<Step>("percept.step", this.seen(), token));
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
      const beliefs = await this.ask<Beliefs>("percept.beliefs", { ...this.about(), role: this.model.role }, token);
      if (request !== this.requests) return;
      this.model.beliefs = beliefs;
      this.busy("Looking for histories …");
      const set = await this.ask<Infoset>("percept.infoset", { ...this.about(), role: this.model.role, limit: 40 }, token);
      if (request !== this.requests) return;
      this.model.infoset = set;
      if (beliefs?.exact === false) {
        this.busy("Proving certain facts …");
        const sure = await this.ask<Beliefs>("percept.beliefs", { ...this.about(), role: this.model.role, seconds: PROVING }, token);
        if (request !== this.requests) return;
        this.model.beliefs = sure ?? beliefs;
      }
    } else if (this.model.tab === "verdict") {
      this.busy("Checking every role's knowledge …");
      const verdict = await this.ask<Verdict>("percept.observe", { ...this.about(), at: undefined, seconds: 20 }, token);
      if (request !== this.requests) return;
      this.model.verdict = verdict;
    } else if (this.model.tab === "proof") {
      this.model.proofs = undefined;
      this.busy("Proving for every match …");
      const proofs = await this.ask<Proofs>("percept.prove", { uri: this.uri.toString(), seconds: 20 }, token);
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

  /** The token of requests beside the view: "Stop" cancels them, another view does not. */
  private token(): vscode.CancellationToken {
    if (!this.aside || this.aside.token.isCancellationRequested) this.aside = new vscode.CancellationTokenSource();
    return this.aside.token;
  }

  private post(): void {
    void this.panel.webview.postMessage(this.model);
  }

  /** Sends a request to the server. Long requests show a message and their progress, and can be stopped. */
  private async ask<T>(command: string, argument: object, token = this.token()): Promise<T | undefined> {
    const client = this.client();
    if (!client) {
      this.model.error = "The language server is not running.";
      this.post();
      return undefined;
    }
    const workDoneToken = `percept-panel-${++tokens}`;
    const heard = client.onProgress(WorkDoneProgress.type, workDoneToken, (step) => {
      if (step.kind !== "report" || !this.model.busy || token.isCancellationRequested) return;
      this.model.progress = step.message;
      this.post();
    });
    let notice: string | undefined;
    const late = setTimeout(() => {
      if (!this.model.busy) this.busy((notice = LONG[command] ?? "Asking the server …"));
    }, SHORT);
    try {
      this.model.error = undefined;
      const params = { command, arguments: [argument], workDoneToken };
      return (await client.sendRequest(ExecuteCommandRequest.type, params, token)) as T;
    } catch (error) {
      // The text has changed in the meantime, so the request is repeated anyway.
      const stale = (error as { code?: number }).code === LSPErrorCodes.ContentModified;
      if (!token?.isCancellationRequested && !stale) {
        this.model.error = error instanceof Error ? error.message : String(error);
        this.post();
      }
      return undefined;
    } finally {
      clearTimeout(late);
      heard.dispose();
      if (notice && this.model.busy === notice) this.busy(undefined);
    }
  }

  /** Explains an atom, or shows its rules if an explanation is not possible. */
  private async explain(question: Question, again = false): Promise<void> {
    const at = question.at ?? this.at;
    const why = await this.ask<Why>("percept.why", { ...this.about(), ...question, at });
    if (why?.why) {
      this.question = { ...question, at };
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
    const found = await this.ask<{ locations?: Location[] }>("percept.rules", { uri: this.uri.toString(), name });
    const locations = found?.locations ?? [];
    if (locations.length === 0) return;
    if (locations.length === 1) return show(locations[0]);
    const uri = vscode.Uri.parse(locations[0].uri);
    const places = locations.map((it) => new vscode.Location(vscode.Uri.parse(it.uri), toRange(it)));
    await show(locations[0]);
    await vscode.commands.executeCommand("editor.action.peekLocations", uri, toRange(locations[0]).start, places, "peek");
  }

  /** Saves the match as a trace in a file next to the game, and opens it. */
  private async save(): Promise<void> {
    const view = this.model.step?.view;
    if (!view || !(await isTrusted("Saving a match"))) return;
    const source = vscode.Uri.parse(this.model.step?.files?.at(-1) ?? this.uri.toString());
    const stem = (source.path.split("/").pop() ?? "match").replace(/\.[^.]*$/, "");
    const folder = vscode.Uri.joinPath(source, "..");
    const free = async () => {
      for (let number = 1; ; number++) {
        const uri = vscode.Uri.joinPath(folder, `${stem}-${number}.trace`);
        if (!(await vscode.workspace.fs.stat(uri).then(() => true, () => false))) return uri;
      }
    };
    const target = await vscode.window.showSaveDialog({
      defaultUri: await free(), filters: { "Game traces": ["trace"] }, title: "Save the match as a trace",
    });
    if (!target) return;
    const game = between(vscode.Uri.joinPath(target, "..").path, source.path);
    const line = (moves: string[]) =>
      this.model.step?.sequential ? moves.find((move) => move !== "noop") ?? "noop" : `(${moves.join(" ")})`;
    const rounds = view.history.map((round) => line(round.moves)).join("\n");
    const content = `; game: ${game}\n${rounds}\n`;
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(content));
    await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.One });
  }
}
