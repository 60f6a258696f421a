// Places in texts: shown, changed, named from where one is.

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

/** Inserts lines that were proposed, and shows them. */
export async function insert(edit: Edit): Promise<void> {
  const uri = vscode.Uri.parse(edit.uri);
  const change = new vscode.WorkspaceEdit();
  change.insert(uri, new vscode.Position(edit.range.start.line, edit.range.start.character), edit.newText);
  if (!(await vscode.workspace.applyEdit(change))) return;
  await show({ uri: edit.uri, range: { start: edit.range.start, end: edit.range.start } });
}

export async function show(location: Location): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(location.uri));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: toRange(location) });
}
