// What runs a program on the files of a folder, or writes into it, waits until the folder is trusted.

import * as vscode from "vscode";

/** Whether this may be done; where not, says so and leads to where the folder is trusted. `what` begins the sentence. */
export async function isTrusted(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = "Manage Workspace Trust";
  const choice = await vscode.window.showWarningMessage(untrusted(what), manage);
  if (choice === manage) await vscode.commands.executeCommand("workbench.trust.manage");
  return vscode.workspace.isTrusted;
}

export const untrusted = (what: string) => `${what} needs a workspace that you trust.`;

/** Words of a file or of the program for a notification, where `[a](command:b)` would be a link. */
export const words = (text: unknown) => String(text instanceof Error ? text.message : text).replaceAll("](", "] (");
