// What the reader has written: every game of their own is a draft, kept in the browser. A text that a link or an example brought is
// none until the reader changes it, and takes the place of none.

import type { Named } from "./engine";

export interface Draft { id: string; name: string; texts: Named[]; at: number }

/** What of the browser's storage is needed. */
export type Storage = Pick<globalThis.Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

const PREFIX = "percept-draft-";
/** Where the one game was kept before there were drafts. */
const OLD = "percept-game";

const isNamed = (it: unknown): it is Named =>
  typeof it === "object" && it !== null && typeof (it as Named).name === "string" && typeof (it as Named).text === "string";

/** Whether this is a game: one text, or a domain and its problem. */
export const isGame = (it: unknown): it is Named[] => Array.isArray(it) && it.length >= 1 && it.length <= 2 && it.every(isNamed);

/** Whether both are the same, letter by letter. */
export const sameGame = (one: Named[], other: Named[]): boolean => JSON.stringify(one) === JSON.stringify(other);

export class Drafts {
  /** The draft that is being written, if one is. */
  current?: Draft;
  /** What was brought, as long as it stands there unchanged. */
  private brought: Named[] = [];

  constructor(private storage: Storage) {
    const old = this.read(OLD);
    if (isGame(old) && this.store(this.fresh(old))) storage.removeItem(OLD);
  }

  /** All of them, the one written last first. */
  all(): Draft[] {
    const keys = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? "");
    const found = keys.filter((key) => key.startsWith(PREFIX)).map((key) => this.of(key.slice(PREFIX.length)));
    return found.filter((it): it is Draft => it !== undefined).sort((a, b) => b.at - a.at);
  }

  /** The draft as it was kept. */
  of(id: string): Draft | undefined {
    const kept = this.read(PREFIX + id) as Partial<Draft> | null;
    return kept && isGame(kept.texts) && typeof kept.name === "string"
      ? { id, name: kept.name, texts: kept.texts, at: Number(kept.at) || 0 } : undefined;
  }

  /** A link or an example shows this: what was written is left as it is. */
  bring(texts: Named[]): void {
    this.current = undefined;
    this.brought = texts;
  }

  /** The reader goes on with a draft. */
  resume(draft: Draft): void {
    this.current = draft;
    this.brought = [];
  }

  /** Keeps the text as it stands, if the reader has written any of it; false where the browser does not let it be kept. */
  keep(texts: Named[]): boolean {
    const current = this.current;
    if (sameGame(texts, current?.texts ?? this.brought)) return true;
    // Another tab may have written on: then this is a draft beside that one.
    const now = current && this.of(current.id);
    const isOurs = current && (!now || sameGame(now.texts, current.texts));
    const draft = isOurs ? { ...current, texts, at: Date.now() } : this.fresh(texts);
    this.current = draft;
    return this.store(draft);
  }

  private fresh(texts: Named[]): Draft {
    const names = this.all().map((it) => it.name);
    const plain = texts[texts.length - 1].name;
    let name = plain;
    for (let number = 2; names.includes(name); number++) name = `${plain} (${number})`;
    const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    return { id, name, texts, at: Date.now() };
  }

  private store(draft: Draft): boolean {
    try {
      this.storage.setItem(PREFIX + draft.id, JSON.stringify({ name: draft.name, texts: draft.texts, at: draft.at }));
      return true;
    } catch { return false; }
  }

  private read(key: string): unknown {
    try { return JSON.parse(this.storage.getItem(key) ?? "null"); } catch { return null; }
  }
}

/** The browser's storage; where it forbids that, one that lasts as long as the page. */
export function storage(): Storage {
  try {
    localStorage.getItem(OLD);
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      get length() { return kept.size; },
      key: (at) => [...kept.keys()][at] ?? null,
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}
