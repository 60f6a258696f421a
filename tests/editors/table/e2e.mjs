// Plays at tables as people do, in headless Chromium: two seats and a watcher, one of them on a phone in the dark. Prints a line per
// step; the first failure ends with an error code.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

const { CACHE, BROWSER, SCREENS, PERCEPT } = process.env;
const { chromium } = createRequire(path.join(CACHE, "x.js"))("playwright-core");
const axe = fs.readFileSync(path.join(CACHE, "node_modules/axe-core/axe.min.js"), "utf8");
const root = path.join(import.meta.dirname, "../../..");
const ok = (name) => console.log(`ok ${name}`);
const must = (holds, what) => { if (!holds) throw new Error(what); };
const OUT = path.join(SCREENS, "ships.jsonl");
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, colorScheme: "dark" };
const DESKTOP = { viewport: { width: 1200, height: 800 }, colorScheme: "light" };

const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const tables = [];
const errors = [];
let failed = false;
try {
  await blind();
  await cards();
  await ships();
  await three();
  await lobby();
  await beside();
  await report();
  must(!errors.length, `pages report errors: ${errors.join("; ")}`);
  ok("no page reported an error or requested another site");
} catch (error) {
  failed = true;
  console.error(`FAILED: ${error.stack}`);
  for (const [at, page] of browser.contexts().flatMap((it) => it.pages()).entries())
    await page.screenshot({ path: path.join(SCREENS, `table-failed-${at}.png`) }).catch(() => {});
} finally {
  await browser.close().catch(() => {});
  tables.forEach((it) => it.kill());
}
process.exit(failed ? 1 : 0);

/** A table: the links by role. */
async function table(...args) {
  const child = spawn(PERCEPT, ["table", ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  tables.push(child);
  const links = {};
  for await (const line of readline.createInterface({ input: child.stdout })) {
    if (line.startsWith("Give ")) break;
    const [, role, link] = /^ {2}(\S+) +(\S+)$/.exec(line) ?? [];
    if (role) links[role] = link;
  }
  return links;
}

/** A page in a browser of its own. */
async function seat(link, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  page.on("request", (request) => { if (!request.url().startsWith(new URL(link).origin)) errors.push(`requested ${request.url()}`); });
  await page.goto(link);
  return page;
}

async function says(page, what) { await page.locator("#say", { hasText: what }).waitFor(); }
async function shot(page, name) { await page.screenshot({ path: path.join(SCREENS, `table-${name}.png`), fullPage: true }); }

async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  must(!violations.length, `${what}: ${violations.map((it) => `${it.id} (${it.nodes[0].html})`).join("; ")}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  must(wide <= 0, `${what} is ${wide} pixels too wide`);
}

/** Makes first moves at all seats until the match is over, or some times. */
async function playOut(pages, rounds = 400) {
  for (let round = 0; round < rounds; round++) {
    for (const page of pages) {
      if (await page.locator(".result").count()) return;
      const moves = page.locator(".moves .move");
      if (await moves.count()) await moves.nth((7 * round) % await moves.count()).click({ timeout: 2000 }).catch(() => {});
    }
    await pages[0].waitForTimeout(20);
  }
  if (rounds === 400) throw new Error("the match does not end");
}

async function blind() {
  const links = await table("games/blind-tic-tac-toe/blind-tic-tac-toe.kif");
  const [white, black, watcher] = [await seat(links.white, DESKTOP), await seat(links.black, PHONE), await seat(links.watchers, DESKTOP)];
  await says(white, "It is your turn.");
  await accessible(white, "a seat on a desktop");
  await accessible(black, "a seat on a phone");
  await white.locator('[data-key="cell-0:2 2"]').click();
  await says(white, "You chose mark 2 2. Waiting for");
  await shot(white, "waiting");
  // By keyboard: over the board with the arrow keys, and Enter.
  await black.locator('[data-key^="cell-0:"][tabindex="0"]').focus();
  await black.keyboard.press("ArrowRight");
  await black.keyboard.press("Enter");
  await says(white, "Round 1: you did mark 2 2 and saw ok. It is your turn.");
  const before = await white.locator("main").innerText();
  await white.reload();
  await says(white, "Round 1: you did mark 2 2 and saw ok. It is your turn.");
  must(await white.locator("main").innerText() === before, "another knowledge after a reload");
  await white.getByLabel("Show what is likely, too").check();
  await white.locator(".scale").waitFor();
  await shot(white, "beliefs");
  await shot(black, "phone");
  await says(watcher, "1 round played.");
  ok("a click, a key and a reload at a table of Blind Tic-Tac-Toe");
  await playOut([white, black]);
  for (const page of [white, black, watcher]) await says(page, "The match is over.");
  await accessible(white, "an opened match on a desktop");
  await accessible(black, "an opened match on a phone");
  await white.locator('[data-key="round"]').fill("1");
  await white.getByText("What was true after round 1").waitFor();
  await shot(white, "opened");
  await shot(black, "opened-phone");
  const [saved] = await Promise.all([white.waitForEvent("download"), white.getByText("Save the match").click()]);
  must(fs.readFileSync(await saved.path(), "utf8").includes("(mark 2 2)"), "the saved match is another one");
  await white.getByText("Play again, seats exchanged").click();
  await black.getByText("1 of 2 want another match.").waitFor();
  await black.getByText("Play again, seats exchanged").click();
  await white.locator("#who b", { hasText: "black" }).waitFor();
  await says(black, "It is your turn.");
  ok("the end of a match, and another one with the seats exchanged");
  const stranger = await seat(links.white.replace(/#.*/, `#${"0".repeat(32)}`), PHONE);
  await says(stranger, "This link does not belong to a seat of this table.");
  ok("a wrong link is refused in words");
}

async function cards() {
  const links = await table("games/kuhn-poker/kuhn-poker.kif");
  const [one, two] = [await seat(links.p1, DESKTOP), await seat(links.p2, PHONE)];
  await says(two, "Waiting for p1");
  await shot(one, "cards");
  await one.getByRole("button", { name: "bet" }).click();
  await two.getByRole("button", { name: "pass" }).click();
  await says(one, "The match is over.");
  ok("a match of Kuhn poker");
}

async function ships() {
  fs.rmSync(OUT, { force: true });
  fs.rmSync(`${OUT}.table`, { force: true });
  const links = await table("games/battleship/battleship-2-4.pog", "--seed", "5", "--out", OUT);
  const roles = Object.keys(links).filter((role) => role !== "watchers");
  const pages = [await seat(links[roles[0]], DESKTOP), await seat(links[roles[1]], PHONE)];
  await says(pages[0], "your turn");
  await says(pages[1], "Waiting for p1");
  await accessible(pages[1], "Battleship on a phone");
  await shot(pages[1], "ships");
  await playOut(pages, 8);
  // Both are asked nothing new any more.
  await Promise.race(pages.map((page) => says(page, "It is your turn.")));
  await pages[1].waitForTimeout(1000);
  const before = await pages[1].locator("main").innerText();
  await pages[1].reload();
  await pages[1].locator("#main section").first().waitFor();
  const after = await pages[1].locator("main").innerText();
  must(after === before, `another knowledge after a reload in Battleship:\n${before}\n---\n${after}`);
  await playOut(pages);
  for (const page of pages) await says(page, "The match is over.");
  await shot(pages[0], "ships-opened");
  await shot(pages[1], "ships-opened-phone");
  ok("two people play Battleship to its end, with a reload");
}

/** The author's report about the match of Battleship. */
async function report() {
  const page = path.join(SCREENS, "report.html");
  execFileSync(PERCEPT, ["debrief", OUT, "--html", page, "--time", "20s"], { cwd: root });
  for (const [name, options] of [["report", DESKTOP], ["report-phone", PHONE]]) {
    const view = await (await browser.newContext({ ...options, bypassCSP: true })).newPage();
    await view.goto(`file://${page}`);
    await view.getByText("Surprise by round, in bits").waitFor();
    await accessible(view, name);
    await shot(view, name);
  }
  ok("the author's report");
}

async function lobby() {
  const { lobby } = await table("games");
  const [ann, bob] = [await seat(lobby, DESKTOP), await seat(lobby, PHONE)];
  // By keyboard alone: a name, a game, a new table, a seat.
  await ann.getByLabel("Your name").focus();
  await ann.keyboard.type("ann");
  await ann.keyboard.press("Tab");
  await ann.getByLabel("Game", { exact: true }).selectOption("blind-tic-tac-toe.kif");
  await ann.keyboard.press("Tab");
  await ann.keyboard.press("Enter");
  await bob.getByRole("heading", { name: "Table 1: blind-tic-tac-toe.kif" }).waitFor();
  await accessible(ann, "a lobby on a desktop");
  await accessible(bob, "a lobby on a phone");
  await shot(ann, "lobby");
  await bob.getByRole("button", { name: "Sit down as black" }).click();
  await says(bob, "Write your name first.");
  await ann.getByRole("button", { name: "Sit down as white" }).focus();
  await ann.keyboard.press("Enter");
  await says(ann, "You play white. The match begins when all seats are taken. Free: black.");
  await accessible(ann, "a seat before the match");
  await shot(ann, "gathering");
  await bob.getByLabel("Your name").fill("bob");
  await shot(bob, "lobby-phone");
  await bob.getByRole("button", { name: "Sit down as black" }).click();
  await says(ann, "It is your turn.");
  must((await ann.locator("#who").innerText()).includes("black (bob)"), "the name of the other player is not shown");
  await ann.locator('[data-key="cell-0:2 2"]').click();
  await says(ann, "Waiting for bob");
  const late = await seat(lobby, DESKTOP);
  await late.getByText("a match is played").waitFor();
  await late.getByRole("button", { name: "Watch table 1" }).click();
  await late.getByText("You watch white (ann), black (bob).").waitFor();
  ok("two people meet in a lobby, and a third one watches");
}

async function beside() {
  const links = await table("games/blind-tic-tac-toe/blind-tic-tac-toe.kif", "--clock", "6s", "--playclock", "0.3s", "--seat", "white=human:ann");
  const [white, black] = [await seat(links.white, PHONE), await seat(links.black, DESKTOP)];
  await white.locator("#clock", { hasText: /^0:0\d left$/ }).waitFor();
  await white.getByRole("button", { name: "I don't understand" }).click();
  await white.getByLabel("What is not clear?").fill("Do I see black's marks?");
  await accessible(white, "a note on a phone");
  await shot(white, "note");
  await white.getByRole("button", { name: "Send" }).click();
  await white.getByText("Thank you: the author will read it.").waitFor();
  await black.locator('[data-key="cell-0:1 1"]').click();
  await says(white, "It is your turn. Your time for the last move was over, so a random one was made.");
  await shot(white, "late");
  await white.getByRole("button", { name: "Give up" }).click();
  await accessible(white, "giving up on a phone");
  await shot(white, "giving-up");
  await white.getByRole("button", { name: "Give up this match" }).click();
  await says(white, "You gave up: a program plays on for you.");
  await black.locator("#who", { hasText: "white (auto for ann)" }).waitFor();
  await playOut([black]);
  ok("a clock, a note, and a program that plays on for a person who gave up");
}

async function three() {
  const file = path.join(SCREENS, "three.kif");
  fs.writeFileSync(file, `(role ann) (role bob) (role cid)
(<= (base (said ?r ?n)) (role ?r) (number ?n)) (base over) (number 1) (number 2) (number 3)
(<= (input ?r (say ?n)) (role ?r) (number ?n)) (<= (legal ?r (say ?n)) (role ?r) (number ?n) (not (true over)))
(<= (next (said ?r ?n)) (does ?r (say ?n))) (<= (next over) (does ?r (say ?n)))
(<= (sees ann (heard ?n)) (does bob (say ?n))) (<= (sees bob (heard ?n)) (does cid (say ?n))) (<= (sees cid (heard ?n)) (does ann (say ?n)))
(<= terminal (true over)) (<= (goal ?r 100) (true (said ?r 3))) (<= (goal ?r 0) (role ?r) (not (true (said ?r 3))))`);
  const links = await table(file);
  const pages = [await seat(links.ann, DESKTOP), await seat(links.bob, PHONE), await seat(links.cid, DESKTOP)];
  for (const [at, page] of pages.entries()) await page.getByRole("button", { name: `say ${at + 1}` }).click();
  await pages[2].getByText("Goals: ann 0, bob 0, cid (you) 100.").waitFor();
  fs.rmSync(file);
  ok("a match of three people");
}
