// The match after its end: the result, the true state after every round, and who did and saw what.

import { h, scrolling } from "../../../vscode/src/panel/dom";
import { picture } from "../../../vscode/src/panel/facts";
import type { Wish } from "./messages";
import type { State } from "./seat";
import { row, seenBy, words } from "./words";

const ENDED: Record<string, string> = { stuck: "A role had no move: the match ended there.", "too-long": "The match was too long, and was ended." };

export function openedView(state: State, send: (wish: Wish) => void, render: () => void): HTMLElement[] {
  const { begin, truth, again } = state;
  const opened = state.opened!;
  const last = opened.rounds.length;
  const players = opened.roles.filter((role) => !role.chance);
  const goals = players.map((role) => `${role.name}${role.name === begin?.role ? " (you)" : ""} ${role.goal ?? "none"}`).join(", ");
  const look = (event: Event) => {
    state.round = Number((event.target as HTMLInputElement).value);
    send({ wish: "look", round: state.round });
    render();
  };
  const asked = again ? ` ${again.ready} of ${again.of} want another match.` : "";
  const more = h("div", { class: "actions" }, begin?.role === null ? null
    : h("button", { class: "primary", "data-key": "again", click: () => send({ wish: "again" }) }, players.length > 1 ? "Play again, seats exchanged" : "Play again"),
    h("button", { "data-key": "save", click: () => save(opened.trace, `${begin?.game ?? "match"}-${(begin?.match ?? 0) + 1}.trace`) }, "Save the match"),
    h("span", { class: "quiet", role: "status" }, asked));
  return [
    h("section", { class: "wide" }, h("p", { class: "result" }, `Goals: ${goals}.`), ENDED[opened.ended] ? h("p", {}, ENDED[opened.ended]) : null,
      opened.faults.map((it) => h("p", { class: "problem" }, it)), more),
    h("section", { "aria-label": "The truth" }, h("h2", {}, state.round === 0 ? "What was true at the start" : `What was true after round ${state.round}`),
      h("div", { class: "bar" }, h("input", { type: "range", min: 0, max: last, value: state.round, "data-key": "round", "aria-label": "Round",
        "aria-valuetext": `round ${state.round} of ${last}`, input: look }), h("span", { class: "count" }, `${state.round} / ${last}`)),
      truth ? picture(truth.picture) : null),
    h("section", { "aria-label": "The whole match" }, h("h2", {}, "The whole match"),
      scrolling("Rounds", {}, h("table", { class: "rounds" },
        h("thead", {}, h("tr", {}, ["round", ...opened.roles.map((role) => role.name)].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, opened.rounds.map((round, at) => h("tr", {}, h("th", { scope: "row" }, String(at + 1)), opened.roles.map((role, index) =>
          h("td", {}, h("div", { title: round.moves[index] }, words(round.moves[index])), role.chance ? null
            : h("div", { class: "quiet" }, `saw ${row(round.percepts[index].map(seenBy(role.name)).map(words)) || "nothing"}`))))))))),
  ];
}

function save(text: string, name: string): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name }) as HTMLAnchorElement;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
