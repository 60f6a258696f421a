// Elements without a framework.

type Child = Node | string | null | undefined | false;

/** An element with attributes (functions are listeners) and children. */
export function h(tag: string, attributes: Record<string, unknown> = {}, ...children: (Child | Child[])[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A sentence; what stands between backquotes is code. */
export const prose = (text: string): (Node | string)[] =>
  text.split("`").map((piece, at, all) => at % 2 === 0 ? piece : at + 1 < all.length ? h("code", {}, piece) : `\`${piece}`);

/** A part that scrolls, sideways or down, also by keyboard. */
export const scrolling = (label: string, attributes: Record<string, unknown>, ...children: (Child | Child[])[]): HTMLElement =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label, ...attributes }, ...children);
