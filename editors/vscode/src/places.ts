// Places in texts: showing and editing them, and relative paths.

import * as vscode from "vscode";
import type { Edit, Location } from "./protocol";

/** The path from a folder to a file. */
export function between(folder: string, file: string): string {
  const [from, to] = [folder, file].map((path) => path.split("/").filter(Boolean));
  const shared = from.findIndex((part, at) => part !== to[at]);
  const common = shared < 0 ? from.length : shared;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

export function toRange(location: Location): vscode.Range {
  const { start, end } = location.range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Inserts all or none of the proposed lines, and shows the first. */
export async function insert(edits: Edit[]): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  for (const edit of edits) {
    const { line, character } = edit.range.start;
    change.insert(vscode.Uri.parse(edit.uri), new vscode.Position(line, character), edit.newText);
  }
  if (!edits.length || !(await vscode.workspace.applyEdit(change))) return;
  await show({ uri: edits[0].uri, range: { start: edits[0].range.start, end: edits[0].range.start } });
}

export async function show(location: Location): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(location.uri));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: toRange(location) });
}
