// The Markdown of hovers and rule pages, as elements: nothing is ever read as HTML.

import { h } from "../../vscode/src/panel/dom";

function inline(text: string): Node[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).filter(Boolean).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, part.slice(1, -1));
    return document.createTextNode(part.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1"));
  });
}

export function markdown(text: string): HTMLElement {
  const out = h("div", { class: "markdown" });
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length) out.append(h("p", {}, inline(paragraph.join(" "))));
    paragraph = [];
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line.startsWith("```")) {
      flush();
      const end = lines.findIndex((it, index) => index > at && it.startsWith("```"));
      const last = end < 0 ? lines.length : end;
      out.append(h("pre", {}, lines.slice(at + 1, last).join("\n")));
      at = last;
    } else if (/^#+ /.test(line)) {
      flush();
      out.append(h("h4", {}, inline(line.replace(/^#+ /, ""))));
    } else if (/^[-*] /.test(line)) {
      flush();
      out.append(h("p", { class: "item" }, "• ", inline(line.slice(2))));
    } else if (!line.trim() || /^-+$/.test(line)) {
      flush();
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return out;
}
