// The Test Explorer: every expectation of every expected.toml, run by `percept test`.

import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import { isTrusted, untrusted } from "./trust";

/** The result of one expectation in `percept test --format json`. */
interface Result {
  file: string;
  line: number;
  column: number;
  game: string;
  name: string;
  outcome: "passed" | "failed";
  seconds: number;
  command: string;
  differences: { key: string; line: number; column: number; expected: string; found: string; note?: string }[];
  error?: string;
}

const NAME = "**/expected.toml";

/** Registers the expectations as tests; `server` finds the program. */
export function offerTests(context: vscode.ExtensionContext, server: () => Promise<string | undefined>): void {
  const controller = vscode.tests.createTestController("percept", "Percept");
  const add = (uri: vscode.Uri) => {
    if (controller.items.get(uri.toString())) return;
    const folder = path.basename(path.dirname(uri.fsPath));
    controller.items.add(controller.createTestItem(uri.toString(), folder, uri));
  };
  const watcher = vscode.workspace.createFileSystemWatcher(NAME);
  watcher.onDidCreate(add);
  watcher.onDidDelete((uri) => controller.items.delete(uri.toString()));
  const find = async () => (await vscode.workspace.findFiles(NAME, "**/{node_modules,target}/**")).forEach(add);
  controller.refreshHandler = find;
  controller.resolveHandler = async (item) => {
    if (!item) await find();
  };
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, async (request, token) => {
    const run = controller.createTestRun(request);
    const files = new Map<string, vscode.TestItem>();
    const wanted = request.include ?? [...controller.items].map(([, item]) => item);
    for (const item of wanted) {
      const file = item.parent ?? item;
      files.set(file.id, file);
    }
    if (!vscode.workspace.isTrusted) {
      for (const file of files.values()) run.errored(file, new vscode.TestMessage(untrusted("Running tests")));
      run.end();
      void isTrusted("Running tests");
      return;
    }
    const program = await server();
    for (const file of files.values()) {
      if (token.isCancellationRequested) break;
      await runFile(controller, run, file, program, token);
    }
    run.end();
  }, true);
  context.subscriptions.push(controller, watcher);
  void find();
}

async function runFile(
  controller: vscode.TestController,
  run: vscode.TestRun,
  item: vscode.TestItem,
  program: string | undefined,
  token: vscode.CancellationToken,
): Promise<void> {
  run.started(item);
  if (!program || !item.uri) {
    run.errored(item, new vscode.TestMessage("The program `percept` was not found."));
    return;
  }
  const { out, err } = await ask(program, ["test", item.uri.fsPath, "--format", "json"], token);
  let results: Result[];
  try {
    results = (JSON.parse(out) as { tests: Result[] }).tests;
  } catch {
    run.errored(item, new vscode.TestMessage(err || "`percept` printed nothing"));
    return;
  }
  const children = results.map((result, index) => {
    const child = controller.createTestItem(`${item.id}#${index}`, result.name, item.uri);
    child.description = result.game;
    child.range = new vscode.Range(result.line - 1, 0, result.line - 1, 0);
    return child;
  });
  item.children.replace(children);
  results.forEach((result, index) => tell(run, children[index], item.uri!, result));
}

function tell(run: vscode.TestRun, item: vscode.TestItem, uri: vscode.Uri, result: Result): void {
  const milliseconds = result.seconds * 1000;
  if (result.outcome === "passed") {
    run.passed(item, milliseconds);
    return;
  }
  const messages = result.differences.map((it) => {
    const text = `${it.key}: expected ${it.expected}, found ${it.found}${it.note ? ` (${it.note})` : ""}\npercept ${result.command}`;
    const message = vscode.TestMessage.diff(text, it.expected, it.found);
    message.location = new vscode.Location(uri, new vscode.Position(it.line - 1, it.column - 1));
    return message;
  });
  if (result.error) messages.push(new vscode.TestMessage(`${result.error}\npercept ${result.command}`));
  run.failed(item, messages, milliseconds);
}

function ask(program: string, args: string[], token: vscode.CancellationToken): Promise<{ out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { maxBuffer: 1 << 28 }, (_error, out, err) => resolve({ out, err }));
    token.onCancellationRequested(() => child.kill());
  });
}
