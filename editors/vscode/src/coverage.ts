// Coverage beside the code: the number of times each rule fired in random matches, and the rules that never fired.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import type { Coverage } from "./protocol";
import { words } from "./trust";

// After the line, so that no code moves.
const fired = vscode.window.createTextEditorDecorationType({
  after: { color: new vscode.ThemeColor("editorLineNumber.foreground"), margin: "0 0 0 2em" },
});
const never = vscode.window.createTextEditorDecorationType({
  after: { color: new vscode.ThemeColor("editorWarning.foreground"), margin: "0 0 0 2em", fontWeight: "bold" },
  overviewRulerColor: new vscode.ThemeColor("editorWarning.foreground"), overviewRulerLane: vscode.OverviewRulerLane.Right,
});
const stuck = vscode.window.createTextEditorDecorationType({
  textDecoration: "underline dotted", after: { contentText: "  never held here", color: new vscode.ThemeColor("editorWarning.foreground"), margin: "0 0 0 1em" },
});

/** The coverage shown in each document; dropped when the text changes, because the counts are those of the old text. */
const shown = new Map<string, Coverage>();

export function offerCoverage(context: vscode.ExtensionContext, client: () => LanguageClient | undefined, target: () => vscode.Uri | undefined): void {
  context.subscriptions.push(fired, never, stuck,
    vscode.commands.registerCommand("percept.toggleCoverage", () => toggle(client(), target())),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(paint)),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (!event.contentChanges.length || !shown.delete(event.document.uri.toString())) return;
      vscode.window.visibleTextEditors.filter((it) => it.document === event.document).forEach(paint);
    }));
}

async function toggle(client: LanguageClient | undefined, uri: vscode.Uri | undefined): Promise<void> {
  if (!client || !uri) {
    void vscode.window.showInformationMessage("Open a game first.");
    return;
  }
  const covered = [...shown.entries()].filter(([, met]) => met.rules.some((rule) => rule.location.uri === uri.toString())).map(([name]) => name);
  if (shown.has(uri.toString()) || covered.length) {
    [uri.toString(), ...covered].forEach((name) => shown.delete(name));
    vscode.window.visibleTextEditors.forEach(paint);
    return;
  }
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Playing random matches", cancellable: true }, async (_, token) => {
    const params = { command: "percept.coverage", arguments: [{ uri: uri.toString() }] };
    const met = (await client.sendRequest(ExecuteCommandRequest.type, params, token).catch((error) => {
      if (!token.isCancellationRequested) void vscode.window.showErrorMessage(words(error));
      return undefined;
    })) as Coverage | undefined;
    if (!met) return;
    if (met.refusals?.length || met.lacking) {
      void vscode.window.showWarningMessage(words(met.refusals?.[0]?.message ?? met.lacking ?? ""));
      if (met.refusals?.length) return;
    }
    for (const rule of met.rules) shown.set(vscode.Uri.parse(rule.location.uri).toString(), met);
    vscode.window.visibleTextEditors.forEach(paint);
    void vscode.window.showInformationMessage(words(met.says));
  });
}

function paint(editor: vscode.TextEditor): void {
  const met = shown.get(editor.document.uri.toString());
  const own = (met?.rules ?? []).filter((rule) => vscode.Uri.parse(rule.location.uri).toString() === editor.document.uri.toString());
  const line = (rule: Coverage["rules"][number], text: string): vscode.DecorationOptions => ({
    range: editor.document.lineAt(Math.min(rule.location.range.start.line, editor.document.lineCount - 1)).range,
    renderOptions: { after: { contentText: text } },
    hoverMessage: rule.fired ? `fired in ${rule.fired} of ${met!.rounds} rounds` : `never fired in ${met!.rounds} rounds of ${met!.matches} random matches`,
  });
  editor.setDecorations(fired, own.filter((it) => it.fired > 0).map((it) => line(it, `${short(it.fired)}×`)));
  editor.setDecorations(never, own.filter((it) => it.fired === 0).map((it) => line(it, "never fired")));
  editor.setDecorations(stuck, own.flatMap((it) => it.stuck
    ? [new vscode.Range(it.stuck.start.line, it.stuck.start.character, it.stuck.end.line, it.stuck.end.character)] : []));
}

const short = (count: number) => count < 10000 ? String(count) : count < 1e7 ? `${Math.round(count / 1000)}k` : `${Math.round(count / 1e6)}M`;
