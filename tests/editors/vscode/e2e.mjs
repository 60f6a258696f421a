// Open a game, see the squiggle, hover, complete, repair, rename, format, step two rounds, show the knowledge of a role and
// the verdict, jump to the rule. Prints a line per step; the first failure ends with an error code.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";

const { CODE, CACHE, WORK, BROWSER, SCREENS } = process.env;
const { chromium } = createRequire(path.join(CACHE, "x.js"))("playwright-core");
const GAME = path.join(WORK, "game");
const ok = (name) => console.log(`ok ${name}`);

async function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function serve(port) {
  const server = spawn(process.execPath, [path.join(CODE, "out/server-main.js"), "--host", "127.0.0.1", "--port", String(port),
    "--without-connection-token", "--accept-server-license-terms", "--disable-workspace-trust", "--server-data-dir", path.join(WORK, "data")],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: WORK } });
  let log = "";
  server.stdout.on("data", (data) => (log += data));
  server.stderr.on("data", (data) => (log += data));
  for (let tries = 0; tries < 200; tries++) {
    if (log.includes("Extension host agent listening")) return server;
    if (server.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(`the workbench's server did not start:\n${log}`);
}

const port = await freePort();
const server = await serve(port);
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
let page;
let failed = false;
try {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60000);
  await work();
} catch (error) {
  failed = true;
  console.error(`FAILED: ${error.message}`);
  await page?.screenshot({ path: path.join(SCREENS, "vscode-failed.png") }).catch(() => {});
} finally {
  await browser.close().catch(() => {});
  server.kill("SIGTERM");
}
process.exit(failed ? 1 : 0);

async function shot(name) {
  await page.screenshot({ path: path.join(SCREENS, `vscode-${name}.png`) });
}

/** Opens the box at the top with a key and fills it; again if another element took the key, or if the box of the question
 * before was about to close. */
async function ask(key, text) {
  const box = page.locator(".quick-input-widget input");
  for (let tries = 0; tries < 10; tries++) {
    await page.keyboard.press(key);
    if (await box.fill(text, { timeout: 2000 }).then(() => true, () => false)) return;
    const dialog = page.getByRole("button", { name: "Yes, I trust the authors" });
    if (await dialog.isVisible()) await dialog.click();
  }
  throw new Error(`the box for "${text}" did not open`);
}

async function command(name) {
  const row = page.locator(".quick-input-list .monaco-list-row").first();
  for (let tries = 0; ; tries++) {
    await ask("F1", `>${name}`);
    if (await row.waitFor({ timeout: 5000 }).then(() => true, () => false)) break;
    if (tries === 4) throw new Error(`"${name}" is not in the list of commands`);
  }
  await page.keyboard.press("Enter");
  // Otherwise the next command would be typed into a box that is about to close.
  await page.locator(".quick-input-widget").waitFor({ state: "hidden", timeout: 5000 }).catch(() => undefined);
}

async function goTo(line, column) {
  await ask("Control+g", `:${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(250);
}

async function textOf() {
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(500);
  return fs.readFileSync(path.join(GAME, "coin.kif"), "utf8");
}

/** Presses "Step" and returns the panel's own document: a webview is a frame in a frame. */
async function panel() {
  for (let tries = 0; tries < 150; tries++) {
    // A lens that is being redrawn loses the click.
    if (tries % 25 === 0) await page.locator(".codelens-decoration").getByText("Step").first().click();
    for (const frame of page.frames()) {
      if (await frame.locator("#app h1").count().catch(() => 0)) return frame;
    }
    await page.waitForTimeout(200);
  }
  throw new Error("the panel did not open");
}

async function open(name) {
  await page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
  await page.locator(".tabs-container").getByText(name).first().waitFor();
}

async function work() {
  await page.goto(`http://localhost:${port}/?folder=${GAME}`);
  await page.locator(".monaco-workbench").waitFor({ timeout: 60000 });
  const explorer = page.locator(".explorer-folders-view").getByText("coin.kif");
  const trust = page.getByRole("button", { name: "Yes, I trust the authors" });
  // If the workbench ignores the setting, it asks at some point.
  await page.addLocatorHandler(trust, () => trust.click());
  await explorer.dblclick();
  const editor = page.locator(".editor-instance .monaco-editor").first();
  await editor.waitFor();
  await page.locator(".codelens-decoration").getByText("Step").first().waitFor();
  ok("the lenses are on the first role");
  await writing(editor);
  await coin(editor);
  await board();
  await playtest();
  await large();
}

/** A table for people: its links, its state, and a new one after a change of the rules. */
async function playtest() {
  await command("View: Close All Editors");
  await open("blind-tic-tac-toe.kif");
  await page.locator(".codelens-decoration").getByText("Step").first().waitFor();
  await command("Percept: Playtest with Other People...");
  const list = page.locator(".quick-input-list");
  await list.getByText("Copy the link of watchers").waitFor();
  await shot("playtest");
  await page.keyboard.press("Escape");
  const bar = page.locator(".statusbar-item", { hasText: "Playtest of blind-tic-tac-toe: match 1 has begun" });
  await bar.waitFor();
  ok("a table, its links, and its state");
  await page.locator(".editor-instance .monaco-editor").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n; changed");
  await page.keyboard.press("Control+s");
  await page.getByText("The table of blind-tic-tac-toe plays the rules as they were.").first().waitFor();
  await page.getByRole("button", { name: "New table with the changed rules" }).first().click();
  await list.getByText("Copy the link of watchers").waitFor();
  await page.keyboard.press("Escape");
  await bar.click();
  await list.getByText("End the table").click();
  await bar.waitFor({ state: "detached" });
  ok("a new table with the changed rules, and its end");
}

/** Squiggle, hover, repair, completion, rename, format. */
async function writing(editor) {
  const lines = fs.readFileSync(path.join(GAME, "coin.kif"), "utf8").split("\n");
  const row = lines.findIndex((line) => line.includes("(true (fell ?_any))")) + 1;
  const column = lines[row - 1].indexOf("fell ?_any") + 1;
  const squiggle = page.locator(".squiggly-error, .squiggly-warning");
  await editor.click();
  await goTo(row, column + 4);
  await page.keyboard.press("Backspace");
  await squiggle.first().waitFor();
  ok("the squiggle");
  await goTo(row, column + 1);
  await command("Show or Focus Hover");
  await page.locator(".monaco-hover").getByText("did you mean").first().waitFor();
  await shot("finding");
  ok("the hover suggests a repair");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget").getByText("fell").first().waitFor();
  await page.keyboard.press("Enter");
  await squiggle.first().waitFor({ state: "detached" });
  ok("the repair repairs");

  await goTo(row, column + 1);
  await command("Show or Focus Hover");
  await page.locator(".monaco-hover").getByText("fluent").first().waitFor();
  await shot("hover");
  ok("the hover describes a fluent");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+End");
  await page.keyboard.type("(<= (legal gu");
  await page.locator(".suggest-widget").getByText("guesser").first().waitFor();
  await shot("completion");
  ok("completion proposes the role");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  await page.keyboard.press("Control+Shift+k");

  await goTo(row, column + 1);
  await page.keyboard.press("F2");
  await page.locator(".rename-box input").fill("landed");
  await page.keyboard.press("Enter");
  await page.locator(".view-line").getByText("landed").first().waitFor();
  const renamed = await textOf();
  if (/fell/.test(renamed) || (renamed.match(/landed/g) ?? []).length !== 4) throw new Error(`rename:\n${renamed}`);
  ok("rename changes every place");

  await goTo(row, 1);
  await page.keyboard.type("   ");
  await command("Format Document");
  await page.waitForTimeout(500);
  if ((await textOf()).trimEnd() !== renamed.trimEnd()) throw new Error(`format:\n${await textOf()}`);
  ok("format removes blanks");
}

/** Two rounds, back, the information set, the verdict, why, the replay on other rules. */
async function coin() {
  const view = await panel();
  await view.getByRole("button", { name: "toss tails", exact: true }).click();
  await view.getByText("after round 1").waitFor();
  await view.getByRole("button", { name: "say heads", exact: true }).click();
  await view.getByText("the match is over").first().waitFor();
  ok("two rounds, and the match is over");
  await view.getByRole("button", { name: "One round back" }).click();
  await view.getByText("after round 1").waitFor();
  ok("back");
  await view.getByRole("tab", { name: "Knowledge" }).click();
  await view.getByText("2 histories fit what it did and saw").waitFor();
  await shot("knowledge");
  ok("the information set");
  await view.getByRole("tab", { name: "Verdict" }).click();
  await view.getByText("guesser does not know its goal after round 2").waitFor();
  await page.locator(".squiggly-warning").first().waitFor();
  await shot("verdict");
  ok("the verdict with its witness, and at the rule that decides it");
  await view.getByRole("slider", { name: "Round of both histories" }).waitFor();
  await view.getByRole("slider", { name: "Round of both histories" }).fill("1");
  await view.getByText("1 / 2").last().waitFor();
  ok("both histories, round by round");
  await view.getByRole("button", { name: "What would guesser have to see?" }).click();
  await view.locator(".repairs li").first().waitFor();
  await view.locator(".repairs").first().scrollIntoViewIfNeeded();
  await shot("repair-coin");
  ok("a proved repair is proposed");
  await view.locator("[data-key^=insert-]").first().click();
  await view.locator(".summary.good").waitFor();
  if (!(await textOf()).includes("(sees guesser")) throw new Error("nothing was inserted");
  ok("with the repair the role knows its goal");
  await page.keyboard.press("Control+z");
  await view.getByText("guesser does not know its goal after round 2").waitFor();

  await view.getByRole("tab", { name: "State", exact: true }).click();
  await view.getByRole("button", { name: "(landed tails)" }).click();
  await view.getByRole("button", { name: "(does random (toss tails))" }).waitFor();
  await shot("why");
  ok("a fact is explained");
  await view.getByRole("combobox", { name: "Why, or why not?" }).fill("(landed heads)");
  await page.keyboard.press("Enter");
  await view.getByRole("button", { name: "(does random (toss heads))" }).waitFor();
  await view.locator(".why .fails").first().waitFor();
  await shot("why-not");
  ok("an atom that does not hold is explained");
  await view.getByRole("button", { name: "why not over?" }).click();
  await view.getByRole("heading", { name: "Why not terminal" }).waitFor();
  ok("the missing end is explained");
  await view.getByRole("button", { name: "(landed tails)" }).click();
  await view.getByRole("button", { name: "(does random (toss tails))" }).waitFor();
  await view.getByTitle("Go to this rule").first().click();
  await page.locator(".monaco-editor.focused").waitFor();
  const status = await page.locator("#status\\.editor\\.selection").innerText();
  const rule = (await textOf()).split("\n").findIndex((line) => line.startsWith("(<= (next (landed")) + 1;
  if (!status.includes(`Ln ${rule},`)) throw new Error(`the jump led to ${status}, not to line ${rule}`);
  ok("the reason leads to its rule");
  // Without the rule for the guesser's moves, the second round is no longer possible.
  const speaking = (await textOf()).split("\n").findIndex((line) => line.startsWith("(<= (legal guesser (say")) + 1;
  await goTo(speaking, 1);
  await page.keyboard.press("Control+Shift+k");
  await view.getByText("The rules have changed").waitFor();
  await shot("replay");
  ok("the panel follows the text");
  await command("View: Close All Editors");
  const save = page.getByRole("button", { name: "Don't Save" });
  await save.click({ timeout: 3000 }).catch(() => undefined);
}

/** A board, three rounds in, and a trace with its percepts. */
async function board() {
  await open("blind-tic-tac-toe.kif");
  const view = await panel();
  const rounds = [["(mark 2 2)", "(mark 1 3)", "(tiebreak x)"], ["(mark 1 1)", "(mark 1 1)", "(tiebreak x)"], ["(mark 3 3)", "(mark 3 1)", "(tiebreak x)"]];
  for (const [at, moves] of rounds.entries()) {
    for (const [role, move] of moves.entries()) {
      await view.locator(".role").filter({ has: view.getByText(move.slice(1, -1), { exact: true }) }).nth(0).waitFor();
      await view.locator(`[data-key="${["white", "black", "random"][role]}:${move}"]`).click();
    }
    await view.locator("[data-key=play]").click();
    await view.getByText(at === 2 ? "the match is over" : `after round ${at + 1}`).first().waitFor();
  }
  await view.locator("table.board").first().waitFor();
  await shot("board");
  ok("three rounds on a board");
  const tags = await view.locator(".percepts .tag").allTextContents();
  // That a cell was free is a private percept: no player knows that the other has it, too.
  if (tags.join() !== "private,private") throw new Error(`the tags of the last round are ${tags}`);
  ok("percepts are marked as public or private");
  await byKeyboard(view);
  await looks(view);
  await view.getByRole("tab", { name: "Verdict" }).click();
  await view.locator(".witness").first().waitFor();
  await shot("witness");
  ok("the pair of histories side by side");
  await view.getByRole("button", { name: /What would .* have to see/ }).first().click();
  await view.locator(".repairs li").first().waitFor();
  await view.locator(".repairs").first().scrollIntoViewIfNeeded();
  await shot("repair");
  ok("percepts that repair it, the least informative first");
  await playing(view);
  await view.getByRole("tab", { name: "Every match" }).click();
  await view.getByText("white knows its legal moves").waitFor();
  await view.locator(".proofs .sign.good").first().waitFor();
  await shot("proof");
  ok("the verdict on every match");
  await command("View: Close All Editors");
  await coverage();
  await page.locator(".explorer-folders-view").getByText("traces", { exact: true }).click();
  await open("no-line.trace");
  await page.getByText("white: ").first().waitFor();
  await shot("trace");
  ok("a trace shows what every role perceives");
}

/** Without a mouse: over the tabs, to a cell, over the board, and to the explanation of a cell. */
async function byKeyboard(view) {
  const where = () => view.evaluate(() => document.activeElement?.getAttribute("data-key"));
  await view.getByRole("tab", { name: "State", exact: true }).focus();
  for (let presses = 0; presses < 60 && !(await where())?.startsWith("cell-"); presses++) await page.keyboard.press("Tab");
  const first = await where();
  if (!first?.startsWith("cell-")) throw new Error(`Tab leads to no cell, but to ${first}`);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  const middle = await where();
  if (middle !== "cell-0:2 2") throw new Error(`the arrows led from ${first} to ${middle}`);
  await page.keyboard.press("Enter");
  await view.getByRole("heading", { name: /^Why/ }).first().waitFor();
  if ((await where()) !== middle) throw new Error(`after Enter the keyboard is at ${await where()}`);
  ok("a board by keyboard alone");
  const nameless = await view.evaluate(() => [...document.querySelectorAll("button, input, select, meter, [role=tab]")]
    .filter((it) => !(it.getAttribute("aria-label") || it.closest("label") || it.textContent?.trim() || it.title)).map((it) => it.outerHTML));
  if (nameless.length) throw new Error(`without a name for screen readers: ${nameless.join(" ")}`);
  const untold = await view.evaluate(() => [...document.querySelectorAll(".board .cell")].filter((it) => !/: ./.test(it.ariaLabel ?? "")).length);
  if (untold) throw new Error(`${untold} cells do not name their content`);
  ok("everything has a name for screen readers");
  await view.getByRole("button", { name: "Close the explanation" }).first().click();
}

/** The theme's variables that the panel's sheet names. */
async function theme(view) {
  return view.evaluate(() => {
    const text = [...document.styleSheets].flatMap((it) => { try { return [...it.cssRules].map((rule) => rule.cssText); } catch { return []; } }).join("");
    const names = [...new Set(text.match(/--vscode-[\w-]+/g))].sort();
    const style = document.documentElement.style;
    return { kind: document.body.className, variables: Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]).filter(([, value]) => value)) };
  });
}

/** Light, dark, high contrast; 900 and 480 pixels: nothing is cut, everything can be read. */
async function looks(view) {
  const settings = path.join(WORK, "data/data/Machine/settings.json");
  const before = fs.readFileSync(settings, "utf8");
  const colours = { dark: await theme(view) };
  for (const [name, colour, kind] of [["light", "Default Light Modern", "vscode-light"],
    ["contrast", "Default High Contrast", "vscode-high-contrast"], ["contrast-light", "Default High Contrast Light", "vscode-high-contrast-light"]]) {
    fs.writeFileSync(settings, JSON.stringify({ ...JSON.parse(before), "workbench.colorTheme": colour }));
    await view.locator(`body.${kind}`).waitFor();
    // Waits for the backgrounds, which fade.
    await page.waitForTimeout(500);
    await readable(view, colour);
    await shot(`board-${name}`);
    colours[name] = await theme(view);
  }
  // The colours that tests/editors/panel uses without an editor.
  if (process.env.PERCEPT_THEMES) fs.writeFileSync(process.env.PERCEPT_THEMES, `${JSON.stringify(colours, null, 1)}\n`);
  fs.writeFileSync(settings, before);
  await view.locator("body.vscode-dark").waitFor();
  ok("light and high contrast can be read");
  await page.setViewportSize({ width: 900, height: 900 });
  await page.waitForTimeout(400);
  await uncut(view, "900 pixels");
  await shot("board-900");
  // Shows only the panel.
  await command("View: Toggle Maximize Editor Group");
  await command("View: Toggle Primary Side Bar Visibility");
  await page.setViewportSize({ width: 480, height: 900 });
  await page.waitForTimeout(400);
  await uncut(view, "480 pixels");
  await shot("board-480");
  const shows = { Knowledge: ".bars, .board", Verdict: ".witness", "Every match": ".proofs", Play: ".setup, select", State: ".board" };
  for (const [tab, sign] of Object.entries(shows)) {
    await view.getByRole("tab", { name: tab, exact: true }).click();
    await view.locator(sign).first().waitFor();
    await view.locator(".busy").waitFor({ state: "detached" });
    await uncut(view, `${tab} at 480 pixels`);
    await shot(`480-${tab.toLowerCase().replace(" ", "-")}`);
  }
  ok("900 and 480 pixels suffice");
  await page.setViewportSize({ width: 1440, height: 900 });
  await command("View: Toggle Primary Side Bar Visibility");
  await command("View: Toggle Maximize Editor Group");
  await command("View: Reset Editor Group Sizes");
}

/** Checks that all elements fit into the width. */
async function uncut(view, where) {
  const out = await view.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const scrolls = (it) => { for (; it; it = it.parentElement) if (/auto|scroll/.test(getComputedStyle(it).overflowX)) return true; return false; };
    return [...document.querySelectorAll("main *")].filter((it) => it.getBoundingClientRect().right > wide + 1 && !scrolls(it))
      .map((it) => `${it.tagName} ${it.className} ${it.textContent?.slice(0, 40)}`).slice(0, 5);
  });
  if (out.length) throw new Error(`at ${where} this is cut: ${out.join("; ")}`);
}

/** Checks that every text has the contrast that the guidelines for accessible pages (WCAG 2, AA) require. */
async function readable(view, theme) {
  const faint = await view.evaluate(() => {
    // `rgb(255 0 0 / .5)`, or, for mixed colours, `color(srgb 1 0 0 / .5)`.
    const parse = (text) => (text.match(/[\d.]+(e-\d+)?/g) ?? []).map((it, at) => Number(it) * (text.startsWith("color") && at < 3 ? 255 : 1));
    const light = ([r, g, b]) => [r, g, b].map((it) => it / 255).map((it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)
      .reduce((sum, it, at) => sum + it * [0.2126, 0.7152, 0.0722][at], 0);
    const over = (top, below) => { const a = top[3] ?? 1; return [0, 1, 2].map((at) => top[at] * a + below[at] * (1 - a)); };
    const behind = (it) => {
      const layers = [];
      for (; it; it = it.parentElement) { const style = getComputedStyle(it); if (/^(rgb|color)/.test(style.backgroundColor)) layers.push(parse(style.backgroundColor)); }
      const page = getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim();
      const hex = /^#([0-9a-f]{6})/i.exec(page)?.[1] ?? "ffffff";
      return layers.reverse().reduce((below, top) => over(top, below), [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
    };
    const own = (it) => [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    return [...document.querySelectorAll("main *")].filter((it) => own(it) && !it.matches(":disabled, :disabled *") && it.checkVisibility()).map((it) => {
      const back = behind(it);
      const text = over(parse(getComputedStyle(it).color), back);
      const [more, less] = [light(text), light(back)].sort((a, b) => b - a);
      return { ratio: (more + 0.05) / (less + 0.05), says: `${it.className}: ${it.textContent.slice(0, 30)}` };
    }).filter((it) => it.ratio < 4.5).map((it) => `${it.ratio.toFixed(1)} ${it.says}`).slice(0, 6);
  });
  if (faint.length) throw new Error(`hard to read in ${theme}: ${faint.join("; ")}`);
}

/** A match from white's seat, with a click on the board, given up and revealed. */
async function playing(view) {
  await view.getByRole("tab", { name: "Play", exact: true }).click();
  await view.locator("[data-key=strategy-black]").selectOption("random");
  await view.locator("[data-key=clock]").fill("0.2");
  await view.getByRole("button", { name: "Begin the match" }).click();
  await view.getByText("It is your turn.").waitFor();
  await view.locator("button.cell.open").nth(4).click();
  await view.getByText("In round 1 you did (mark 2 2)").waitFor();
  if (await view.getByText("What was true").count()) throw new Error("the true state is shown during the match");
  await shot("play");
  ok("a move by a click on the board of one's seat");
  await view.getByRole("button", { name: "Give up" }).click();
  await view.getByText("What was true").waitFor();
  await view.getByText("What white could know").waitFor();
  await shot("play-opened");
  ok("the true state is shown beside the beliefs");
  await view.getByRole("button", { name: "Play another match" }).click();
  await view.getByRole("button", { name: "Begin the match" }).waitFor();
}

/** A game whose proofs take long: their progress is shown, and they are stopped. */
async function large() {
  await command("View: Close All Editors");
  await open("battleship-3-6.pog");
  await page.locator(".codelens-decoration").getByText("Step").first().waitFor();
  const view = await panel();
  await view.locator("table.board").first().waitFor();
  await view.getByRole("tab", { name: "Every match" }).click();
  await view.locator(".busy .progress").waitFor();
  await shot("waiting");
  const says = await view.locator(".busy").innerText();
  await view.getByRole("button", { name: "Stop" }).click();
  await view.locator(".busy").waitFor({ state: "detached", timeout: 3000 });
  ok(`long work shows its progress, and stops: ${says.replaceAll(/\s+/g, " ")}`);
  // Afterwards another request works.
  await view.getByRole("tab", { name: "Knowledge" }).click();
  await view.getByText(/What .* believes/).first().waitFor();
  ok("and another request works afterwards");
}

async function coverage() {
  await open("blind-tic-tac-toe.kif");
  await page.locator(".codelens-decoration").getByText("Step").first().waitFor();
  await command("Percept: Show or Hide Coverage by Random Matches");
  await page.getByText(/random matches: /).first().waitFor();
  await shot("coverage");
  ok("counts beside the code");
  await command("Percept: Show or Hide Coverage by Random Matches");
  await command("View: Close All Editors");
}
