// Playing: a seat against other players. Only the role's knowledge is shown; after the end the whole match is revealed.

import type { Cell, Model, SittingRecord, Wish } from "../protocol";
import { boards } from "./board";
import { h, prose } from "./dom";
import { fitting, knowledge, seatView } from "./seat";

type Send = (wish: Wish) => void;

const STRATEGIES = ["auto", "ismcts", "choosemove", "sampling", "uct", "grave", "cfr", "mac-ucb-ii", "equilibrium", "table", "random", "legal"];

let role = "";
let playclock = 1;
const players = new Map<string, string>();
let chosen: string[] = [];
let place = "";

export function playTab(model: Model, names: string[], send: Send, render: () => void): HTMLElement[] {
  const sitting = model.sitting;
  if (!sitting?.match) return [setup(model, names, send, render)];
  const head = h("p", { class: "picker" }, h("span", { class: "label" }, "You are "), h("b", {}, sitting.role ?? ""),
    h("span", { class: "quiet" }, Object.entries(sitting.players ?? {}).filter(([name]) => name !== sitting.role)
      .map(([name, strategy]) => `${name}: ${strategy}`).join(", ")),
    sitting.record ? null : h("button", { "data-key": "give-up", click: () => send({ kind: "giveUp" }) }, "Give up"),
    h("button", { "data-key": "leave", click: () => send({ kind: "leave" }) }, sitting.record ? "Another match" : "Leave"));
  const parts: HTMLElement[] = [head];
  if (sitting.allSeen) parts.push(h("p", { class: "quiet" }, "This game has no rule for `sees`: it is played as plain GDL, and all roles see every move."));
  if (sitting.changed) parts.push(h("p", { class: "problem" }, "The game's text has changed. This match continues with its original rules."));
  if (sitting.record) return [...parts, ...opened(model, sitting.record, send)];
  const seat = sitting.seat;
  if (!seat) return [...parts, h("p", { class: "quiet", role: "status" }, "Waiting for the others …")];
  const here = `${sitting.match}/${seat.round}`;
  if (here !== place) chosen = [];
  place = here;
  const moves = sitting.moves ?? [];
  const mine = sitting.turn === "you" && !model.busy;
  const last = seat.history.at(-1);
  parts.push(h("p", { class: mine ? "status over" : "status", role: "status", "aria-live": "polite" },
    last ? `In round ${last.round} you did ${last.move ?? "an unknown move"} and perceived ${last.percepts.join(" ") || "nothing"}. ` : "",
    mine ? "It is your turn." : "The other players are thinking …"));
  const click = (cell: Cell) => {
    const next = [...chosen, cell.place];
    chosen = fitting(seat, next, moves).length ? next : fitting(seat, [cell.place], moves).length ? [cell.place] : [];
    const found = chosen.length ? fitting(seat, chosen, moves) : [];
    if (found.length !== 1) return render();
    chosen = [];
    send({ kind: "sitMove", move: found[0] });
  };
  parts.push(...seatView(seat, { chosen, moves, click: mine ? click : undefined,
    play: mine ? (move) => send({ kind: "sitMove", move }) : undefined }));
  if (mine) parts.push(h("div", { class: "actions" }, h("button", { "data-key": "lot", click: () => send({ kind: "sitMove", move: null }) }, "Random move")));
  return parts;
}

/** The choice of the seat, and of the players at the other seats. */
function setup(model: Model, names: string[], send: Send, render: () => void): HTMLElement {
  if (!names.includes(role)) role = names[0] ?? "";
  const others = names.filter((name) => name !== role);
  const strategy = (name: string) => h("label", {}, `${name} is played by `,
    h("select", { "data-key": `strategy-${name}`, change: (event: Event) => players.set(name, (event.target as HTMLSelectElement).value) },
      STRATEGIES.map((it) => h("option", { value: it, selected: it === (players.get(name) ?? "auto") }, it))));
  return h("div", { class: "setup" },
    h("p", {}, "You see only what your role sees. After the end the whole match is revealed. ",
      "In a game without a rule for `sees` (plain GDL), all roles see every move."),
    h("div", { class: "picker", role: "group", "aria-label": "Your seat" }, h("span", { class: "label" }, "Your seat: "),
      names.map((name) => h("button", { class: "move", "data-key": `sit-${name}`, "aria-pressed": String(name === role),
        click: () => { role = name; render(); } }, name))),
    others.map((name) => h("p", {}, strategy(name))),
    others.length ? h("p", {}, h("label", {}, "They think for ", h("input", { type: "number", min: 0.1, max: 60, step: 0.1, value: playclock, "data-key": "clock",
      change: (event: Event) => { playclock = Number((event.target as HTMLInputElement).value) || 1; } }), " seconds a move")) : null,
    h("button", { class: "primary", "data-key": "sit", disabled: Boolean(model.busy), click: () =>
      send({ kind: "sit", role, players: Object.fromEntries(others.map((name) => [name, players.get(name) ?? "auto"])), playclock }) }, "Begin"));
}

const ENDED: Record<string, string> = { over: "The match is over.", stuck: "A role has no move: the match ends here.",
  "too-long": "The match was too long.", "given-up": "You gave up." };

/** The true state beside the beliefs of the role, after any round. */
function opened(model: Model, record: SittingRecord, send: Send): HTMLElement[] {
  const goals = Object.entries(record.goals).map(([name, goal]) => `${name} ${goal ?? "none"}`).join(", ");
  const rounds = record.history.length;
  const truth = model.truth;
  const view = truth?.step.view;
  const seat = truth?.believed.seat;
  const at = view?.round ?? rounds;
  const parts = [h("p", { class: "summary", role: "status" }, `${ENDED[record.ended] ?? record.ended} Goals: ${goals}.`)];
  // A player that gives up leaves its seat, which is not an error.
  for (const error of (record.errors ?? []).filter((it) => record.ended !== "given-up" || it.kind !== "died")) {
    parts.push(h("p", { class: "problem" }, prose(`Round ${error.round}, ${error.role}: ${error.kind} (${error.detail})`)));
  }
  parts.push(h("div", { class: "bar" }, h("input", { type: "range", min: 0, max: rounds, value: at, "data-key": "review", "aria-label": "Round",
    "aria-valuetext": `round ${at} of ${rounds}`, input: (event: Event) => send({ kind: "review", at: Number((event.target as HTMLInputElement).value) }) }),
    h("span", { class: "count" }, `${at} / ${rounds}`)));
  if (view && seat) {
    const drawn = new Set(view.state.boards.flatMap((board) => board.cells.flat().flatMap((cell) => cell.fluents)));
    const rest = view.state.groups.flatMap((group) => group.fluents).filter((name) => !drawn.has(name));
    parts.push(h("div", { class: "pair" },
      h("div", {}, h("h2", {}, "True state"), h("div", { class: "shown" }, boards(view.state.boards, view.state.legend)),
        rest.length ? h("div", { class: "facts" }, rest.map((name) => h("span", { class: "fact" }, name))) : null),
      // A role that saw every move has true beliefs, but the rules as written do not show this.
      model.sitting?.allSeen ? null : h("div", {}, h("h2", {}, `Beliefs of ${seat.role}`), knowledge(seat, {}))));
  }
  const roles = Object.keys(record.goals).length;
  parts.push(h("ol", { class: "members" }, record.history.map((moves) => h("li", {}, moves.slice(0, Math.max(roles, moves.length)).join("  ")))));
  return parts;
}
