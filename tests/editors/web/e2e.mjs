// Uses the playground as a visitor does, in headless Chromium: a mistake and its repair, hover, completion, formatting, a match with
// boards, a role's view, information sets, verdicts, stopping, a link. Prints a line per step; the first failure ends with an error code.
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";

const { CACHE, BROWSER, DIST, SCREENS } = process.env;
const { chromium } = createRequire(path.join(CACHE, "x.js"))("playwright-core");
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

async function work() {
  await page.goto(home);
  await page.waitForSelector("[data-ready=yes]");
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
  await page.locator("#match .role", { hasText: "white" }).locator(".move", { hasText: "(mark 2 2)" }).click();
  await page.locator("#play").click();
  await page.waitForFunction(() => document.querySelector("#match .round")?.textContent === "round 1 of 1");
  must(await page.locator("#match .past li").count() === 1, "the match has a round");
  must((await page.locator("#match .past li").first().innerText()).startsWith("(mark 2 2)"), "with white's move");
  await shot("match");
  await page.locator("#eyes").selectOption("white");
  await page.waitForFunction(() => document.querySelector("#match .over")?.textContent.includes("look like this to white"));
  must(await page.locator("#match .cell.shade").count() > 0, "possible facts are shaded");
  must(!(await page.locator("#match .past").innerText()).includes("tiebreak"), "moves of other roles are not shown at a seat");
  await shot("eyes");
  await page.locator("#others").selectOption("think");
  await page.locator("#play").click();
  await page.waitForFunction(() => document.querySelector("#match .round")?.textContent === "round 2 of 2");
  ok("a match is played in a role's view, against others that think");

  await tab("infosets");
  await page.locator("#infosets [data-role=white]").click();
  await page.waitForSelector("#infosets .member");
  const heading = await page.locator("#infosets #answer h3").innerText();
  must(/white after round 2: \d+ histor/.test(heading), heading);
  must(await page.locator("#infosets .member .board").count() > 0, "members have boards");
  await shot("infosets");
  ok(`information sets are listed (${heading})`);

  await tab("knowledge");
  await page.locator("#prove").click();
  await page.waitForSelector("#knowledge .verdict");
  const verdicts = await page.locator("#knowledge #answer").innerText();
  must(verdicts.includes("✓ white always knows its legal moves"), verdicts);
  must(verdicts.includes("✗ white does not always know whether the match is over"), verdicts);
  must(await page.locator("#knowledge .pair .history").count() >= 2, "two histories side by side");
  await shot("verdict");
  await page.locator("#knowledge .pair .link").first().click();
  await page.waitForFunction(() => /^round [1-9]/.test(document.querySelector("#match .round")?.textContent ?? ""));
  ok("the verdict on every match is that of chapter 17, with two histories to step through");

  await page.locator("#games").selectOption({ label: "Racko (POGDDL)" });
  await page.waitForFunction(() => document.querySelectorAll("#tabs .tab").length === 2);
  await tab("knowledge");
  await page.locator("#seconds").selectOption("300");
  await page.locator("#prove").click();
  await page.locator("#stop").click();
  await page.waitForFunction(() => document.querySelector("#knowledge .complaint")?.textContent === "stopped");
  await tab("match");
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
  await page.waitForFunction(() => document.querySelector("#match")?.textContent.includes("This game cannot be played yet"));
  ok("a text that is not a game is reported, not played");
}
