// Running a program on the files of a folder, or writing into it, requires that the folder is trusted.

import * as vscode from "vscode";

/** True if the workspace is trusted; else shows a warning with a link to the trust settings. `what` begins the sentence. */
export async function isTrusted(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = "Manage Workspace Trust";
  const choice = await vscode.window.showWarningMessage(untrusted(what), manage);
  if (choice === manage) await vscode.commands.executeCommand("workbench.trust.manage");
  return vscode.workspace.isTrusted;
}

export const untrusted = (what: string) => `${what} needs a workspace that you trust.`;

/** Escapes a text of a file or of the program for a notification, in which `[a](command:b)` would be a link. */
export const words = (text: unknown) => String(text instanceof Error ? text.message : text).replaceAll("](", "] (");
