// The Markdown of hovers and rule pages, converted to elements: no text is ever read as HTML.

import { h } from "../../vscode/src/panel/dom";

function inline(text: string): Node[] {
  return text.split(/(\\[!-/:-@[-`{-~]|(?<!`)(?:(`+)(?!`)(?:.*?[^`])\2(?!`))|\*\*(?:[^*\\]|\\.)+\*\*|\*(?:[^*\\]|\\.)+\*)/).filter((part, at) => part && at % 3 !== 2).map((part) => {
    if (/^\\./.test(part)) return document.createTextNode(part.slice(1));
    if (part.startsWith("`")) return h("code", {}, code(part));
    if (part.startsWith("**")) return h("strong", {}, inline(part.slice(2, -2)));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, inline(part.slice(1, -1)));
    return document.createTextNode(part.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1"));
  });
}

/** The text between the back-quotes, without the blank at either end. */
function code(span: string): string {
  const fence = (/^`+/.exec(span) as RegExpExecArray)[0].length;
  return span.slice(fence, -fence).replace(/^ (.*) $/, "$1");
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
    const fence = /^```+/.exec(line)?.[0];
    if (fence) {
      flush();
      const end = lines.findIndex((it, index) => index > at && it === fence);
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
      // Two blanks at the end keep the line break.
      if (line.endsWith("  ")) flush();
    }
  }
  flush();
  return out;
}
