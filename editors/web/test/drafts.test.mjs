// Drafts: the text of a link or an example never replaces the reader's own text.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { Drafts } = await load("src/drafts.ts");

function storage(entries = {}, room = Infinity) {
  const kept = new Map(Object.entries(entries));
  return {
    get length() { return kept.size; },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      if (value.length > room) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
  };
}
const game = (text, name = "a.kif") => [{ name, text }];
const shown = (drafts) => drafts.all().map((it) => `${it.name}: ${it.texts[0].text}`).sort();

test("a text of a link becomes a draft of its own when it is changed", () => {
  const drafts = new Drafts(storage());
  drafts.bring(game("example"));
  assert.ok(drafts.keep(game("example")));
  assert.deepEqual(shown(drafts), []);
  drafts.keep(game("mine"));
  drafts.keep(game("mine, longer"));
  assert.deepEqual(shown(drafts), ["a.kif: mine, longer"]);
  drafts.bring(game("a stranger's"));
  drafts.keep(game("a stranger's"));
  assert.deepEqual(shown(drafts), ["a.kif: mine, longer"]);
  drafts.keep(game("a stranger's, changed"));
  assert.deepEqual(shown(drafts), ["a.kif (2): a stranger's, changed", "a.kif: mine, longer"]);
});

test("a draft can be resumed, and texts of links leave it alone", () => {
  const kept = storage();
  const drafts = new Drafts(kept);
  drafts.keep(game("mine"));
  const [own] = drafts.all();
  drafts.bring(game("other"));
  drafts.resume(own);
  drafts.keep(game("mine again"));
  assert.deepEqual(shown(new Drafts(kept)), ["a.kif: mine again"]);
});

test("two tabs do not overwrite one another", () => {
  const kept = storage();
  const one = new Drafts(kept);
  one.keep(game("mine"));
  const other = new Drafts(kept);
  other.resume(other.all()[0]);
  one.keep(game("of one tab"));
  other.keep(game("of the other"));
  assert.deepEqual(shown(other), ["a.kif (2): of the other", "a.kif: of one tab"]);
});

test("the game saved by older versions is a draft", () => {
  const kept = storage({ "percept-game": JSON.stringify(game("old")) });
  assert.deepEqual(shown(new Drafts(kept)), ["a.kif: old"]);
  assert.deepEqual(shown(new Drafts(kept)), ["a.kif: old"]);
});

test("a failed save is reported, and unreadable data is not a draft", () => {
  const drafts = new Drafts(storage({ "percept-draft-x": "{", "percept-draft-y": "{\"name\":1}", "percept-game": "[]" }, 200));
  assert.deepEqual(shown(drafts), []);
  assert.equal(drafts.keep(game("x".repeat(300))), false);
  assert.equal(drafts.keep(game("short")), true);
});
