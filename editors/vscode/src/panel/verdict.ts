// The verdicts on one match: what each role knows after each round, and a pair of histories for what it does not know.

import type { Finding } from "../protocol";
import type { Panel } from "./context";
import { h, scrolling } from "./dom";
import { anchor, witness } from "./pair";
import { SIGNS, WORDS } from "./signs";

/** The number of pairs shown. */
const PAIRS = 12;

export function verdictTab(panel: Panel): HTMLElement[] {
  const { model } = panel;
  const findings = model.verdict?.findings;
  if (!findings) return [h("p", { class: "quiet" }, model.busy ? "" : "No verdict: the check was stopped. Choose this tab again to repeat it.")];
  const bad = findings.filter((it) => it.verdict === "unknown");
  const open = findings.filter((it) => it.verdict === "undecided");
  const [summary, kind] = bad.length
    ? [`At ${bad.length === 1 ? "one point" : `${bad.length} points`} of this match a role lacks required knowledge.`, "bad"]
    : open.length ? [`No problem was found in this match, but ${open.length === 1 ? "one question is" : `${open.length} questions are`} undecided.`, ""]
    : ["After every round of this match every role knows its legal moves, whether the match is over, and its goal.", "good"];
  return [h("p", { class: `summary ${kind}`, role: "status" }, summary), announce(panel), table(findings),
    ...bad.slice(0, PAIRS).map((it) => witness(it, panel)),
    ...(bad.length > PAIRS ? [h("p", { class: "quiet" }, `${bad.length - PAIRS} more are in the table.`)] : [])];
}

/** The choice whether the end of the match is announced to the players, as match protocols do. */
export function announce({ model, send }: Panel): HTMLElement {
  return h("label", { class: "quiet announce" }, h("input", { type: "checkbox", "data-key": "announce", checked: model.announceEnd,
    change: (event: Event) => send({ kind: "announce", on: (event.target as HTMLInputElement).checked }) }), " the end of the match is announced");
}

function table(findings: Finding[]): HTMLElement {
  const roles = [...new Set(findings.map((it) => it.role))];
  const last = Math.max(0, ...findings.map((it) => it.round));
  const has = (role: string, property: string) => findings.some((it) => it.role === role && it.property === property);
  const properties = (role: string) => (["legal", "terminal", "goal", "own"] as const).filter((it) => it !== "own" || has(role, it));
  return scrolling("What each role knows after each round", {}, h("p", { class: "quiet" }, "Known after each round: ✓ yes, ✗ no, ? undecided"), h("table", { class: "verdict" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "round"), Array.from({ length: last + 1 }, (_, round) => h("th", { scope: "col" }, String(round))))),
    roles.map((role) => h("tbody", {}, h("tr", {}, h("th", { scope: "rowgroup", colspan: last + 2 }, role)),
      properties(role).map((property) => h("tr", {}, h("th", { scope: "row" }, WORDS[property]),
        Array.from({ length: last + 1 }, (_, round) => {
          const finding = findings.find((it) => it.role === role && it.property === property && it.round === round);
          return h("td", {}, finding ? sign(finding) : null);
        })))))));
}

function sign(finding: Finding): HTMLElement {
  const label = `${finding.role}, round ${finding.round}: ${WORDS[finding.property]}: ${finding.verdict} (${finding.method})`;
  const [shown, tone] = SIGNS[finding.verdict];
  return finding.witness
    ? h("a", { class: `sign ${tone}`, href: `#${anchor(finding)}`, title: label, "aria-label": label }, shown)
    : h("span", { class: `sign ${tone}`, title: label, role: "img", "aria-label": label }, shown);
}
