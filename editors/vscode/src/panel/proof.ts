// The knowledge of roles in every match, not only in this one.

import type { Emptiness, Proof } from "../protocol";
import type { Panel } from "./context";
import { h } from "./dom";
import { witness } from "./pair";
import { SIGNS, WORDS } from "./signs";
import { announce } from "./verdict";

/** A line for each role and property; below, the shortest pair of matches for each refuted one. */
export function proofTab(panel: Panel): HTMLElement[] {
  const { proofs, busy } = panel.model;
  const findings = proofs?.findings;
  if (!findings) return [h("p", { class: "quiet" },
    busy ? "Percept tries to prove that every role always knows its legal moves, the end and its goal, or finds the shortest two matches that it cannot tell apart. This may take a while."
      : "Nothing was proved: the work was stopped. Choose this tab again to repeat it.")];
  const refuted = findings.filter((it) => it.verdict === "refuted");
  const open = findings.filter((it) => it.verdict === "open");
  const summary = refuted.length ? "There are matches in which a role lacks required knowledge."
    : open.length ? "No problem was found, but not everything is proved."
    : "Proved: in every match every role knows its legal moves, whether the match is over, and its goal.";
  const table = h("table", { class: "proofs" }, h("caption", {}, "In every match"), h("tbody", {},
    findings.map((it) => h("tr", {}, h("th", { scope: "row" }, `${it.role} knows ${WORDS[it.property]}`),
      h("td", { class: `sign ${it.verdict === "proved" && !it.checked ? "open" : SIGNS[it.verdict][1]}` }, `${SIGNS[it.verdict][0]} ${says(it)}`),
      h("td", { class: "quiet" }, `${it.method ?? ""}, ${it.seconds.toFixed(2)} s`)))));
  return [h("p", { class: refuted.length ? "summary bad" : open.length ? "summary" : "summary good", role: "status" }, summary), announce(panel), table,
    ...refuted.filter((it) => it.witness).map((it) =>
      witness({ role: it.role, property: it.property, round: it.depth ?? 0, witness: it.witness }, panel))];
}

/** The reasons why a proof about goals is vacuous. */
const NOTHING: Record<Emptiness, string> = { "no-end": ", but no match ever ends", "no-goal": ", but it never has a goal" };

function says(proof: Proof): string {
  switch (proof.verdict) {
    case "proved": {
      const checked = proof.checked ? "checked" : `unchecked: ${proof.unchecked ?? ""}`;
      return `proved, ${checked}${proof.reason ? NOTHING[proof.reason] : ""}`;
    }
    case "refuted": return `refuted after ${proof.depth} ${proof.depth === 1 ? "round" : "rounds"}`;
    case "open": return `undecided; no pair of up to ${proof.depth} rounds`;
  }
}
