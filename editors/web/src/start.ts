// The first page: what this is, a picture, an empty game, games to begin with, and the reader's own.

import { h } from "../../vscode/src/panel/dom";
import type { Draft } from "./drafts";
import type { Named } from "./engine";
import { CARDS, EMPTY } from "./games";

export interface Actions {
  open(texts: Named[]): void;
  resume(draft: Draft): void;
  file(): void;
  tutorial(): void;
}

const card = (title: string, says: string, click: () => void, kind = "card") =>
  h("button", { class: kind, click }, h("b", {}, title), h("span", {}, says));

export function start(box: HTMLElement, own: Draft[], actions: Actions): void {
  box.replaceChildren(
    h("div", { class: "hero" },
      h("div", {}, h("h2", {}, "Write a game with hidden information, and see what each player can know."),
        h("p", {}, "Percept checks the rules while you type (GDL-II or POGDDL), plays the game, shows the board through each player's eyes, and proves that every player always knows its moves, the end and its result. Where one does not, it shows two matches that look the same to that player, and what the player would have to see."),
        h("p", { class: "picker" }, h("button", { class: "primary", "data-start": "tutorial", click: actions.tutorial }, "Tutorial"),
          h("button", { "data-start": "empty", click: () => actions.open(EMPTY) }, "Empty game"), h("button", { "data-start": "file", click: actions.file }, "Open a file"))),
      eyes()),
    ...(own.length ? [h("h3", {}, "Your games"), h("div", { class: "cards" }, own.slice(0, 6).map((it) =>
      card(it.name, `changed ${new Date(it.at).toLocaleDateString()}`, () => actions.resume(it), "card own")))] : []),
    h("h3", {}, "Games to begin with"),
    h("div", { class: "cards" }, CARDS.map((it) => card(it.title, it.says ?? "", () => actions.open(it.texts)))),
    h("p", { class: "quiet" }, "Everything runs in this page: nothing is installed, nothing is sent anywhere."));
}

const svg = (tag: string, attributes: Record<string, string | number>, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
};

/** A picture: a round of Blind Tic-Tac-Toe as it is, and as white knows it. */
function eyes(): HTMLElement {
  const picture = svg("svg", { viewBox: "0 0 330 165", role: "img", "aria-label": "The true board of Blind Tic-Tac-Toe beside what white knows: its own marks, and a chance for each other cell" });
  const board = (left: number, title: string, cells: string[], shares: number[]) => {
    picture.append(svg("text", { x: left, y: 14, class: "caption" }, title));
    cells.forEach((sign, at) => {
      const [x, y] = [left + (at % 3) * 46, 24 + Math.floor(at / 3) * 46];
      picture.append(svg("rect", { x, y, width: 46, height: 46, class: "square" }),
        svg("rect", { x: x + 1, y: y + 1, width: 44, height: 44, class: "shade", opacity: shares[at] }),
        svg("text", { x: x + 23, y: y + 31, class: /\d/.test(sign) ? "number" : "sign" }, sign));
    });
  };
  board(2, "what is true", ["x", "", "o", "", "x", "", "o", "", ""], [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  board(190, "what white knows", ["x", "29", "29", "29", "x", "29", "29", "29", "29"], [0, .29, .29, .29, 0, .29, .29, .29, .29]);
  const figure = h("figure", { class: "eyes-picture" });
  figure.append(picture);
  return figure;
}
