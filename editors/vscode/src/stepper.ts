// The panel in VS Code: a window, the requests to the server, and the files. It follows edits of the text.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, LSPErrorCodes, WorkDoneProgress } from "vscode-languageclient/node";
import { page } from "./page";
import { between, insert, show, toRange } from "./places";
import type { Edit, Location, Model, Step, Tab, Wish } from "./protocol";
import { Session, trace, type Host } from "./session";
import { isTrusted } from "./trust";

/** The delay in milliseconds between the last keystroke and the replay of the match. */
const QUIET = 150;
/** The number of progress tokens used so far. */
let tokens = 0;

export class Stepper implements Host {
  private static readonly open_ = new Map<string, Stepper>();

  private readonly session: Session;
  private timer: NodeJS.Timeout | undefined;

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
      existing.session.goTo(match);
      existing.session.wish({ kind: "tab", tab });
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
    stepper.session.goTo(match);
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
    this.session = new Session(this, name, tab);
    panel.webview.html = page(panel.webview, media);
    const listeners = [
      panel.webview.onDidReceiveMessage((wish: Wish) => this.session.wish(wish)),
      vscode.workspace.onDidChangeTextDocument((event) => this.onEdit(event.document.uri)),
    ];
    panel.onDidDispose(() => {
      listeners.forEach((listener) => listener.dispose());
      clearTimeout(this.timer);
      this.session.close();
      Stepper.open_.delete(uri.toString());
    });
  }

  private onEdit(changed: vscode.Uri): void {
    const watched = [...this.session.files, this.uri.toString()].map((it) => vscode.Uri.parse(it).toString());
    if (!watched.includes(changed.toString())) return;
    this.session.edited();
    // The history of a trace comes from its text, unless moves were played in the panel.
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.session.refresh(), QUIET);
  }

  game(): object { return { uri: this.uri.toString() }; }

  post(model: Model): void { void this.panel.webview.postMessage(model); }

  insert(edits: Edit[]): void { void insert(edits); }

  async ask(command: string, argument: object, signal: AbortSignal, progress: (says: string) => void): Promise<unknown> {
    const client = this.client();
    if (!client) throw new Error("The language server is not running.");
    const cancel = new vscode.CancellationTokenSource();
    const stop = () => cancel.cancel();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const workDoneToken = `percept-panel-${++tokens}`;
    const heard = client.onProgress(WorkDoneProgress.type, workDoneToken, (step) => {
      if (step.kind === "report" && step.message) progress(step.message);
    });
    try {
      return await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument], workDoneToken }, cancel.token);
    } catch (error) {
      // The text has changed in the meantime, so the request is repeated anyway.
      if ((error as { code?: number }).code === LSPErrorCodes.ContentModified) return undefined;
      throw error;
    } finally {
      heard.dispose();
      signal.removeEventListener("abort", stop);
    }
  }

  show(places: Location[]): void { void this.reveal(places); }

  private async reveal(locations: Location[]): Promise<void> {
    await show(locations[0]);
    if (locations.length === 1) return;
    const uri = vscode.Uri.parse(locations[0].uri);
    const places = locations.map((it) => new vscode.Location(vscode.Uri.parse(it.uri), toRange(it)));
    await vscode.commands.executeCommand("editor.action.peekLocations", uri, toRange(locations[0]).start, places, "peek");
  }

  save(step: Step): void { void this.saveTrace(step); }

  /** Saves the match as a trace in a file next to the game, and opens it. */
  private async saveTrace(step: Step): Promise<void> {
    if (!step.view || !(await isTrusted("Saving a match"))) return;
    const source = vscode.Uri.parse(step.files?.at(-1) ?? this.uri.toString());
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
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(trace(step, game)));
    await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.One });
  }
}
