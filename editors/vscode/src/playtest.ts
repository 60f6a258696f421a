// "Percept: Playtest" starts `percept table` for a game, hands out the links, and follows the matches. If the game's text changes, it
// offers a new table with the changed rules.

import { spawn, type ChildProcess } from "node:child_process";
import * as path from "node:path";
import * as readline from "node:readline";
import * as vscode from "vscode";
import { isTrusted, words } from "./trust";

/** The first line of `percept table --format json`, and the events after it. */
interface Links { kind: "table"; game: string; seats: { role: string; by: string }[]; watchers: string }
type Event = Links | { kind: "begun" | "ended"; match: number } | { kind: "round"; rounds: number };

interface Item extends vscode.QuickPickItem { run: () => unknown }

const isLink = (by: string) => by.startsWith("http");
const AGAIN = "New table with the changed rules";

/** One table, as long as its server runs. */
class Playtest implements vscode.Disposable {
  private links?: Links;
  private says = "starting";
  private changed = false;
  private ended = false;
  private errors = "";
  private readonly child: ChildProcess;
  private readonly status = vscode.window.createStatusBarItem("percept.playtest", vscode.StatusBarAlignment.Left);
  private readonly watcher: vscode.FileSystemWatcher;

  constructor(program: string, readonly uri: vscode.Uri, private readonly over: (it: Playtest) => void, private readonly again: (uri: vscode.Uri) => unknown) {
    const more = vscode.workspace.getConfiguration("percept").get<string[]>("playtest.arguments") ?? [];
    this.child = spawn(program, ["table", uri.fsPath, "--format", "json", ...more], { stdio: ["ignore", "pipe", "pipe"] });
    this.child.on("error", (error) => { this.errors ||= error.message; this.close(); });
    this.child.on("close", () => this.close());
    this.child.stderr!.on("data", (data) => { this.errors = (this.errors + data).slice(-2000); });
    readline.createInterface({ input: this.child.stdout! }).on("line", (line) => this.take(JSON.parse(line) as Event));
    this.status.name = "Percept Playtest";
    this.status.command = "percept.playtest";
    this.watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(path.dirname(uri.fsPath)), "*.{kif,gdl,hrf,pog,pogddl,pddl}"));
    this.watcher.onDidChange(() => this.textChanged());
    this.show();
  }

  private take(event: Event): void {
    switch (event.kind) {
      case "table":
        this.links = event;
        this.says = "the table is open";
        void this.pick();
        break;
      case "begun": this.says = `match ${event.match + 1} has begun`; break;
      case "round": this.says = event.rounds === 1 ? "1 round" : `${event.rounds} rounds`; break;
      case "ended": this.says = `match ${event.match + 1} is over`; break;
    }
    this.show();
  }

  private show(): void {
    const game = this.links?.game ?? path.basename(this.uri.fsPath);
    this.status.text = `$(${this.changed ? "warning" : "organization"}) Playtest of ${game}: ${this.says}`;
    this.status.tooltip = this.changed ? "The rules have changed since. Click for a new table, and for the links." : "Click for the links";
    this.status.show();
  }

  private textChanged(): void {
    if (this.changed || !this.links) return;
    this.changed = true;
    this.show();
    void vscode.window.showInformationMessage(words(`The table of ${this.links.game} plays the rules as they were.`), AGAIN)
      .then((choice) => { if (choice && !this.ended) this.renew(); });
  }

  private renew(): void {
    this.dispose();
    this.again(this.uri);
  }

  /** Offers the links, and the end. */
  async pick(): Promise<void> {
    if (!this.links) return;
    const copy = (name: string, link: string): Item => ({ label: `$(copy) Copy the link of ${name}`, run: async () => {
      await vscode.env.clipboard.writeText(link);
      void vscode.window.showInformationMessage(words(`The link of ${name} is copied. It is the key of that seat.`));
    } });
    const open = (name: string, link: string): Item => ({ label: `$(globe) Sit down as ${name}`, run: () => vscode.env.openExternal(vscode.Uri.parse(link)) });
    const people = this.links.seats.filter((seat) => isLink(seat.by));
    const items: Item[] = [
      ...this.changed ? [{ label: `$(refresh) ${AGAIN}`, run: () => this.renew() }] : [],
      ...people.map((seat) => copy(seat.role, seat.by)), copy("watchers", this.links.watchers), ...people.map((seat) => open(seat.role, seat.by)),
      { label: "$(debug-stop) End the table", run: () => this.dispose() },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title: `Playtest of ${this.links.game}: ${this.says}`, placeHolder: "Give each player its own link" });
    await chosen?.run();
  }

  private close(): void {
    if (this.ended) return;
    if (this.errors) void vscode.window.showErrorMessage(words(this.errors.trim()));
    this.dispose();
  }

  dispose(): void {
    if (this.ended) return;
    this.ended = true;
    this.child.kill("SIGINT");
    this.status.dispose();
    this.watcher.dispose();
    this.over(this);
  }
}

/** Registers the command; `server` finds the program. */
export function offerPlaytest(context: vscode.ExtensionContext, server: () => Promise<string | undefined>, target: (argument?: { uri: string }) => vscode.Uri | undefined): void {
  let table: Playtest | undefined;
  const begin = async (uri: vscode.Uri) => {
    if (!(await isTrusted("A playtest"))) return;
    const program = await server();
    if (!program) return void vscode.window.showErrorMessage("The program `percept` was not found.");
    // The table reads the files.
    await vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString())?.save();
    table?.dispose();
    table = new Playtest(program, uri, (it) => { if (table === it) table = undefined; }, begin);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("percept.playtest", async (argument?: { uri: string }) => {
      const uri = target(argument);
      if (table && (!uri || uri.toString() === table.uri.toString())) return table.pick();
      if (!uri) return void vscode.window.showInformationMessage("Open a game first.");
      await begin(uri);
    }),
    { dispose: () => table?.dispose() });
}
