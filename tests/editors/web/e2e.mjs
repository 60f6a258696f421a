// Uses the playground as a visitor does, in headless Chromium: a mistake and its repair, hover, completion, formatting, a match with
// boards, a role's view, information sets, verdicts, stopping, a link. Prints a line per step; the first failure ends with an error code.
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";

const { CACHE, BROWSER, DIST, SCREENS } = process.env;
const { chromium } = createRequire(path.join(CACHE, "x.js"))("playwright-core");
const axe = fs.readFileSync(path.join(CACHE, "node_modules/axe-core/axe.min.js"), "utf8");
const ok = (name) => console.log(`ok ${name}`);
const must = (holds, what) => { if (!holds) throw new Error(what); };

// A plain file server: the playground is a folder.
const types = { ".html": "text/html", ".wasm": "application/wasm", ".js": "text/javascript", ".css": "text/css" };
const requests = [];
const server = http.createServer((request, response) => {
  const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
  requests.push(name);
  const file = path.join(DIST, path.basename(name));
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" }).end(fs.readFileSync(file));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const home = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
let page;
let failed = false;
try {
  sizes();
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(40000);
  // Random moves are the same in every run: a coin that falls the other way leaves white with one history, and nothing in doubt.
  await page.addInitScript(() => { Math.random = () => 0.25; });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  const elsewhere = [];
  page.on("request", (request) => { if (!request.url().startsWith(home) && !request.url().startsWith("data:")) elsewhere.push(request.url()); });
  await work();
  must(!errors.length, `the page reports errors: ${errors.join("; ")}`);
  must(!elsewhere.length, `the page requests other hosts: ${elsewhere}`);
  ok("the page reported no error, and requested only its own folder");
} catch (error) {
  failed = true;
  console.error(`FAILED: ${error.stack}`);
  await page?.screenshot({ path: path.join(SCREENS, "web-failed.png") }).catch(() => {});
} finally {
  await browser.close().catch(() => {});
  server.close();
}
process.exit(failed ? 1 : 0);

function sizes() {
  const files = fs.readdirSync(DIST).filter((name) => !name.endsWith(".txt"));
  const bytes = files.reduce((sum, name) => sum + zlib.gzipSync(fs.readFileSync(path.join(DIST, name)), { level: 9 }).length, 0);
  must(bytes < 5e6, `${bytes} bytes compressed`);
  ok(`the folder has ${(bytes / 1e6).toFixed(2)} MB compressed`);
}

async function shot(name) { await page.screenshot({ path: path.join(SCREENS, `web-${name}.png`) }); }
async function text() { return page.evaluate(() => window.percept.editor.view.state.doc.toString()); }
async function write(text) {
  await page.evaluate((text) => {
    const view = window.percept.editor.view;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, text);
}
/** Puts the cursor before or after some words of the text. */
async function put(words, behind) {
  await page.evaluate(([words, behind]) => {
    const view = window.percept.editor.view;
    const at = view.state.doc.toString().indexOf(words);
    if (at < 0) throw new Error(`the text lacks ${words}`);
    const anchor = behind ? at + words.length : at;
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.focus();
  }, [words, behind]);
}
function findings(count) { return page.waitForFunction((count) => document.body.dataset.findings === String(count), count); }
function tab(name) { return page.locator(`nav [data-page=${name}]`).click(); }

/** Chooses a view of the panel: State, Knowledge, Verdict, Every match, Play. */
async function view(name) {
  await page.locator("#match [role=tab]", { hasText: name }).first().click();
}

/** The first page: a sentence, a picture, games as cards, an empty game, the tutorial. */
async function welcome() {
  await page.goto(home);
  await page.waitForSelector("[data-ready=yes]");
  await page.waitForSelector("#start .card");
  must(await page.locator("#start .card").count() >= 6, "six games to begin with");
  must(await page.locator("#start svg[role=img]").count() === 1, "a picture");
  await shot("start");
  await accessible("the first page");
  await page.locator("[data-start=tutorial]").click();
  await page.waitForSelector("dialog[open] .markdown");
  await page.keyboard.press("Escape");
  await page.locator("[data-start=empty]").click();
  await page.waitForSelector("#match .moves-bar");
  must((await text()).includes("(role player)"), "an empty game is opened");
  await findings(0);
  await page.locator("#home").click();
  await page.locator("#start .card", { hasText: "Blind Tic-Tac-Toe" }).first().click();
  await page.waitForFunction(() => window.percept.editor.view.state.doc.toString().includes("(role white)"));
  ok("the first page says what this is, and opens an empty game, a card and the tutorial");
}

/** Checks the page with axe, but for the text, which is CodeMirror's. */
async function accessible(where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run({ exclude: [".cm-scroller"] }, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  const says = found.violations.map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`).join("; ")}`);
  must(!says.length, `${where}: ${says.join("\n")}`);
}

async function work() {
  await welcome();
  await findings(0);
  const right = await text();
  must(right.includes("(role white)"), "the first game is shown");
  const [opened, loaded] = await page.evaluate(() => {
    const at = (name) => performance.getEntriesByName(name)[0].startTime;
    return [at("percept-findings"), at("percept-findings") - at("percept-loaded")];
  });
  ok(`the first findings are there ${opened.toFixed(0)} ms after the page was opened, ${loaded.toFixed(0)} ms after percept was loaded`);
  await page.waitForSelector(".tok-keyword");
  ok("names have colours");

  await tab("problems");
  await put("(role white)", true);
  await page.keyboard.press("Backspace");
  await page.waitForSelector(".finding.error");
  must((await page.locator(".finding.error").first().innerText()).includes("is never closed"), "the missing bracket is reported");
  await shot("bracket");
  await page.locator(".finding.error .fix").first().click();
  await findings(0);
  must(await text() === right, "the repair puts the bracket back");
  ok("a missing bracket is found and repaired");

  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("(<= terminal (true (ce");
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete li");
  must((await page.locator(".cm-tooltip-autocomplete").innerText()).includes("cell"), "a fluent is proposed");
  await page.keyboard.press("Escape");
  await write(right);
  ok("names are completed");

  await put("(legal", false);
  const box = await page.locator(".cm-content span.tok-keyword", { hasText: "legal" }).first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector(".hover .markdown");
  ok("a hover explains a name");
  await page.mouse.move(900, 300);

  await put("(role white)", false);
  await page.keyboard.type("   ");
  await page.locator("#format").click();
  await page.waitForFunction((right) => window.percept.editor.view.state.doc.toString() === right, right);
  ok("the text is formatted");

  await tab("match");
  await page.waitForSelector("#match .board");
  await page.locator("#match .role", { hasText: "white" }).locator(".move", { hasText: "mark 2 2" }).click();
  await page.locator("#match [data-key=play]").click();
  await page.waitForFunction(() => document.querySelector("#match .count")?.textContent === "1 / 1");
  must((await page.locator("#match .mark.here").innerText()).includes("(mark 2 2)"), "the match has white's move");
  await shot("match");
  await accessible("a match");
  await page.locator("#match [data-key=eye-white]").click();
  await page.waitForSelector("#match .cell.shade");
  must(!(await page.locator("#match").innerText()).includes("tiebreak"), "moves of other roles are not shown at a seat");
  await shot("eyes");
  await page.locator("#match .moves-bar .move").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#match .rounds tbody tr").length === 2);
  await page.locator("#match [data-key=eye-everything]").click();
  await page.waitForFunction(() => document.querySelector("#match .count")?.textContent === "2 / 2");
  ok("a match is played, also in a role's view");

  await view("Knowledge");
  await page.waitForSelector("#match .members li");
  must(/\d+ histor(y|ies) fits? what it did and saw/.test(await page.locator("#match").innerText()), "the information set is counted");
  await shot("infosets");
  await accessible("the knowledge of a role");
  ok("information sets are listed");

  await view("Every match");
  await page.waitForSelector("#match .proofs");
  const verdicts = await page.locator("#match .proofs").innerText();
  must(/white knows its legal moves\s+✓ proved/.test(verdicts), verdicts);
  must(/white knows whether the match is over\s+✗ refuted after/.test(verdicts), verdicts);
  await page.waitForSelector("#match .rounds.pairs .differs");
  await shot("verdict");
  await page.locator("#match .witness .link", { hasText: "Step through B" }).first().click();
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector("#match .count")?.textContent ?? ""));
  ok("the verdict on every match is that of chapter 17, with two histories to step through");

  await view("Play");
  await page.locator("#match [data-key=sit]").click();
  await page.getByText("It is your turn.").waitFor();
  await page.locator("#match .moves-bar .move").first().click();
  await page.getByText("In round 1 you did").waitFor();
  await page.locator("#match [data-key=give-up]").click();
  await page.getByText("What was true").waitFor();
  await shot("play");
  ok("a seat against a player that thinks, given up and opened");

  await page.locator("#games").selectOption({ label: "Racko (POGDDL)" });
  await page.waitForFunction(() => document.querySelectorAll("#tabs .tab").length === 2);
  await page.waitForSelector("#match .moves-bar");
  await view("Every match");
  await page.locator("#match [data-key=stop]").click();
  await page.waitForSelector("#match .busy", { state: "detached" });
  await view("State");
  await page.waitForSelector("#match .move");
  ok("long work is stopped, and later requests work");
  await page.locator("#tabs .tab").nth(1).click();
  must((await text()).includes("(problem"), "the problem has a tab of its own");

  await page.locator("#games").selectOption({ label: "Kuhn poker" });
  await page.waitForFunction(() => document.querySelectorAll("#tabs .tab").length === 1);
  await findings(0);
  await put("(role", false);
  await page.keyboard.type("; a word of my own\n");
  const mine = await text();
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.startsWith("#g="));
  const link = page.url();
  const other = await browser.newContext();
  const visitor = await other.newPage();
  await visitor.goto(link);
  await visitor.waitForSelector("[data-ready=yes]");
  must(await visitor.evaluate(() => window.percept.editor.view.state.doc.toString()) === mine, "the link carries the game");
  ok(`a link of ${link.length} characters carries the game to another visitor`);
  await visitor.goto(`${home}#g=AAAA`);
  await visitor.reload();
  await visitor.waitForFunction(() => document.getElementById("status").textContent !== "loading…");
  must(await visitor.locator(".cm-content").count() === 1, "a broken link does no harm");
  await other.close();

  await page.locator("#convert").click();
  await page.waitForFunction(() => document.querySelector("#tabs .tab").textContent.endsWith(".hrf"));
  must((await text()).includes(":-"), "the game is written in infix");
  await findings(0);
  ok("prefix is converted to infix");

  await write("((((");
  await page.waitForFunction(() => document.body.dataset.findings !== "0");
  await tab("match");
  await page.waitForFunction(() => document.querySelector("#match")?.textContent.includes("This is not a playable game"));
  ok("a text that is not a game is reported, not played");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("#games").selectOption({ label: "Kuhn poker" });
  await page.waitForSelector("#match .moves-bar");
  await page.waitForTimeout(300);
  must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways on a phone");
  const play = await page.locator("#match [data-key=play]").boundingBox();
  must(play && play.y + play.height <= 844, "the button that plays is in sight on a phone");
  await shot("phone");
  await tab("text");
  await page.waitForSelector("#left", { state: "visible" });
  ok("a phone shows one part at a time");
}
