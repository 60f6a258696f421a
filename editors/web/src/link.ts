// A link that carries the game: the texts, compressed, behind the `#`, which browsers send to nobody.

import type { Named } from "./engine";

const VERSION = 1;

async function through(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const readable = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(readable).arrayBuffer());
}

export async function pack(texts: Named[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: VERSION, texts }));
  const small = await through(bytes, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of small) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The texts of a link; an error says why there are none. */
export async function unpack(hash: string): Promise<Named[]> {
  const binary = atob(hash.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
  const value = JSON.parse(text) as { version?: number; texts?: unknown };
  if (value.version !== VERSION) throw new Error("this link is of another version of the playground");
  const isNamed = (it: unknown): it is Named =>
    typeof it === "object" && it !== null && typeof (it as Named).name === "string" && typeof (it as Named).text === "string";
  if (!Array.isArray(value.texts) || value.texts.length < 1 || value.texts.length > 2 || !value.texts.every(isNamed)) {
    throw new Error("this link carries no game");
  }
  return value.texts;
}
