// "Percept: New Game" asks for a name, a template, a language and a folder; `percept new` writes the game.

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

/** Asks for the settings, creates the game, and opens it. */
export async function newGame(server: () => Promise<string | undefined>): Promise<void> {
  if (!(await isTrusted("Creating a game"))) return;
  const program = await server();
  if (!program) {
    void vscode.window.showErrorMessage("The program `percept` was not found.");
    return;
  }
  const name = await vscode.window.showInputBox({
    title: "New Game (1/3)",
    prompt: "Name: small letters, digits and hyphens",
    validateInput: (text) => (/^[a-z][a-z0-9-]*$/.test(text) && !text.endsWith("-") ? undefined : "such as night-ships"),
  });
  if (!name) return;
  const like = await vscode.window.showQuickPick(LIKE, { title: "New Game (2/3)", placeHolder: "Kind of game" });
  if (!like) return;
  const language = await vscode.window.showQuickPick(LANGUAGES, { title: "New Game (3/3)", placeHolder: "Language" });
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

/** The open folder, or a chosen one. */
async function place(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 1) return folders[0].uri;
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: "Create here" });
  return chosen?.[0];
}
