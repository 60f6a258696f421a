// The tools of `percept mcp` for the editor's own assistant, without any set-up.

import * as vscode from "vscode";

/** The part of the editor's interface that came after the oldest version that this extension supports. */
interface Assistants {
  registerMcpServerDefinitionProvider?(id: string, provider: { provideMcpServerDefinitions(): Promise<unknown[]> }): vscode.Disposable;
}
type Definition = new (label: string, command: string, args: string[]) => unknown;

/** Offers the server of tools, for the trusted folders that are open. Does nothing in an editor before VS Code 1.101. */
export function offerAssistants(context: vscode.ExtensionContext, findServer: () => Promise<string | undefined>): void {
  const { lm, McpStdioServerDefinition } = vscode as unknown as { lm?: Assistants; McpStdioServerDefinition?: Definition };
  if (!lm?.registerMcpServerDefinitionProvider || !McpStdioServerDefinition) return;
  const provideMcpServerDefinitions = async () => {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((it) => it.uri.scheme === "file").map((it) => it.uri.fsPath);
    const program = await findServer();
    if (!vscode.workspace.isTrusted || !program || folders.length === 0) return [];
    return [new McpStdioServerDefinition("Percept", program, ["mcp", "--", ...folders])];
  };
  try {
    context.subscriptions.push(lm.registerMcpServerDefinitionProvider("percept", { provideMcpServerDefinitions }));
  } catch {
    // In VS Code 1.100 the interface is there, but not for extensions.
  }
}
