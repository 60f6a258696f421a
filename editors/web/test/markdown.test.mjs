// The Markdown of hovers, as the server writes it: escaped text reads as it was written.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

// The needed part of a page: elements with their children, printed as HTML.
const shown = (it) => typeof it === "string" ? it : it.text ?? `<${it.tag}>${it.children.map(shown).join("")}</${it.tag}>`;
globalThis.document = {
  createElement: (tag) => ({ tag, children: [], setAttribute() {}, append(...more) { this.children.push(...more); } }),
  createTextNode: (text) => ({ text }),
};
const { markdown } = await load("src/markdown.ts");
const check = (text, expected) => assert.equal(shown(markdown(text)), `<div>${expected}</div>`);

test("marks that are escaped are letters", () => {
  check("!\\[x\\](https\\://evil.example) \\<b> \\*a\\* \\`c\\`", "<p>![x](https://evil.example) <b> *a* `c`</p>");
  check("\\- a  \n\\- b", "<p>- a  </p><p>- b</p>");
});

test("code ends where its back-quotes do", () => {
  check("1. ``a`b`` · `c*d*` ``` `` ```", "<p>1. <code>a`b</code> · <code>c*d*</code> <code>``</code></p>");
  check("````gdl\na ```\n```\nb\n````\n*c*", "<pre>a ```\n```\nb</pre><p><em>c</em></p>");
});
