// The panel on ten games, in every theme and in narrow and wide windows. Prints a line per step; the first failure ends with an error code.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Stage } from "./stage.mjs";

const { CACHE, PERCEPT, WORK, BROWSER, SCREENS } = process.env;
const require = createRequire(path.join(CACHE, "x.js"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const GAMES = path.join(import.meta.dirname, "../../../games");
const ok = (name) => console.log(`ok ${name}`);
const none = (model) => ({ kind: "play", moves: model.step.view.roles.map(() => null) });
/** The rooms of the panel: beside an editor in a window of 1440x900 and of 1000x700, alone, and on a small screen. */
const SIZES = { wide: [1100, 800], beside: [548, 830], small: [480, 560] };
const SHOWN = [
  ["blind-tic-tac-toe", "blind-tic-tac-toe.kif", 3], ["battleship", "battleship-3-6.pog", 3], ["kuhn-poker", "kuhn-poker.kif", 2], ["liars-dice", "liars-dice.kif", 3],
  ["racko", "racko-2-7.pog", 3], ["stratego", "stratego.kif", 4], ["goofspiel", "goofspiel-4.kif", 2], ["wumpus", "wumpus.kif", 4], ["leduc-poker", "leduc-poker.kif", 3],
  ["yahtzee", "yahtzee.kif", 3],
];

const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-gpu"] });
const stage = await Stage.make(PERCEPT, WORK, browser);
let failed = false;
try {
  const shots = [];
  const keep = async (shown, name) => {
    shots.push([name, (await shown.page.screenshot()).toString("base64")]);
  };
  for (const [folder, file, rounds] of SHOWN) {
    const game = path.join(GAMES, folder, file);
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      const theme = size === "beside" ? "light" : size === "small" ? "contrast" : "dark";
      const shown = await stage.show(game, { theme, width, height, wishes: Array.from({ length: rounds }, () => none) });
      const role = shown.model().step.view.roles.find((it) => !it.chance).name;
      await inSight(shown.page, `${file} ${size}`);
      await keep(shown, `${file} ${size} ${theme}`);
      if (size !== "small") {
        shown.session.wish({ kind: "tab", tab: "knowledge" });
        await shown.quiet();
        await keep(shown, `${file} knowledge`);
        if (size === "wide") {
          await accessible(shown.page, `${file} knowledge`);
          shown.session.wish({ kind: "eye", role });
          await shown.quiet();
          await inSight(shown.page, `${file} seen by ${role}`);
          await keep(shown, `${file} seen by ${role}`);
        }
      }
      await accessible(shown.page, `${file} ${size} ${theme}`);
      await shown.page.close();
    }
    await report(game, file, shots);
    terminal(game, file, shots);
    ok(`${file}: state and moves in sight together, nothing that axe finds`);
  }
  const coin = path.join(GAMES, "hidden-matching-pennies/hidden-matching-pennies.kif");
  for (const [theme, tab] of [["dark", "verdict"], ["light", "proof"], ["contrast-light", "play"]]) {
    const shown = await stage.show(coin, { theme, wishes: [none, none, { kind: "tab", tab }] });
    await shown.page.waitForTimeout(300);
    await accessible(shown.page, `${tab} ${theme}`);
    await keep(shown, `pennies ${tab} ${theme}`);
    await shown.page.close();
  }
  ok("verdict, every match and play have nothing that axe finds");
  await sheet(shots);
  ok(`a contact sheet of ${shots.length} screenshots`);
} catch (error) {
  failed = true;
  console.error(`FAILED: ${error.stack}`);
} finally {
  stage.server.stop();
  await browser.close().catch(() => {});
}
process.exit(failed ? 1 : 0);

/** The HTML report on a random match. */
async function report(game, name, shots) {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  const html = run(["observe", game, "--seed", "3", "--time", "40s", "--format", "html"]);
  if (!html) return console.log(`left out: the report on ${name}, the time ran out`);
  await page.setContent(html);
  await accessible(page, `the report on ${name}`);
  shots.push([`${name} report`, (await page.screenshot()).toString("base64")]);
  await page.close();
}

/** A random match on a terminal of 60 and of 110 columns, as text. */
function terminal(game, name, shots) {
  const trace = path.join(WORK, "match.trace");
  run(["play", game, "-n", "1", "--seed", "3", "--time", "1s", "--save-trace", trace]);
  for (const columns of [60, 110]) {
    const line = `stty cols ${columns} rows 40; '${PERCEPT}' step '${game}' '${trace}' --print`;
    const out = spawnSync("script", ["-qec", line, "/dev/null"], { encoding: "utf8", maxBuffer: 1 << 26 });
    if (!out.error) shots.push([`${name} terminal ${columns}`, out.stdout.replaceAll("\r", "").split("\n").slice(0, 45).join("\n")]);
  }
}

function run(args) { return spawnSync(PERCEPT, args, { encoding: "utf8", maxBuffer: 1 << 26 }).stdout; }

/** Checks that boards and facts, and the button that plays, are in the window together. */
async function inSight(page, where) {
  const out = await page.evaluate(() => {
    const within = (it) => { const box = it.getBoundingClientRect(); return box.top >= 0 && box.bottom <= window.innerHeight + 1 && box.right <= window.innerWidth + 1 && box.width > 0; };
    const state = document.querySelector(".scrolls .picture, .scrolls .picture-boards, .scrolls");
    const faults = [];
    if (!state || state.getBoundingClientRect().top > window.innerHeight - 80) faults.push("the state");
    for (const it of document.querySelectorAll(".moves-bar .actions button")) if (!within(it)) faults.push(`the button ${it.textContent}`);
    if (document.documentElement.scrollWidth > window.innerWidth + 1) faults.push("the right edge");
    return faults;
  });
  if (out.length) throw new Error(`${where}: out of sight: ${out.join(", ")}`);
}

async function accessible(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], rules: { region: { enabled: false } } }));
  const says = found.violations.map((it) => `${it.id}: ${it.nodes.slice(0, 2).map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`).join("; ")}`);
  if (says.length) throw new Error(`${where}: ${says.join("\n")}`);
}

/** All screenshots on one page. */
async function sheet(shots) {
  const page = await browser.newPage({ viewport: { width: 3000, height: 1000 } });
  await page.setContent(`<style>body { margin: 8px; font: 12px sans-serif; display: grid; grid-template-columns: repeat(9, minmax(0, 1fr)); gap: 8px; align-items: start; } img { width: 100%; border: 1px solid #999; }</style>
    ${shots.map(([name, it]) => `<figure style="margin:0">${name}${name.includes("terminal") ? `<pre style="font:9px monospace;background:#111;color:#ddd;margin:0;overflow:hidden">${it.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`
      : `<img src="data:image/png;base64,${it}">`}</figure>`).join("")}`);
  await page.screenshot({ path: path.join(SCREENS, "panel.png"), fullPage: true });
  await page.close();
}
