// The panel in VS Code's window.

import type { Model, Wish } from "../protocol";
import { mount } from "./panel";

declare function acquireVsCodeApi(): { postMessage(wish: Wish): void };

const vscode = acquireVsCodeApi();
const show = mount(document.getElementById("app") as HTMLElement, (wish) => vscode.postMessage(wish), window);
window.addEventListener("message", (event: MessageEvent<Model>) => show(event.data));
vscode.postMessage({ kind: "ready" });
