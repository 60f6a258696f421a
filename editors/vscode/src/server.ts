// Where the program `percept` is: the setting, the copy shipped with the extension, the PATH.

import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";

export async function findServer(context: vscode.ExtensionContext): Promise<string | undefined> {
  const exe = process.platform === "win32" ? "percept.exe" : "percept";
  const set = vscode.workspace.getConfiguration("percept").get<string>("server.path")?.trim();
  if (set) return (await isProgram(set)) ? set : undefined;
  const folders = [path.join(context.extensionPath, "bin"), ...(process.env.PATH ?? "").split(path.delimiter)];
  for (const folder of folders.filter((folder) => folder !== "")) {
    const candidate = path.join(folder, exe);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await fs.access(file, process.platform === "win32" ? fs.constants.F_OK : fs.constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}
