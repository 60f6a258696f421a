// A link that carries the game: the texts, compressed, after the `#`, a part that browsers do not send.

import { isGame } from "./drafts";
import type { Named } from "./engine";

const VERSION = 1;

/** The length limit in bytes; no game written by hand is longer. */
const MOST = 4 << 20;
/** The number of bytes inflated at once: a browser does not stop within a piece, and one byte can become a thousand. */
const PIECE = 512;

const bytesOf = (bytes: Uint8Array) => new Blob([bytes as BlobPart]).stream();
const gathered = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());

/** The bytes in pieces, each after the last one has been processed. */
function pieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(to) {
      if (at >= bytes.length) return to.close();
      to.enqueue(bytes.slice(at, at += PIECE));
    },
  }, { highWaterMark: 0 });
}

/** The inflated bytes; an error if they are longer than a game can be. */
async function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, to) {
      length += part.length;
      if (length > MOST) throw new Error(`its game is longer than ${MOST >> 20} MB`);
      to.enqueue(part);
    },
  });
  const stream = new DecompressionStream("deflate-raw") as ReadableWritablePair<Uint8Array, Uint8Array>;
  return gathered(pieces(bytes).pipeThrough(stream).pipeThrough(counted));
}

export async function pack(texts: Named[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: VERSION, texts }));
  const small = await gathered(bytesOf(bytes).pipeThrough(new CompressionStream("deflate-raw") as ReadableWritablePair<Uint8Array, Uint8Array>));
  let binary = "";
  for (const byte of small) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The texts of a link. The error gives the reason if it has none. */
export async function unpack(hash: string): Promise<Named[]> {
  if (hash.length > 2 * MOST) throw new Error("it is too long");
  const binary = atob(hash.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await inflated(bytes));
  const value = JSON.parse(text) as { version?: number; texts?: unknown };
  if (value.version !== VERSION) throw new Error("this link is of another version of the playground");
  if (!isGame(value.texts)) throw new Error("this link does not contain a game");
  return value.texts;
}
