// Boards: grids of clickable cells, shaded if their content is uncertain.

import type { Board, Cell, Meaning } from "../answers";
import { h } from "./dom";
import { percent } from "./signs";
import { row, told } from "./words";

/** The effect of a click on a cell, and the marked cells. */
export interface Clicks {
  click?: (cell: Cell) => void;
  chosen?: string[];
  /** True if a move may name this cell next. */
  open?: (cell: Cell) => boolean;
  /** Cells to mark as different from another board's. */
  differs?: (board: number, row: number, column: number) => boolean;
}

/** Boards side by side, as large as their place allows, with the meaning of their signs below. */
export function boards(all: Board[], legend: Meaning[], clicks: Clicks = {}): HTMLElement | null {
  if (!all.length) return null;
  const hands = all.flatMap((board, number) => board.style === "grid" || board.cells.every((cells) => cells.every((cell) => !cell.fluents.length)) ? [] : [deal(board, number, clicks)]);
  const grids = all.map((board, number): [Board, number] => [board, number]).filter(([board]) => board.style === "grid");
  const tables = grids.map(([board, number]) => h("table", { class: "board", keydown: arrows },
    h("caption", {}, board.title),
    h("thead", {}, h("tr", {}, h("td", {}), board.columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, board.rows.map((name, row) => h("tr", {}, h("th", { scope: "row" }, name),
      board.cells[row].map((cell, column) => h("td", {
        class: clicks.differs?.(number, row, column) ? "differs" : undefined,
      }, cellOf(cell, `${number}:${cell.place}`, clicks, isStop(number, row, column, board)))))))));
  const row = h("div", { class: "boards" }, tables);
  const shape = grids.map(([board]): [number, number] => [board.columns.length + 1, board.rows.length + 1]);
  const fit = () => { if (row.isConnected) row.style.setProperty("--cell", `${size(row, shape)}px`); };
  new ResizeObserver(fit).observe(row);
  const isShaded = grids.some(([board]) => board.cells.some((cells) => cells.some((cell) => cell.share !== undefined && cell.share !== null)));
  const meanings = legend.map((it) => h("span", {}, h("b", { class: it.tone ? `tone-${it.tone}` : "" }, it.sign), ` ${it.says}`));
  return h("div", { class: "picture-boards" }, tables.length ? row : null, hands.length ? h("div", { class: "deals" }, hands) : null, isShaded || meanings.length
    ? h("p", { class: "legend" }, meanings, isShaded ? h("span", { class: "scale" }, h("span", { class: "ramp", "aria-hidden": "true" }),
      " a number: the chance in % that the cell is not empty; ?: certainly not empty") : null) : null);
}

/** The facts that these boards show. */
export const onBoards = (all: Board[]): Set<string> => new Set(all.flatMap((board) => board.cells.flat().flatMap((cell) => cell.fluents)));

/** Hands of cards or dice: a line for each owner. What is not known is a back, with what it may be beside it. */
function deal(board: Board, number: number, clicks: Clicks): HTMLElement {
  const line = (name: string, row: number) => {
    const there = board.cells[row].map((cell, column): [Cell, number] => [cell, column]).filter(([cell]) => cell.fluents.length);
    const open = there.filter(([cell]) => cell.share !== undefined && cell.share !== null);
    const item = ([cell, column]: [Cell, number]) => h("span", { class: clicks.differs?.(number, row, column) ? "differs" : undefined },
      cellOf(cell, `${number}:${cell.place}`, clicks, true));
    const backs = Math.min(open.length, Math.round(open.reduce((sum, [cell]) => sum + (cell.share ?? 0), 0)));
    const may = open.map(([cell, column]) => `${board.columns[column]} ${percent(cell.share ?? 0)}`).join(", ");
    return h("tr", {}, name ? h("th", { scope: "row" }, name) : null, h("td", {}, h("div", { class: "hand" }, there.filter((it) => !open.includes(it)).map(item),
      Array.from({ length: backs }, () => h("span", { class: "cell back", role: "img", "aria-label": "hidden", title: may }, "?")),
      may ? h("span", { class: "quiet" }, may) : null)));
  };
  return h("table", { class: `deal ${board.style}` }, h("caption", {}, board.title), h("tbody", {}, board.rows.map(line)));
}

/** The smallest and the largest side of a cell, in pixels. */
const SMALL = 24;
const LARGE = 60;
/** The space between boards, in pixels. */
const GAP = 20;

/** The side of a cell with which the boards fit beside and below each other into the width, and most of the height of the page. */
function size(row: HTMLElement, shape: [number, number][]): number {
  const width = row.clientWidth;
  const box = row.closest(".scrolls");
  const height = (box?.clientHeight ?? window.innerHeight) * 0.8;
  let best = SMALL;
  for (let beside = shape.length; beside >= 1; beside--) {
    const lines = Array.from({ length: Math.ceil(shape.length / beside) }, (_, at) => shape.slice(at * beside, (at + 1) * beside));
    const across = Math.min(...lines.map((line) => (width - GAP * (line.length - 1)) / line.reduce((sum, it) => sum + it[0], 0)));
    const down = (height - 30 * lines.length) / lines.reduce((sum, line) => sum + Math.max(...line.map((it) => it[1])), 0);
    best = Math.max(best, Math.floor(Math.min(across, down, LARGE)));
  }
  return Math.min(best, LARGE);
}

/** For each board, the cell at which Tab stops; the arrow keys start from there. */
const stops = new Map<number, string>();

function isStop(number: number, row: number, column: number, board: Board): boolean {
  const last = stops.get(number);
  const exists = last !== undefined && board.cells.some((cells) => cells.some((cell) => cell.place === last));
  return exists ? board.cells[row][column].place === last : row === 0 && column === 0;
}

/** The arrow keys move over the cells; Home and End go to the ends of a row. */
function arrows(event: KeyboardEvent): void {
  const cell = event.target as HTMLButtonElement;
  const row = cell.closest("tbody tr");
  if (!row || !cell.classList.contains("cell") || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...row.parentElement!.children];
  const places = (of: Element) => [...of.querySelectorAll<HTMLButtonElement>("button.cell")];
  const [y, x] = [rows.indexOf(row), places(row).indexOf(cell)];
  const last = places(row).length - 1;
  const to: Record<string, [number, number]> = {
    ArrowUp: [y - 1, x], ArrowDown: [y + 1, x], ArrowLeft: [y, x - 1], ArrowRight: [y, x + 1], Home: [y, 0], End: [y, last],
  };
  const goal = to[event.key];
  if (!goal) return;
  event.preventDefault();
  event.stopPropagation();
  const next = rows[goal[0]] && places(rows[goal[0]])[goal[1]];
  if (!next) return;
  const [, number, place] = /^cell-(\d+):(.*)$/.exec(next.getAttribute("data-key") ?? "") ?? [];
  if (place !== undefined) stops.set(Number(number), place);
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function cellOf(cell: Cell, key: string, clicks: Clicks, stops: boolean): HTMLElement | null {
  const odds = cell.odds ?? [];
  const says = odds.length ? odds.slice(0, 6).map((it) => `${it.says} ${(it.probability * 100).toFixed(1)} %`).join("\n")
    : cell.fluents.join("\n") || "nothing";
  const words = odds.length ? says.replaceAll("\n", ", ") : row(cell.fluents.map(told)) || "nothing";
  const open = clicks.open?.(cell) ?? false;
  const classes = ["cell", cell.tone ? `tone-${cell.tone}` : "", cell.share !== undefined ? "shade" : "",
    open ? "open" : "", clicks.chosen?.includes(cell.place) ? "chosen" : "", lengthOf(cell.sign)].filter(Boolean).join(" ");
  const button = h("button", { class: classes, "data-key": `cell-${key}`, title: `${cell.place}\n${says}`,
    "aria-label": `${cell.place}: ${odds.length ? `${cell.sign} %: ` : cell.sign ? `${cell.sign}, ` : ""}${words}`, disabled: !clicks.click, tabindex: stops ? 0 : -1,
    click: () => clicks.click?.(cell) }, cell.sign);
  // A shade is set by script: the page's policy allows no style attributes.
  if (cell.share !== undefined) button.style.setProperty("--share", String(cell.share));
  return button;
}

/** The class of a sign that needs a smaller letter. */
const lengthOf = (sign: string) => [...sign].length > 4 ? "longest" : [...sign].length > 2 ? "longer" : "";

/** True if a place named by a move includes this cell: `3 4`, `3 *`, or `* 4`. */
export function names(place: string, cell: string): boolean {
  if (place.endsWith("*")) return cell.startsWith(place.slice(0, -1));
  if (place.startsWith("*")) return cell.endsWith(place.slice(1));
  return place === cell;
}
