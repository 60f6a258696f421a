// Links: a game goes into one and comes out again, and one that inflates without end is refused.
import assert from "node:assert/strict";
import test from "node:test";
import zlib from "node:zlib";
import { load } from "./load.mjs";

const { pack, unpack } = await load("src/link.ts");
const link = (text) => zlib.deflateRawSync(text, { level: 9 }).toString("base64url");

test("a game in a link is unchanged", async () => {
  const texts = [{ name: "d.pog", text: "(define ö)\n".repeat(5000) }, { name: "p.pog", text: "" }];
  assert.deepEqual(await unpack(await pack(texts)), texts);
});

test("a link without a game is reported in words", async () => {
  await assert.rejects(unpack(link(JSON.stringify({ version: 1, texts: [] }))), /does not contain a game/);
  await assert.rejects(unpack(link(JSON.stringify({ version: 9 }))), /another version/);
});

test("a link is inflated only up to a limit", async () => {
  const large = link(Buffer.alloc(300e6, " "));
  const begin = process.memoryUsage().rss;
  await assert.rejects(unpack(large), /its game is longer than 4 MB/);
  assert.ok(process.memoryUsage().rss - begin < 60e6);
  await assert.rejects(unpack("A".repeat(9e6)), /it is too long/);
});
