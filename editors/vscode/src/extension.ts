// Starts the language server and registers the commands; the server does all work on games.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";
import { offerAssistants } from "./assistants";
import { offerCoverage } from "./coverage";
import { newGame } from "./newGame";
import { offerPlaytest } from "./playtest";
import { findServer } from "./server";
import { Stepper } from "./stepper";
import { offerTests } from "./tests";
import { isTrusted, words } from "./trust";

const LANGUAGES = ["gdl", "gdl-infix", "pogddl", "percept-trace"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const status = vscode.languages.createLanguageStatusItem("percept", LANGUAGES);
  status.name = "Percept";
  status.text = "Percept";
  const start = () => startClient(context, status);
  context.subscriptions.push(
    status,
    vscode.commands.registerCommand("percept.restart", async () => {
      await client?.stop().catch(() => undefined);
      client = undefined;
      await start();
    }),
    vscode.commands.registerCommand("percept.showLog", () => client?.outputChannel.show()),
    vscode.commands.registerCommand("percept.openStepper", (argument?: { uri: string }) =>
      Stepper.open(context, currentClient, target(argument), "state")),
    vscode.commands.registerCommand("percept.checkObservability", (argument?: { uri: string }) =>
      Stepper.open(context, currentClient, target(argument), "verdict")),
    vscode.commands.registerCommand("percept.proveObservability", (argument?: { uri: string }) =>
      Stepper.open(context, currentClient, target(argument), "proof")),
    // The server's code actions refer to this command: it opens the match behind a finding.
    vscode.commands.registerCommand("percept.stepThere", (match: { uri: string; history: string[][]; at: number }) =>
      Stepper.open(context, currentClient, vscode.Uri.parse(match.uri), "state", match)),
    vscode.commands.registerCommand("percept.playMatch", (argument?: { uri: string }) =>
      Stepper.open(context, currentClient, target(argument), "play")),
    vscode.commands.registerCommand("percept.beginExpectations", () => beginExpectations(target())),
    vscode.commands.registerCommand("percept.newGame", () => newGame(() => findServer(context))),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("percept.server.path")) void vscode.commands.executeCommand("percept.restart");
    }),
  );
  offerCoverage(context, currentClient, target);
  offerPlaytest(context, () => findServer(context), target);
  offerTests(context, () => findServer(context));
  offerAssistants(context, () => findServer(context));
  // Not awaited: a program that does not answer must not block the commands.
  start().catch((error) => {
    void vscode.window.showErrorMessage(words(`Percept did not start: ${error instanceof Error ? error.message : error}`));
  });
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function currentClient(): LanguageClient | undefined {
  return client;
}

/** Writes an `expected.toml` beside a game, from what is proved about it now, and opens it. */
async function beginExpectations(uri: vscode.Uri | undefined): Promise<void> {
  if (!uri || !client || !(await isTrusted("Beginning expectations"))) return;
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Percept: proving what can be expected", cancellable: true }, async (_, token) => {
    const params = { command: "percept.beginTest", arguments: [{ uri: uri.toString() }] };
    try {
      const begun = (await client!.sendRequest(ExecuteCommandRequest.type, params, token)) as { uri: string };
      await vscode.window.showTextDocument(vscode.Uri.parse(begun.uri));
    } catch (error) {
      if (!token.isCancellationRequested) void vscode.window.showErrorMessage(words(error));
    }
  });
}

/** The document of a command: the lens's own, or the one being edited. */
function target(argument?: { uri: string }): vscode.Uri | undefined {
  if (argument?.uri) return vscode.Uri.parse(argument.uri);
  const editor = vscode.window.activeTextEditor;
  return editor && LANGUAGES.includes(editor.document.languageId) ? editor.document.uri : undefined;
}

async function startClient(context: vscode.ExtensionContext, status: vscode.LanguageStatusItem): Promise<void> {
  const found = await findServer(context);
  if (!found) {
    status.severity = vscode.LanguageStatusSeverity.Error;
    status.text = "Percept: server not found";
    status.detail = "Install the program `percept` or set its path";
    status.command = { title: "Settings", command: "workbench.action.openSettings", arguments: ["percept.server.path"] };
    // The choice is not awaited: meanwhile commands work, and a corrected path starts the server.
    void vscode.window.showErrorMessage(
      "The program `percept` was not found. Install it (cargo install), or set its path in the settings.",
      "Open settings", "Try again",
    ).then((choice) => {
      if (choice === "Open settings") void vscode.commands.executeCommand("workbench.action.openSettings", "percept.server.path");
      if (choice === "Try again") void vscode.commands.executeCommand("percept.restart");
    });
    return;
  }
  const server: ServerOptions = { command: found, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    // The server itself registers for changed files.
    synchronize: { configurationSection: "percept" },
    // stepThere: allows the server to offer the match behind a finding.
    initializationOptions: { ...vscode.workspace.getConfiguration("percept"), stepThere: true },
  };
  client = new LanguageClient("percept", "Percept", server, options);
  client.onDidChangeState(({ newState }) => {
    status.busy = newState === State.Starting;
    status.severity =
      newState === State.Stopped ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    status.text = newState === State.Stopped ? "Percept: stopped" : "Percept";
    status.detail = found;
    status.command = { title: newState === State.Stopped ? "Restart" : "Log",
      command: newState === State.Stopped ? "percept.restart" : "percept.showLog" };
  });
  await client.start();
}
