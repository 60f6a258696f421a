// The search for the program `percept`: the setting, the copy shipped with the extension, the PATH, the folders of cargo.

import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

export async function findServer(context: vscode.ExtensionContext): Promise<string | undefined> {
  const exe = process.platform === "win32" ? "percept.exe" : "percept";
  const set = vscode.workspace.getConfiguration("percept").get<string>("server.path")?.trim();
  if (set) return (await isProgram(set)) ? set : undefined;
  const folders = [path.join(context.extensionPath, "bin"), ...(process.env.PATH ?? "").split(path.delimiter), ...cargoFolders()];
  for (const folder of folders.filter((folder) => folder !== "")) {
    const candidate = path.join(folder, exe);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

/** The folders of `cargo install`; an editor started from a menu often lacks them on its PATH. */
function cargoFolders(): string[] {
  const homes = [process.env.CARGO_INSTALL_ROOT, process.env.CARGO_HOME, path.join(os.homedir(), ".cargo")];
  return homes.filter((home): home is string => Boolean(home)).map((home) => path.join(home, "bin"));
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await fs.access(file, process.platform === "win32" ? fs.constants.F_OK : fs.constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}
