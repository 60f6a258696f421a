// The knowledge of roles in every match, not only in this one.

import type { Emptiness, Finding, Proof, Proofs } from "../protocol";
import { h } from "./dom";
import { WORDS } from "./words";

type Shown = Pick<Finding, "role" | "round" | "property" | "witness">;

/** A line for each role and property; below, the shortest pair of matches for each refuted one. */
export function proofTab(proofs: Proofs | undefined, busy: boolean, witness: (shown: Shown) => HTMLElement): HTMLElement[] {
  const findings = proofs?.findings;
  if (!findings) return [h("p", { class: "quiet" },
    busy ? "Percept tries to prove that every role always knows its legal moves, the end and its goal, or finds the shortest two matches that it cannot tell apart. This may take a while."
      : "Nothing has been proved yet.")];
  const refuted = findings.filter((it) => it.verdict === "refuted");
  const open = findings.filter((it) => it.verdict === "open");
  const summary = refuted.length ? "There are matches in which a role lacks required knowledge."
    : open.length ? "No problem was found, but not everything is proved."
    : "Proved: in every match every role knows its legal moves, whether the match is over, and its goal.";
  const table = h("table", { class: "proofs" }, h("caption", {}, "In every match"), h("tbody", {},
    findings.map((it) => h("tr", {}, h("th", { scope: "row" }, `${it.role} knows ${WORDS[it.property]}`),
      h("td", { class: it.verdict === "proved" ? "known" : it.verdict === "refuted" ? "refuted" : "undecided" }, says(it)),
      h("td", { class: "quiet" }, `${it.method ?? ""} ${it.seconds.toFixed(2)} s`)))));
  return [h("p", { class: refuted.length ? "summary bad" : open.length ? "summary" : "summary good", role: "status" }, summary), table,
    ...refuted.filter((it) => it.witness).map((it) =>
      witness({ role: it.role, property: it.property, round: it.depth ?? 0, witness: it.witness }))];
}

/** The reasons why a proof about goals is vacuous. */
const NOTHING: Record<Emptiness, string> = { "no-end": ", but no match ever ends", "no-goal": ", but it never has a goal" };

function says(proof: Proof): string {
  switch (proof.verdict) {
    case "proved": {
      const checked = proof.checked ? "checked" : `unchecked: ${proof.unchecked ?? ""}`;
      return `✓ proved, ${checked}${proof.reason ? NOTHING[proof.reason] : ""}`;
    }
    case "refuted": return `? not after ${proof.depth} round${proof.depth === 1 ? "" : "s"}`;
    case "open": return `… open; no pair of up to ${proof.depth} rounds`;
  }
}
