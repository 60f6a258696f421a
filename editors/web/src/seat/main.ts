// The page of a seat at a table (percept table): what one role knows, and nothing else. After the end, the whole match.

import { Line } from "./line";
import type { Message, Wish } from "./messages";
import { openedView } from "./opened";
import { seatView, status, type State } from "./seat";
import { h } from "../../../vscode/src/panel/dom";

const state: State = { chosen: [], beliefs: false, mine: null, refused: "", lost: false, round: 0 };
const byId = (id: string) => document.getElementById(id)!;
let waiting = false;

function take(message: Message): void {
  state.lost = false;
  if (message.kind !== "refused") state.refused = "";
  switch (message.kind) {
    case "begin": Object.assign(state, { begin: message, seated: undefined, opened: undefined, truth: undefined, again: undefined, mine: null, rounds: undefined, chosen: [] }); break;
    case "seat":
      // The same place again, with or without beliefs, leaves what was picked.
      if (state.seated?.seat?.round !== message.seat?.round || state.seated?.turn !== message.turn) Object.assign(state, { mine: null, chosen: [] });
      state.seated = message;
      break;
    case "chosen": state.mine = message.move; break;
    case "watched": state.rounds = message.rounds; break;
    case "opened":
      state.opened = message;
      state.round = message.rounds.length;
      send({ wish: "look", round: state.round });
      break;
    case "truth": state.truth = message; break;
    case "again": state.again = message; break;
    case "refused": state.refused = message.why; break;
  }
  // Messages that come together are shown together.
  if (!waiting) setTimeout(() => { waiting = false; render(); });
  waiting = true;
}

function render(): void {
  const focused = document.activeElement?.getAttribute("data-key");
  const { begin } = state;
  if (begin) {
    byId("title").textContent = begin.game;
    document.title = `${begin.role ?? "watching"}: ${begin.game}`;
    const others = begin.players.filter(([role]) => role !== begin.role).map(([role, by]) => by === "human" ? role : `${role} (${by})`);
    byId("who").replaceChildren(...begin.role === null ? [`You watch ${others.join(", ")}.`]
      : ["You play ", h("b", {}, begin.role), others.length ? ` with ${others.join(", ")}.` : "."]);
  }
  const [says, looks] = status(state);
  const say = byId("say");
  // A screen reader reads the line again only if it has changed.
  if (say.textContent !== says) say.textContent = says;
  say.className = looks;
  byId("main").replaceChildren(...state.opened ? openedView(state, send, render) : seatView(state, send, render));
  if (focused) document.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

const token = location.hash.slice(1);
const line = new Line(token, (message) => {
  take(message);
  if (message.kind === "refused" && !state.begin) line.end();
}, () => { state.lost = true; render(); }, () => state.beliefs ? [{ wish: "beliefs", on: true }] : []);
const send = (wish: Wish) => line.send(wish);
// Another link in the same window is another seat.
addEventListener("hashchange", () => location.reload());
