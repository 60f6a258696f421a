// The match beside the text: the whole state, or the knowledge of one role. It follows edits of the text.

import type { Cell, Meaning, ReplayEnd, Role, Scene, Seat } from "../../vscode/src/answers";
import { boards, names } from "../../vscode/src/panel/board";
import { h } from "../../vscode/src/panel/dom";
import { long, NoAnswer, type Named, type Place } from "./engine";

interface Stepped {
  view?: Scene; seat?: Seat; roles: { name: string; chance: boolean }[]; moves: string[][]; sequential: boolean;
  ended: ReplayEnd | null; refusals?: (Partial<Place> & { message: string })[];
}

export class Panel {
  /** The match: the move of each role in each round. */
  history: string[][] = [];
  private at = 0;
  private role = "";
  private others: "random" | "think" = "random";
  private chosen: (string | null)[] = [];
  private cells: string[] = [];
  private last?: Stepped;
  private seed = Math.floor(Math.random() * 1e9);
  private requests = 0;
  private drawn?: Promise<void>;
  private place = "";

  constructor(private box: HTMLElement, private texts: () => Named[], private go: (place: Place) => void) {}

  reset(): void {
    this.history = [];
    this.at = 0;
    this.chosen = [];
    this.last = undefined;
    this.role = "";
  }

  /** Shows a match that was found elsewhere. */
  async load(moves: string[][]): Promise<void> {
    this.role = "";
    this.history = moves;
    this.at = moves.length;
    await this.draw();
  }

  /** The number of rounds before the shown state. */
  get round(): number { return this.at; }

  /** Shows the match on the current text. A round that is being played is finished first, so that it is not lost. */
  async follow(): Promise<void> {
    await this.drawn;
    await this.draw();
  }

  draw(choose?: (string | null)[]): Promise<void> {
    this.drawn = this.ask(choose);
    return this.drawn;
  }

  private async ask(choose?: (string | null)[]): Promise<void> {
    const request = ++this.requests;
    this.box.setAttribute("aria-busy", "true");
    const question = { ask: "step", texts: this.texts(), history: this.history.slice(0, choose ? this.at : undefined), at: this.at,
      choose, seed: this.seed++, others: this.others, role: this.role || undefined };
    try {
      const answer = await long.ask<Stepped>(question);
      if (request !== this.requests) return;
      this.last = answer;
      if (answer.refusals) {
        this.box.replaceChildren(h("h3", {}, "This game cannot be played yet"), ...answer.refusals.map((it) => this.refusal(it)));
        return;
      }
      this.history = answer.moves;
      this.at = answer.view?.round ?? answer.seat?.round ?? 0;
      // The chosen moves are kept while the same place is shown, also after edits of the text.
      const place = `${this.at} ${this.role}`;
      const legal = (role: number) => answer.view?.roles[role].legal ?? answer.seat?.legal.map((mv) => mv.name) ?? [];
      const keeps = !choose && place === this.place;
      this.chosen = answer.roles.map((_, role) => (keeps && legal(role).includes(this.chosen[role] ?? "") ? this.chosen[role] : null));
      this.cells = keeps ? this.cells : [];
      this.place = place;
      this.show();
    } catch (error) {
      if (request !== this.requests) return;
      const why = error instanceof NoAnswer ? error.message : String(error);
      this.box.prepend(h("p", { class: "complaint", role: "alert" }, why));
    } finally {
      if (request === this.requests) this.box.removeAttribute("aria-busy");
    }
  }

  private refusal(it: Partial<Place> & { message: string }): HTMLElement {
    const { text, from, to } = it;
    const place = text !== undefined && from !== undefined && to !== undefined ? { text, from, to } : undefined;
    return h("p", {}, place ? h("button", { class: "link", click: () => this.go(place) }, it.message) : it.message);
  }

  private show(): void {
    const it = this.last;
    if (!it) return;
    const scroll = this.box.scrollTop;
    this.box.replaceChildren(this.controls(it),
      ...(it.ended ? [h("p", { class: "complaint" }, `Round ${it.ended.round} can no longer be played: ${it.ended.why}`)] : []),
      ...(it.view ? this.all(it, it.view) : []), ...(it.seat ? this.seat(it, it.seat) : []));
    this.box.scrollTop = scroll;
  }

  private controls(it: Stepped): HTMLElement {
    const jump = (at: number) => () => { this.at = at; void this.draw(); };
    const rounds = it.moves.length;
    const over = it.view ? it.view.terminal : it.seat?.over === "yes";
    const eyes = h("select", { id: "eyes", "aria-label": "Point of view", change: (event: Event) => {
      this.role = (event.target as HTMLSelectElement).value;
      void this.draw();
    } }, h("option", { value: "", selected: !this.role }, "sees everything"),
      ...it.roles.filter((role) => !role.chance).map((role) => h("option", { value: role.name, selected: role.name === this.role }, `as ${role.name}`)));
    const others = h("select", { id: "others", "aria-label": "Moves of the other roles", change: (event: Event) => {
      this.others = (event.target as HTMLSelectElement).value as "random" | "think";
    } }, h("option", { value: "random", selected: this.others === "random" }, "others at random"),
      h("option", { value: "think", selected: this.others === "think" }, "others think"));
    return h("div", { class: "controls" },
      h("button", { id: "first", title: "To the beginning", disabled: this.at === 0, click: jump(0) }, "|◀"),
      h("button", { id: "back", title: "One round back", disabled: this.at === 0, click: jump(this.at - 1) }, "◀"),
      h("span", { class: "round" }, `round ${this.at} of ${rounds}`),
      h("button", { id: "forth", title: "One round forward", disabled: this.at >= rounds, click: jump(this.at + 1) }, "▶"),
      h("button", { id: "play", class: "primary", disabled: over, click: () => void this.draw(this.chosen) }, "Play the round"),
      h("button", { id: "anew", disabled: rounds === 0, click: () => { this.reset(); void this.draw(); } }, "New match"),
      eyes, others);
  }

  private all(it: Stepped, view: Scene): HTMLElement[] {
    const drawn = new Set(view.state.boards.flatMap((board) => board.cells.flat()).flatMap((cell) => cell.fluents));
    const rest = view.state.groups.map((group) => ({ ...group, fluents: group.fluents.filter((fluent) => !drawn.has(fluent)) })).filter((group) => group.fluents.length);
    const movers = view.roles.map((role, at) => ({ role, at })).filter(({ role }) => !view.terminal && role.legal.length > 0);
    return [
      ...boards(view.state.boards, view.state.legend, { click: (cell) => this.click(cell, view.roles.map((role) => ({ legal: role.legal, places: role.places }))), chosen: this.cells,
        open: (cell) => view.roles.some((role) => role.places.some((places) => places.some((place) => names(place, cell.place)))) }),
      ...(view.terminal ? [h("p", { class: "over" }, "The match is over. ", view.roles.filter((role) => role.goals.length).map((role) => `${role.name} gets ${role.goals.join(" or ")}`).join(", "), ".")] : []),
      h("div", { class: "roles" }, ...movers.map(({ role, at }) => this.moves(role.name, role.legal.map((name) => ({ name, chance: 1 })), at))),
      ...(view.round > 0 ? [h("h3", {}, "Percepts"), h("dl", {}, ...view.roles.flatMap((role) => role.chance ? [] :
        [h("dt", {}, role.name), h("dd", {}, role.percepts.map((name) => name + visibility(view, name)).join(", ") || "nothing")]))] : []),
      ...(rest.length || view.state.numbers.length ? [h("h3", {}, "Facts"), h("p", { class: "facts" },
        ...rest.flatMap((group) => group.fluents).slice(0, 300).map((fluent) => h("span", { class: "fact" }, fluent)),
        ...view.state.numbers.map(([name, value]) => h("span", { class: "fact" }, `${name} = ${value}`)))] : []),
      this.past(view.history.map((round) => round.moves.join("  "))),
    ];
  }

  private seat(it: Stepped, seat: Seat): HTMLElement[] {
    const own = it.roles.findIndex((role) => role.name === seat.role);
    const over = { yes: "The match is over.", no: "The match goes on.", unknown: "It does not know whether the match is over.",
      undecided: "Its knowledge of the end was not determined in time." }[seat.over];
    const count = seat.histories === "1" ? "Only one history looks like this" : `${seat.exact ? "" : "about "}${seat.histories} histories look like this`;
    return [
      h("p", { class: "over" }, `${over} ${count} to ${seat.role}.`, seat.goals ? ` It gets ${seat.goals.join(" or ")}.` : ""),
      ...boards(seat.boards, seat.legend, { click: (cell) => this.click(cell, it.roles.map((_, at) => at === own ? { legal: seat.legal.map((mv) => mv.name), places: seat.legal.map((mv) => mv.places) } : { legal: [], places: [] })), chosen: this.cells,
        open: (cell) => seat.legal.some((mv) => mv.places.some((place) => names(place, cell.place))) }),
      ...(seat.over === "yes" ? [] : [h("div", { class: "roles" }, this.moves(seat.role, seat.legal, own))]),
      ...(seat.possible.length ? [h("h3", {}, "Possible facts"), h("div", { class: "beliefs" }, ...seat.possible.slice(0, 60).map((it) => {
        const bar = h("span", { class: "bar" });
        bar.style.setProperty("--share", String(it.probability));
        return h("div", { class: "belief" }, bar, h("span", { class: "fact" }, it.fluent), h("span", { class: "percent" }, `${(it.probability * 100).toFixed(1)} %`));
      }))] : []),
      ...(seat.certain.length ? [h("h3", {}, "Known facts"), h("p", { class: "facts" }, ...seat.certain.slice(0, 300).map((fluent) => h("span", { class: "fact" }, fluent)))] : []),
      this.past(seat.history.map((round) => `${round.move ?? "?"}  → ${round.percepts.join(", ") || "nothing"}`)),
    ];
  }

  private moves(name: string, legal: { name: string; chance: number }[], at: number): HTMLElement {
    return h("div", { class: "role" }, h("h3", {}, name), ...legal.slice(0, 400).map((mv) => h("button", {
      class: this.chosen[at] === mv.name ? "move chosen" : "move", disabled: mv.chance < 1, title: mv.chance < 1 ? `legal with probability ${mv.chance.toFixed(3)}` : undefined,
      click: () => {
        this.chosen[at] = this.chosen[at] === mv.name ? null : mv.name;
        this.show();
      } }, mv.name)));
  }

  private past(lines: string[]): HTMLElement {
    return h("details", { class: "past", open: true }, h("summary", {}, "The match so far"), h("ol", {}, ...lines.map((line, round) =>
      h("li", {}, h("button", { class: round + 1 === this.at ? "link here" : "link", click: () => { this.at = round + 1; void this.draw(); } }, line)))));
  }

  /** Handles a click: chooses the move that names the cell, or, for moves of several cells, the move that names all of them. */
  private click(cell: Cell, roles: { legal: string[]; places: string[][] }[]): void {
    this.cells = this.cells.includes(cell.place) ? this.cells.filter((it) => it !== cell.place) : [...this.cells, cell.place];
    const fits = (cells: string[]) => roles.flatMap((role, at) => role.legal.map((name, index) => ({ at, name, places: role.places[index] })))
      .filter(({ places }) => places.length === cells.length && cells.every((it, index) => names(places[index], it)));
    let found = fits(this.cells);
    const starts = roles.some((role) => role.places.some((places) => places.length > this.cells.length && this.cells.every((it, index) => names(places[index], it))));
    if (!found.length && !starts) {
      this.cells = [cell.place];
      found = fits(this.cells);
    }
    for (const { at, name } of found.filter((it) => roles[it.at].legal.length > 1)) this.chosen[at] ??= name;
    if (found.length === 1) this.chosen[found[0].at] = found[0].name;
    this.show();
  }
}

/** The mark of a percept of the last round as public or private; empty if this is unknown, or if there is only one player. */
function visibility(view: Scene, name: string): string {
  const all = view.public?.[view.round - 1];
  if (!all || view.roles.filter((role) => !role.chance).length < 2) return "";
  return all.includes(name) ? " (public)" : " (private)";
}
