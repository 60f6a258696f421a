// Running a program or writing a file needs a trusted workspace. Tests the extension's own modules with a fake editor.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);

/** A module of the extension on this editor; `ran` is what programs it ran. */
async function load(file, vscode, ran) {
  const { outputFiles: [made] } = await build({
    entryPoints: [path.join(root, file)], bundle: true, write: false, format: "cjs", platform: "node", external: ["vscode"],
  });
  const programs = { execFile: (program, args) => void ran.push([program, ...args]) };
  const needs = (name) => name === "vscode" ? vscode : name === "node:child_process" ? programs : require(name);
  const module = { exports: {} };
  new Function("require", "module", "exports", made.text)(needs, module, module.exports);
  return module.exports;
}

function editor(isTrusted) {
  const seen = { asked: [], failed: [], runs: [] };
  const watcher = { onDidCreate() {}, onDidDelete() {} };
  const uri = { fsPath: "/a/expected.toml", toString: () => "file:///a/expected.toml" };
  const items = new Map();
  const run = { started() {}, errored: (_, message) => seen.failed.push(message.message), end: () => seen.runs.push("ended") };
  const vscode = {
    TestRunProfileKind: { Run: 1 },
    TestMessage: class { constructor(message) { this.message = message; } },
    tests: {
      createTestController: () => ({
        items: { get: (id) => items.get(id), add: (item) => items.set(item.id, item), delete() {}, [Symbol.iterator]: () => items[Symbol.iterator]() },
        createTestItem: (id, label, uri) => ({ id, label, uri }),
        createRunProfile: (_name, _kind, handler) => { seen.run = handler; },
        createTestRun: () => run,
      }),
    },
    workspace: { isTrusted, createFileSystemWatcher: () => watcher, findFiles: async () => [uri] },
    window: {
      showWarningMessage: async (message, choice) => { seen.asked.push(message); return choice; },
      showInputBox: async () => { seen.asked.push("a name"); },
    },
    commands: { executeCommand: async (name) => { seen.asked.push(name); } },
  };
  return { seen, vscode };
}

test("tests are run in a trusted workspace only", async () => {
  for (const isTrusted of [false, true]) {
    const ran = [];
    const { seen, vscode } = editor(isTrusted);
    const { offerTests } = await load("src/tests.ts", vscode, ran);
    offerTests({ subscriptions: [] }, async () => "percept");
    await new Promise(setImmediate);
    void seen.run({}, { isCancellationRequested: false, onCancellationRequested() {} });
    await new Promise(setImmediate);
    assert.deepEqual(ran, isTrusted ? [["percept", "test", "/a/expected.toml", "--format", "json"]] : []);
    if (isTrusted) continue;
    assert.deepEqual(seen.failed, ["Running tests needs a workspace that you trust."]);
    assert.deepEqual(seen.runs, ["ended"]);
    assert.deepEqual(seen.asked, ["Running tests needs a workspace that you trust.", "workbench.trust.manage"]);
  }
});

test("a game is made in a trusted workspace only", async () => {
  for (const isTrusted of [false, true]) {
    const { seen, vscode } = editor(isTrusted);
    const { newGame } = await load("src/newGame.ts", vscode, []);
    await newGame(async () => "percept");
    assert.equal(seen.asked.includes("a name"), isTrusted);
  }
});

test("a notification has no links of a file", async () => {
  const { words } = await load("src/trust.ts", {}, []);
  assert.equal(words(new Error("[a](command:b)")), "[a] (command:b)");
});
