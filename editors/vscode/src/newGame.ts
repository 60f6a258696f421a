// "Percept: New Game": a name, what it is like, a language and a place; `percept new` writes it.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { isTrusted, words } from "./trust";

const LIKE = [
  { label: "A hidden move", description: "one hides, the other seeks", id: "hidden-move" },
  { label: "Cards", description: "each player sees its own", id: "cards" },
  { label: "A board", description: "stones out of each other's sight", id: "board" },
  { label: "One player", description: "against chance", id: "one-player" },
];
const LANGUAGES = [
  { label: "GDL-II, prefix", description: ".kif", id: "kif" },
  { label: "GDL-II, infix", description: ".hrf", id: "hrf" },
  { label: "POGDDL", description: ".pog", id: "pogddl" },
];

/** Asks what is needed, makes the game, and opens it. */
export async function newGame(server: () => Promise<string | undefined>): Promise<void> {
  if (!(await isTrusted("Making a game"))) return;
  const program = await server();
  if (!program) {
    void vscode.window.showErrorMessage("The program `percept` was not found.");
    return;
  }
  const name = await vscode.window.showInputBox({
    title: "New Game (1/3)",
    prompt: "Its name: small letters, digits and hyphens",
    validateInput: (text) => (/^[a-z][a-z0-9-]*$/.test(text) && !text.endsWith("-") ? undefined : "such as night-ships"),
  });
  if (!name) return;
  const like = await vscode.window.showQuickPick(LIKE, { title: "New Game (2/3)", placeHolder: "What is it like?" });
  if (!like) return;
  const language = await vscode.window.showQuickPick(LANGUAGES, { title: "New Game (3/3)", placeHolder: "Written in" });
  if (!language) return;
  const parent = await place();
  if (!parent) return;
  const args = ["new", name, "--in", parent.fsPath, "--like", like.id, "--language", language.id, "--format", "json"];
  execFile(program, args, async (error, out, err) => {
    if (error) {
      void vscode.window.showErrorMessage(words(err.trim() || error));
      return;
    }
    const { game } = JSON.parse(out) as { game: string };
    await vscode.window.showTextDocument(vscode.Uri.file(game));
  });
}

/** The folder that is open, or one that is chosen. */
async function place(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 1) return folders[0].uri;
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: "Make it here" });
  return chosen?.[0];
}
