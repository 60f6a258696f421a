// The page of a seat: the files in the program are those of its sources.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { bundle, out } from "../seatBundle.mjs";
import { load } from "./load.mjs";

test("the program has the page of these sources", async () => {
  for (const [name, text] of Object.entries(await bundle()))
    assert.equal(fs.readFileSync(path.join(out, name), "utf8"), text, `${name} is old: run "npm run seat" in editors/web`);
});

test("percepts have words by role", async () => {
  const { learn, seenBy, words } = await load("src/seat/words.ts");
  learn([{ "(taken 1)": "take 1", "(sees white (taken 1))": "field 1 is taken" }]);
  assert.deepEqual(["white", "black"].map((role) => words(seenBy(role)("(taken 1)"))), ["field 1 is taken", "take 1"]);
  assert.equal(words(seenBy("white")("(free 2)")), "free 2");
});

test("moves read like words", async () => {
  const { beginning, learn, words } = await load("src/seat/words.ts");
  assert.equal(words("(mark 2 3)"), "mark 2 3");
  assert.equal(words("(did xplayer (mark 1 1))"), "did xplayer mark 1 1");
  assert.equal(words("(= (unhit p1 patrol) 2)"), "unhit p1 patrol = 2");
  assert.equal(words("noop"), "noop");
  const shots = Array.from({ length: 11 }, (_, at) => `(shoot (sea b) c${at})`);
  assert.equal(beginning(shots), "shoot sea b");
  assert.equal(beginning([...shots, "pass"]), "");
  // The words of the rules' comments go before; a term may have any name.
  learn([undefined, { "(mark 2 3)": "mark row 2, column 3", "(hits ann)": "hits on ann" }]);
  assert.equal(words("(mark 2 3)"), "mark row 2, column 3");
  assert.equal(words("(= (hits ann) 3)"), "hits on ann = 3");
  assert.deepEqual([words("(mark 3 3)"), words("constructor")], ["mark 3 3", "constructor"]);
  const marks = Array.from({ length: 11 }, (_, at) => `(mark 1 ${at})`);
  learn([Object.fromEntries(marks.map((it, at) => [it, `mark row 1, column ${at}`]))]);
  assert.equal(beginning(marks), "mark row 1, column");
});
