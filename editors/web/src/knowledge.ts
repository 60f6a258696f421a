// The knowledge of roles: along the match, in every match, and their information sets.

import type { Members } from "../../vscode/src/answers";
import { boards } from "../../vscode/src/panel/board";
import { h } from "../../vscode/src/panel/dom";
import { WORDS } from "../../vscode/src/panel/words";
import { long, NoAnswer, type Named, type Place } from "./engine";

type StatedPlace = Place & { says: string };
interface Pair { first: string[][]; second: string[][]; first_value: string; second_value: string; first_is_match: boolean; parting: number; rules?: { silent: StatedPlace[]; deciding: StatedPlace[] } }
interface Verdict {
  role: string; property: keyof typeof WORDS; verdict: string; round?: number; depth?: number | null; method: string | null;
  agreed?: number; why?: string; unchecked?: string; witness?: Pair; says: string | null;
}
/** The functions of the page used here. */
export interface Page {
  texts(): Named[];
  history(): string[][];
  round(): number;
  go(place: Place): void;
  step(moves: string[][]): void;
}

export class Knowledge {
  private timer?: number;

  /** `asks`: true to offer buttons for verdicts; else only answers are shown. */
  constructor(private box: HTMLElement, private page: Page, private asks = true) { this.menu(); }

  private menu(...below: HTMLElement[]): void {
    if (!this.asks) return this.box.replaceChildren(...below);
    const time = h("select", { id: "seconds", "aria-label": "Time limit" }, ...[3, 10, 60, 300].map((it) => h("option", { value: it, selected: it === this.seconds }, `${it} s`)));
    time.addEventListener("change", () => { this.seconds = Number((time as HTMLSelectElement).value); });
    const announce = h("label", {}, h("input", { type: "checkbox", id: "announce", checked: this.announceEnd, change: (event: Event) => { this.announceEnd = (event.target as HTMLInputElement).checked; } }), " the end is announced");
    this.box.replaceChildren(
      h("p", {}, "Does every role, from its own moves and percepts alone, know its legal moves, whether the match is over, and its result?"),
      h("div", { class: "controls" },
        h("button", { id: "observe", class: "primary", click: () => void this.observe() }, "In this match"),
        h("button", { id: "prove", class: "primary", click: () => void this.prove() }, "In every match"), time, announce),
      ...below);
  }

  private seconds = 10;
  private announceEnd = false;

  private async run<T>(what: string, question: object, show: (answer: T) => HTMLElement[]): Promise<void> {
    const begin = performance.now();
    const clock = h("span", {}, "0 s");
    this.menu(h("p", { class: "running", role: "status" }, `${what} … `, clock, " ", h("button", { id: "stop", click: () => long.stop() }, "Stop")));
    window.clearInterval(this.timer);
    this.timer = window.setInterval(() => { clock.textContent = `${Math.round((performance.now() - begin) / 1000)} s`; }, 250);
    try {
      const answer = await long.ask<T & { refusals?: { message: string }[] }>(question);
      const refused = answer.refusals?.map((it) => h("p", { class: "complaint" }, it.message));
      this.menu(h("div", { id: "answer" }, ...(refused ?? show(answer)), h("p", { class: "took" }, `${((performance.now() - begin) / 1000).toFixed(1)} s`)));
    } catch (error) {
      this.menu(h("p", { class: "complaint", role: "alert" }, error instanceof NoAnswer ? error.message : String(error)));
    } finally {
      window.clearInterval(this.timer);
    }
  }

  observe(): Promise<void> {
    const history = this.page.history();
    return this.run<{ findings: Verdict[] }>("Checking this match", { ask: "observe", texts: this.page.texts(), history, announceEnd: this.announceEnd, seconds: this.seconds },
      (answer) => [h("h3", {}, `After ${history.length} rounds`), ...this.verdicts(answer.findings, "known")]);
  }

  prove(): Promise<void> {
    return this.run<{ findings: Verdict[] }>("Proving for every match", { ask: "prove", texts: this.page.texts(), announceEnd: this.announceEnd, seconds: this.seconds / 3 },
      (answer) => [h("h3", {}, "In every match"), ...this.verdicts(answer.findings, "proved")]);
  }

  infoset(role: string): Promise<void> {
    return this.run<Members>("Looking for histories", { ask: "infoset", texts: this.page.texts(), history: this.page.history(), at: this.page.round(), role, seconds: this.seconds },
      (it) => this.members(it));
  }

  private verdicts(all: Verdict[], good: string): HTMLElement[] {
    const by = new Map<string, Verdict[]>();
    for (const it of all) by.set(`${it.role}\n${it.property}`, [...(by.get(`${it.role}\n${it.property}`) ?? []), it]);
    return [...by.values()].map((list) => {
      const bad = list.find((it) => it.verdict === "unknown" || it.verdict === "refuted");
      const open = list.find((it) => it.verdict === "undecided" || it.verdict === "open");
      const { role, property } = list[0];
      const [not, perhaps, yes, where] = good === "proved" ? ["does not always know", "may not always know", "always knows", ""]
        : ["does not know", "may not know", "knows", bad ? " after some round of this match" : " after every round of this match"];
      const what = `${role} ${bad ? not : open ? perhaps : yes} ${WORDS[property]}${where}`;
      const sign = bad ? "✗" : open ? "?" : "✓";
      const unchecked = list.find((it) => it.unchecked)?.unchecked;
      const detail = bad?.says ?? (!open && unchecked ? `unchecked: ${unchecked}` : open ? open.why ?? `no violation within ${open.depth ?? 0} rounds; the time was too short for a proof` : "");
      return h("div", { class: `verdict ${bad ? "bad" : open ? "open" : "good"}` }, h("p", {}, h("b", {}, `${sign} ${what}`), detail ? h("br") : null, detail),
        bad?.witness ? this.pair(bad.witness, role) : null);
    });
  }

  private pair(it: Pair, role: string): HTMLElement {
    const side = (title: string, moves: string[][], value: string) => h("div", { class: "history" }, h("h4", {}, `${title}: ${value}`),
      h("ol", {}, ...moves.map((joint, round) => h("li", { class: round + 1 >= it.parting && joint.join() !== (title === "one" ? it.second : it.first)[round]?.join() ? "differs" : "" }, joint.join("  ")))),
      h("button", { class: "link", click: () => this.page.step(moves) }, "Step there"));
    const rules = [...(it.rules?.silent ?? []), ...(it.rules?.deciding ?? [])];
    return h("details", { open: true }, h("summary", {}, `Two histories that ${role} cannot tell apart`),
      h("div", { class: "pair" }, side("one", it.first, it.first_value), side("other", it.second, it.second_value)),
      rules.length ? h("ul", {}, ...rules.map((rule) => h("li", {}, h("button", { class: "link", click: () => this.page.go(rule) }, rule.says)))) : null);
  }

  private members(it: Members): HTMLElement[] {
    const count = it.complete ? it.histories : `at least ${it.histories}`;
    return [h("h3", {}, `${it.role} after round ${it.round}: ${count} ${it.histories === "1" ? "history" : "histories"}`),
      h("p", {}, `${it.complete ? "All" : "Some"} of them, by ${it.method}. ${it.stopped ?? ""}`),
      ...it.members.map((member, at) => h("details", { class: "member", open: at < 3 },
        h("summary", {}, `${(member.probability * 100).toFixed(2)} %  ${member.moves.map((joint) => joint.join(" ")).join(" · ")}`),
        h("div", { class: "small" }, ...boards(member.state.boards, member.state.legend)),
        h("button", { class: "link", click: () => this.page.step(member.moves) }, "Step there")))];
  }
}
