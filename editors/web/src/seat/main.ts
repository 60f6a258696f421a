// The page of a seat at a table (percept table): what one role knows, and nothing else. After the end, the whole match.

import { Line } from "./line";
import { foot, noted } from "./foot";
import { called, lobbyView } from "./lobby";
import type { Message, Wish } from "./messages";
import { openedView } from "./opened";
import { gatheringView, seatView, status, type State } from "./seat";
import { learn } from "./words";
import { h } from "../../../vscode/src/panel/dom";

const state: State = { chosen: [], beliefs: false, mine: null, late: false, refused: "", lost: false, round: 0 };
const byId = (id: string) => document.getElementById(id)!;
let waiting = false;
/** The time at which the person is late, in milliseconds. */
let until: number | null = null;

function take(message: Message): void {
  state.lost = false;
  if (message.kind !== "refused") state.refused = "";
  switch (message.kind) {
    case "begin": Object.assign(state, { begin: message, seated: undefined, opened: undefined, truth: undefined, again: undefined, mine: null, rounds: undefined, chosen: [], late: false, gathering: undefined }); until = null; break;
    case "gathering": state.gathering = message; break;
    case "lobby": state.lobby = message; break;
    case "yours": location.hash = message.token; break;
    case "left": if (state.begin) state.begin.players = message.players; break;
    case "seat":
      // The same place again, with or without beliefs, leaves what was picked.
      if (state.seated?.seat?.round !== message.seat?.round || state.seated?.turn !== message.turn) {
        Object.assign(state, { mine: null, chosen: [] });
        until = message.turn === "you" && state.begin?.clock ? Date.now() + 1000 * state.begin.clock : null;
      }
      state.seated = message;
      break;
    case "clock": until = Date.now() + 1000 * message.left; break;
    case "late": state.late = true; until = null; break;
    case "noted": noted(); break;
    case "chosen":
      Object.assign(state, { mine: message.move, late: false });
      until = null;
      break;
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
  const { begin, lobby, gathering } = state;
  if (lobby) byId("title").textContent = document.title = "Lobby";
  else if (gathering && !begin) byId("title").textContent = document.title = gathering.game;
  const { seated, opened, truth } = state;
  learn([truth?.says, opened?.says, seated?.says, seated?.seat?.says]);
  if (begin) {
    byId("title").textContent = begin.game;
    document.title = `${begin.role ?? "watching"}: ${begin.game}`;
    const others = begin.players.filter((player) => player.role !== begin.role).map((player) => player.name || player.program ? `${player.role} (${called(player)})` : player.role);
    byId("who").replaceChildren(...begin.role === null ? [`You watch ${others.join(", ")}.`]
      : ["You play ", h("b", {}, begin.role), others.length ? ` with ${others.join(", ")}.` : "."]);
  }
  const [says, looks] = status(state);
  const say = byId("say");
  // A screen reader reads the line again only if it has changed.
  if (say.textContent !== says) say.textContent = says;
  say.className = looks;
  byId("main").replaceChildren(...lobby ? lobbyView(lobby, send, (why) => { state.refused = why; render(); }) : state.opened ? openedView(state, send, render)
    : gathering && !begin ? gatheringView(gathering) : seatView(state, send, render));
  foot(byId("foot"), state, send);
  tick();
  if (focused) document.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** The time left, which a screen reader reads only on request. */
function tick(): void {
  const left = until === null ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const clock = byId("clock");
  const text = left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
  if (clock.textContent !== text) clock.textContent = text;
  clock.hidden = left === null;
}
setInterval(tick, 250);

const token = location.hash.slice(1);
const line = new Line(token, (message) => {
  take(message);
  if (message.kind === "refused" && !state.begin && !state.lobby && !state.gathering) line.end();
}, () => { state.lost = true; render(); }, () => state.beliefs ? [{ wish: "beliefs", on: true }] : []);
const send = (wish: Wish) => line.send(wish);
// Another link in the same window is another seat.
addEventListener("hashchange", () => location.reload());
