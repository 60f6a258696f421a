// The reader's own games: each is a draft, saved in the browser. The text of a link or an example becomes a new draft when the
// reader changes it, and never replaces another draft.

import type { Named } from "./engine";

export interface Draft { id: string; name: string; texts: Named[]; at: number }

/** The part of the browser's storage that is used. */
export type Storage = Pick<globalThis.Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

const PREFIX = "percept-draft-";
/** The key of older versions, which saved only one game. */
const OLD = "percept-game";

const isNamed = (it: unknown): it is Named =>
  typeof it === "object" && it !== null && typeof (it as Named).name === "string" && typeof (it as Named).text === "string";

/** True if this is a game: one text, or a domain and its problem. */
export const isGame = (it: unknown): it is Named[] => Array.isArray(it) && it.length >= 1 && it.length <= 2 && it.every(isNamed);

/** True if both are the same, letter by letter. */
export const sameGame = (one: Named[], other: Named[]): boolean => JSON.stringify(one) === JSON.stringify(other);

export class Drafts {
  /** The current draft, if there is one. */
  current?: Draft;
  /** The text of a link or an example, as long as it is unchanged. */
  private brought: Named[] = [];

  constructor(private storage: Storage) {
    const old = this.read(OLD);
    if (isGame(old) && this.store(this.fresh(old))) storage.removeItem(OLD);
  }

  /** All drafts, the last edited one first. */
  all(): Draft[] {
    const keys = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? "");
    const found = keys.filter((key) => key.startsWith(PREFIX)).map((key) => this.of(key.slice(PREFIX.length)));
    return found.filter((it): it is Draft => it !== undefined).sort((a, b) => b.at - a.at);
  }

  /** The draft as saved. */
  of(id: string): Draft | undefined {
    const kept = this.read(PREFIX + id) as Partial<Draft> | null;
    return kept && isGame(kept.texts) && typeof kept.name === "string"
      ? { id, name: kept.name, texts: kept.texts, at: Number(kept.at) || 0 } : undefined;
  }

  /** Shows the text of a link or an example; drafts are left as they are. */
  bring(texts: Named[]): void {
    this.current = undefined;
    this.brought = texts;
  }

  /** Resumes a draft. */
  resume(draft: Draft): void {
    this.current = draft;
    this.brought = [];
  }

  /** Saves the current text if the reader has changed it; false if the browser refuses to save it. */
  keep(texts: Named[]): boolean {
    const current = this.current;
    if (sameGame(texts, current?.texts ?? this.brought)) return true;
    // Another tab may have changed the draft: then this text becomes a second draft.
    const now = current && this.of(current.id);
    const isOurs = current && (!now || sameGame(now.texts, current.texts));
    const kept = isOurs && current.texts.at(-1)?.name === texts.at(-1)?.name;
    const draft = isOurs ? { ...current, name: kept ? current.name : this.free(texts, current.id), texts, at: Date.now() } : this.fresh(texts);
    this.current = draft;
    return this.store(draft);
  }

  private fresh(texts: Named[]): Draft {
    const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    return { id, name: this.free(texts, id), texts, at: Date.now() };
  }

  /** A name that no other draft has. */
  private free(texts: Named[], id: string): string {
    const names = this.all().filter((it) => it.id !== id).map((it) => it.name);
    const plain = texts[texts.length - 1].name;
    let name = plain;
    for (let number = 2; names.includes(name); number++) name = `${plain} (${number})`;
    return name;
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

/** The browser's storage, or, if it is forbidden, one that lasts as long as the page. */
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
