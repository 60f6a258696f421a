// A session with a fake host: answers that arrive late do not replace newer ones.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const { outputFiles: [made] } = await build({
  entryPoints: [path.join(root, "src/session.ts")], bundle: true, write: false, format: "esm", platform: "node",
});
const { Session } = await import(`data:text/javascript,${encodeURIComponent(made.text)}`);

const view = { round: 1, rounds: 1, terminal: false, roles: [], history: [{ moves: ["a"] }] };

/** A session; `waiting` has the requests for reasons, in the order in which they were made. */
function begun() {
  const waiting = [];
  const shown = [];
  const host = {
    game: () => ({}),
    ask: (command, argument) => command === "percept.why"
      ? new Promise((answer) => waiting.push({ atom: argument.atom, answer: () => answer({ atom: argument.atom, why: {} }) }))
      : Promise.resolve({ view }),
    post: (model) => shown.push(model.why?.atom),
    show() {}, insert() {}, save() {},
  };
  return { session: new Session(host, "game", "state"), waiting, shown };
}
const settled = () => new Promise((then) => setTimeout(then, 5));

test("the answer to an earlier question does not replace that to the last", async () => {
  const { session, waiting, shown } = begun();
  session.wish({ kind: "why", question: { atom: "first" } });
  session.wish({ kind: "why", question: { atom: "last" } });
  waiting[1].answer();
  await settled();
  waiting[0].answer();
  await settled();
  assert.equal(shown.at(-1), "last");
});

test("after a change of the rules, the last question is asked again", async () => {
  const { session, waiting, shown } = begun();
  session.wish({ kind: "why", question: { atom: "first" } });
  waiting[0].answer();
  await settled();
  session.wish({ kind: "why", question: { atom: "last" } });
  const refreshed = session.refresh();
  await settled();
  assert.deepEqual(waiting.map((it) => it.atom), ["first", "last", "last"]);
  waiting[2].answer();
  waiting[1].answer();
  await refreshed;
  await settled();
  assert.equal(shown.at(-1), "last");
});

test("an answer about a place that was left is not shown", async () => {
  const { session, waiting, shown } = begun();
  session.wish({ kind: "why", question: { atom: "first" } });
  session.wish({ kind: "jump", at: 0 });
  waiting[0].answer();
  await settled();
  assert.equal(shown.at(-1), undefined);
});
