// The panel without its editor: the real panel in a browser's page, the real session, and the real language server. So its look can
// be tried in every theme and size, on every game, in seconds.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const extension = path.join(here, "../../../editors/vscode");
const { build } = createRequire(path.join(extension, "x.js"))("esbuild");
export const THEMES = JSON.parse(fs.readFileSync(path.join(here, "themes.json"), "utf8"));

/** A language server, asked by the commands of editors. */
export class Server {
  #answers = new Map();
  #next = 1;
  #rest = Buffer.alloc(0);

  constructor(program, folder) {
    this.process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    this.process.stdout.on("data", (data) => this.#read(data));
    this.ready = this.request("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} })
      .then(() => this.notify("initialized", {}));
  }

  #read(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#rest.subarray(0, end).toString())[1]);
      if (this.#rest.length < end + 4 + length) return;
      const message = JSON.parse(this.#rest.subarray(end + 4, end + 4 + length).toString());
      this.#rest = this.#rest.subarray(end + 4 + length);
      if (message.method && message.id !== undefined) this.#send({ id: message.id, result: null });
      const waiting = message.method === undefined && this.#answers.get(message.id);
      if (!waiting) continue;
      this.#answers.delete(message.id);
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    }
  }

  #send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  request(method, params) {
    const id = this.#next++;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
  }

  notify(method, params) { this.#send({ method, params }); }

  /** Opens a file as an editor does. */
  open(file) {
    const uri = pathToFileURL(file).href;
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId: file.endsWith(".pog") ? "pogddl" : "gdl", version: 1, text: fs.readFileSync(file, "utf8") } });
    return uri;
  }

  stop() { this.process.kill(); }
}

/** The session of the panel, which editors share. */
async function sessionModule(work) {
  const outfile = path.join(work, "session.mjs");
  await build({ entryPoints: [path.join(extension, "src/session.ts")], bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}

async function panelFiles(work) {
  await build({ entryPoints: [path.join(extension, "src/panel/main.ts"), path.join(extension, "src/panel/panel.css")], bundle: true,
    format: "iife", target: "es2022", outdir: path.join(work, "panel"), logLevel: "error" });
  return ["main.js", "panel.css"].map((name) => fs.readFileSync(path.join(work, "panel", name), "utf8"));
}

export class Stage {
  static async make(program, work, browser) {
    const stage = new Stage();
    stage.browser = browser;
    stage.server = new Server(program, work);
    await stage.server.ready;
    stage.Session = (await sessionModule(work)).Session;
    [stage.script, stage.css] = await panelFiles(work);
    return stage;
  }

  /** The panel on a game, in a theme and a size. `wishes` are sent one after the other, each when the one before has its answer. */
  async show(file, { theme = "dark", width = 560, height = 830, tab = "state", wishes = [] } = {}) {
    const page = await this.browser.newPage({ viewport: { width, height } });
    const uri = this.server.open(file);
    let session;
    let model;
    const host = {
      game: () => ({ uri }),
      ask: (command, argument) => this.server.request("workspace/executeCommand", { command, arguments: [argument] }),
      post: (next) => { model = JSON.parse(JSON.stringify(next)); void page.evaluate((it) => window.postMessage(it, "*"), model).catch(() => {}); },
      show() {}, insert() {}, save() {},
    };
    session = new this.Session(host, path.basename(file), tab);
    await page.exposeFunction("wish", (wish) => session.wish(wish));
    const { variables, kind } = THEMES[theme];
    const style = Object.entries(variables).map(([name, value]) => `${name}: ${value};`).join(" ");
    await page.setContent(`<!doctype html><html lang="en" style="${style.replaceAll('"', "'")}"><head><meta charset="utf-8"><title>Match</title><style>${this.css}</style>
      <style>body { background: var(--vscode-editor-background); }</style></head>
      <body class="${kind}"><main id="app" class="panel" aria-busy="true"><p class="quiet">Reading the game …</p></main></body></html>`);
    await page.evaluate(() => { window.acquireVsCodeApi = () => ({ postMessage: (it) => window.wish(it) }); });
    await page.addScriptTag({ content: this.script });
    const quiet = async () => {
      for (let tries = 0; tries < 400; tries++) {
        await page.waitForTimeout(50);
        if (model?.step && !model.busy && tries > 3) return;
      }
    };
    await quiet();
    for (const wish of wishes) {
      session.wish(typeof wish === "function" ? wish(model) : wish);
      await quiet();
    }
    return { page, model: () => model, session, quiet };
  }
}
