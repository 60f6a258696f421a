// The lobby: the tables, and who sits at them.

import { h } from "../../../vscode/src/panel/dom";
import type { Lobby, Player, Table, Wish } from "./messages";

const STAGES = { gathering: "waiting for players", playing: "a match is played", over: "the match is over" };

// These stay from one drawing to the next, with what was typed.
const name = h("input", { type: "text", id: "name", maxlength: 24, autocomplete: "nickname", "data-key": "name" }) as HTMLInputElement;
const game = h("select", { id: "game", "data-key": "game" }) as HTMLSelectElement;
const program = h("select", { id: "program", "data-key": "program" }) as HTMLSelectElement;

export function lobbyView(lobby: Lobby, send: (wish: Wish) => void, refuse: (why: string) => void): HTMLElement[] {
  fill(game, lobby.games);
  fill(program, lobby.strategies);
  const sit = (table: number, seat: number) => {
    if (name.value.trim()) return send({ wish: "take", table, seat, name: name.value });
    refuse("Write your name first.");
    name.focus();
  };
  const seat = (table: Table, player: Player, at: number) => h("li", {}, h("span", { class: "role" }, player.role), " ",
    player.free && table.stage === "gathering" ? h("span", { class: "actions" },
      h("button", { class: "primary", "data-key": `sit-${table.id}-${at}`, click: () => sit(table.id, at), "aria-label": `Sit down as ${player.role} at table ${table.id + 1}` }, "Sit down"),
      h("button", { "data-key": `program-${table.id}-${at}`, click: () => send({ wish: "program", table: table.id, seat: at, strategy: program.value }),
        "aria-label": `Let a program play ${player.role} at table ${table.id + 1}` }, "Program"))
      : h("span", {}, h("b", {}, called(player)), player.program && !player.name && table.stage === "gathering"
        ? h("button", { class: "link", "data-key": `free-${table.id}-${at}`, click: () => send({ wish: "free", table: table.id, seat: at }), "aria-label": `Send the program of ${player.role} at table ${table.id + 1} away` }, "send away") : null));
  const table = (it: Table) => h("article", { class: "table", "aria-label": `Table ${it.id + 1}` },
    h("h3", {}, `Table ${it.id + 1}: ${it.game}`), h("p", { class: "quiet" }, STAGES[it.stage]), h("ul", {}, it.seats.map((player, at) => seat(it, player, at))),
    h("div", { class: "actions" }, h("button", { "data-key": `watch-${it.id}`, click: () => send({ wish: "watch", table: it.id }), "aria-label": `Watch table ${it.id + 1}` }, "Watch"),
      it.stage === "gathering" && it.seats.every((player) => player.free || player.program)
        ? h("button", { "data-key": `remove-${it.id}`, click: () => send({ wish: "remove", table: it.id }), "aria-label": `Remove table ${it.id + 1}` }, "Remove") : null));
  return [
    h("section", { class: "you", "aria-label": "You and your game" }, h("h2", {}, "You"), h("div", { class: "field" }, h("label", { for: "name" }, "Your name, which all at your table see"), name),
      h("h2", {}, "New table"), h("div", { class: "field" }, h("label", { for: "game" }, "Game"), game,
        h("button", { "data-key": "new", click: () => send({ wish: "newTable", game: game.value }) }, "New table")),
      h("div", { class: "field" }, h("label", { for: "program" }, "Programs play by"), program)),
    h("section", { "aria-label": "Tables" }, h("h2", {}, "Tables"), lobby.tables.length ? h("div", { class: "tables" }, sorted(lobby.tables).map(table)) : h("p", { class: "quiet" }, "There is no table yet."))];
}

/** Tables at which seats are free come first, then the newest ones. */
const sorted = (tables: Table[]) => {
  const stages = Object.keys(STAGES);
  return [...tables].sort((one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage) || other.id - one.id);
};

/** A player in words. */
export const called = (player: Player): string => player.free ? "free"
  : player.program ? player.name ? `${player.program} for ${player.name}` : player.program : player.name ?? "a person";

function fill(select: HTMLSelectElement, names: string[]): void {
  if (select.options.length === names.length && names.every((it, at) => select.options[at].value === it)) return;
  select.replaceChildren(...names.map((it) => h("option", { value: it }, it)));
}
