// The panel in VS Code's window.

import type { Model, Wish } from "../protocol";
import { mount } from "./panel";

/** The strategies that `percept` has for the other seats. */
const STRATEGIES: readonly (readonly [string, string])[] = [
  ["auto", "the equilibrium if it is found in time, else ismcts"], ["random", "any legal move"], ["legal", "the first legal move"],
  ["ismcts", "tree search in which every role knows only its percepts"], ["choosemove", "weighs the histories it considers possible"],
  ["sampling", "plays possible states as if they were known"], ["uct", "tree search over states drawn from its belief"],
  ["grave", "the same, sharing what moves gained elsewhere"], ["cfr", "the same, with mixed moves"],
  ["mac-ucb-ii", "stochastic constraints, stage by stage"], ["equilibrium", "solves the game before the match"], ["table", "looks ahead over all positions (small games)"],
];

declare function acquireVsCodeApi(): { postMessage(wish: Wish): void };

const vscode = acquireVsCodeApi();
const show = mount(document.getElementById("app") as HTMLElement, (wish) => vscode.postMessage(wish), { keys: window, strategies: STRATEGIES });
window.addEventListener("message", (event: MessageEvent<Model>) => show(event.data));
vscode.postMessage({ kind: "ready" });
