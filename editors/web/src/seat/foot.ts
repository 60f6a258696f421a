// What a person can do beside the game: tell the author what is not clear, and give up. It is drawn again only if it changes, so that
// a message that comes meanwhile takes nothing from a note that is being written.

import { h } from "../../../vscode/src/panel/dom";
import type { Wish } from "./messages";
import type { State } from "./seat";

let open: "note" | "leave" | null = null;
let said = "";
let drawn = "";

/** The note for the author was taken. */
export function noted(): void { said = "Thank you: the author will read it."; }

export function foot(place: HTMLElement, state: State, send: (wish: Wish) => void): void {
  const { begin, opened } = state;
  const own = begin?.players.find((player) => player.role === begin.role);
  const canLeave = Boolean(begin && begin.role !== null && !opened && state.seated?.turn !== "over" && own && !own.program);
  if (open === "leave" && !canLeave) open = null;
  const now = JSON.stringify([begin?.match, begin?.role, canLeave, open, said]);
  if (now === drawn) return;
  drawn = now;
  const again = (next: typeof open, focus: string) => {
    open = next;
    foot(place, state, send);
    place.querySelector<HTMLElement>(`[data-key="${focus}"]`)?.focus();
  };
  if (!begin || begin.role === null) return place.replaceChildren();
  const where = () => ({ match: begin.match, round: state.seated?.seat?.round ?? 0 });
  const text = h("textarea", { rows: 3, maxlength: 500, id: "note", "data-key": "note" }) as HTMLTextAreaElement;
  place.replaceChildren(h("div", { class: "actions" },
    open === "note" ? null : h("button", { "data-key": "unclear", click: () => { said = ""; again("note", "note"); } }, "I don't understand"),
    canLeave && open !== "leave" ? h("button", { "data-key": "leave", click: () => again("leave", "stay") }, "Give up") : null,
    h("span", { class: "quiet", role: "status" }, said)),
    open === "note" ? h("form", { class: "note", submit: (event: Event) => {
      event.preventDefault();
      send({ wish: "note", ...where(), text: text.value });
      again(null, "unclear");
    } }, h("label", { for: "note" }, "What is not clear? Only the author of the game reads it."), text,
      h("div", { class: "actions" }, h("button", { class: "primary", type: "submit" }, "Send"),
        h("button", { type: "button", click: () => again(null, "unclear") }, "Cancel"))) : "",
    open === "leave" ? h("div", { role: "group", "aria-label": "Give up" },
      h("p", {}, "A program plays on for you, the others learn that you gave up, and the match does not count in the results."),
      h("div", { class: "actions" }, h("button", { "data-key": "stay", click: () => again(null, "leave") }, "Keep playing"),
        h("button", { "data-key": "left", click: () => { send({ wish: "leave", match: begin.match }); again(null, "unclear"); } }, "Give up this match"))) : "");
}
