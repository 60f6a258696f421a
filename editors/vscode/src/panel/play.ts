// Playing: a seat against other players. Only the role's knowledge is shown; after the end the whole match is revealed.

import type { Cell, SittingRecord } from "../protocol";
import type { Panel } from "./context";
import { h, prose } from "./dom";
import { picture, term, terms } from "./facts";
import { rounds } from "./rounds";
import { fitting, knowledge, seatView } from "./seat";
import { seenBy, words } from "./words";

let role = "";
let playclock = 1;
const players = new Map<string, string>();
let chosen: string[] = [];
let place = "";

export function playTab(panel: Panel): HTMLElement[] {
  const { model, send } = panel;
  const sitting = model.sitting;
  if (!sitting?.match) return [setup(panel)];
  const others = Object.entries(sitting.players ?? {}).filter(([name]) => name !== sitting.role);
  const head = h("p", { class: "picker" }, h("span", {}, "You play ", h("b", {}, sitting.role ?? ""),
    others.length ? ` against ${others.map(([name, strategy]) => `${name} (${strategy})`).join(" and ")}.` : "."),
    sitting.record ? null : h("button", { "data-key": "give-up", click: () => send({ kind: "giveUp" }) }, "Give up"),
    h("button", { "data-key": "leave", click: () => send({ kind: "leave" }) }, sitting.record ? "Play another match" : "Leave the table"));
  const parts: HTMLElement[] = [head];
  if (sitting.allSeen) parts.push(h("p", { class: "quiet" }, "This game has no rule for `sees`: it is played as plain GDL, and all roles see every move."));
  if (sitting.changed) parts.push(h("p", { class: "problem" }, "The game's text has changed. This match continues with its original rules."));
  if (sitting.record) return [...parts, ...opened(panel, sitting.record)];
  const seat = sitting.seat;
  if (!seat) return [...parts, h("p", { class: "quiet", role: "status" }, "Waiting for the others …")];
  const here = `${sitting.match}/${seat.round}`;
  if (here !== place) chosen = [];
  place = here;
  const moves = sitting.moves ?? [];
  const mine = sitting.turn === "you" && !model.busy;
  const last = seat.history.at(-1);
  const only = moves.length === 1;
  const says = [last ? h("span", {}, `In round ${last.round} you did `, last.move ? term(last.move) : "an unknown move", " and saw ",
    last.percepts.length ? terms(last.percepts.map(seenBy(seat.role))) : "nothing", ". ") : "",
    h("b", { class: mine && !only ? "turn" : "" }, !mine ? "The other players are thinking …" : only ? `You can only ${words(moves[0])}.` : "It is your turn.")];
  const click = (cell: Cell) => {
    const next = [...chosen, cell.place];
    chosen = fitting(seat, next, moves).length ? next : fitting(seat, [cell.place], moves).length ? [cell.place] : [];
    const found = chosen.length ? fitting(seat, chosen, moves) : [];
    if (found.length !== 1) return panel.render();
    chosen = [];
    send({ kind: "sitMove", move: found[0] });
  };
  const lot = h("button", { "data-key": "lot", click: () => send({ kind: "sitMove", move: null }) }, "A random move");
  return [h("div", { class: "head" }, parts), ...seatView(seat, { chosen, moves, click: mine ? click : undefined,
    play: mine ? (move) => send({ kind: "sitMove", move }) : undefined }, says, mine && !only ? [lot] : [])];
}

/** The choice of the seat, and of the players at the other seats. */
function setup({ model, players: names, strategies, send, render }: Panel): HTMLElement {
  if (!names.includes(role)) role = names[0] ?? "";
  const others = names.filter((name) => name !== role);
  const strategy = (name: string) => h("label", {}, `${name} is played by `,
    h("select", { "data-key": `strategy-${name}`, change: (event: Event) => players.set(name, (event.target as HTMLSelectElement).value) },
      strategies.map(([it, says]) => h("option", { value: it, selected: it === (players.get(name) ?? "auto") }, `${it}: ${says}`))));
  return h("div", { class: "setup" },
    h("p", {}, "Play a match and see only what your role sees. After the end the whole match is opened."),
    h("div", { class: "picker", role: "group", "aria-label": "Your seat" }, h("span", { class: "label" }, "You play"),
      names.map((name) => h("button", { class: "choice", "data-key": `sit-${name}`, "aria-pressed": String(name === role),
        click: () => { role = name; render(); } }, name))),
    others.map((name) => h("p", {}, strategy(name))),
    others.length ? h("p", {}, h("label", {}, others.length === 1 ? "It thinks for " : "They think for ", h("input", { type: "number", min: 0.1, max: 60, step: 0.1, value: playclock, "data-key": "clock",
      change: (event: Event) => { playclock = Number((event.target as HTMLInputElement).value) || 1; } }), " seconds a move")) : null,
    h("button", { class: "primary", "data-key": "sit", disabled: Boolean(model.busy), click: () =>
      send({ kind: "sit", role, players: Object.fromEntries(others.map((name) => [name, players.get(name) ?? "auto"])), playclock }) }, "Begin the match"));
}

const ENDED: Record<string, string> = { over: "The match is over.", stuck: "A role has no move: the match ends here.",
  "too-long": "The match was too long.", "given-up": "You gave up." };

/** The true state beside the beliefs of the role, after any round. */
function opened({ model, send, players: names }: Panel, record: SittingRecord): HTMLElement[] {
  const goals = Object.entries(record.goals).map(([name, goal]) => `${name} ${goal ?? "none"}`).join(", ");
  const last = record.history.length;
  const view = model.truth?.step.view;
  const seat = model.truth?.believed.seat;
  const at = view?.round ?? last;
  // A player that gives up leaves its seat, which is not an error.
  const faults = (record.errors ?? []).filter((it) => record.ended !== "given-up" || it.kind !== "died");
  return [h("p", { class: "summary", role: "status" }, `${ENDED[record.ended] ?? record.ended} Goals: ${goals}.`),
    ...faults.map((it) => h("p", { class: "problem" }, prose(`Round ${it.round}, ${it.role}: ${it.kind} (${it.detail})`))),
    h("div", { class: "bar" }, h("span", { class: "label" }, at === 0 ? "at the start" : `after round ${at}`),
      h("input", { type: "range", min: 0, max: last, value: at, "data-key": "review", "aria-label": "Round",
        "aria-valuetext": `round ${at} of ${last}`, input: (event: Event) => send({ kind: "review", at: Number((event.target as HTMLInputElement).value) }) }),
      h("span", { class: "count" }, `${at} / ${last}`)),
    ...(view && seat ? [h("div", { class: "pair" }, h("div", {}, h("h2", {}, "What was true"), picture(view.state)),
      // A role that saw every move has true beliefs, but the rules as written do not show this.
      model.sitting?.allSeen ? null : h("div", {}, h("h2", {}, `What ${seat.role} could know`), knowledge(seat, {})))] : []),
    h("h2", {}, "The whole match"),
    rounds(record.history, view?.roles ?? Object.keys(record.goals).map((name) => ({ name, chance: !names.includes(name) })))];
}
