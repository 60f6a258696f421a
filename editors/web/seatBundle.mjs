// Bundles the page of a seat (percept table) into server/table/page, from where it goes into the program. A test compares.
import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
export const out = path.join(here, "../../server/table/page");

/** The files of the page, by name. */
export async function bundle() {
  const common = { bundle: true, minify: true, target: "es2022", write: false, legalComments: "none", absWorkingDir: here };
  const [script, style] = await Promise.all([
    build({ ...common, entryPoints: ["src/seat/main.ts"], format: "iife" }),
    build({ ...common, entryPoints: ["seat.css"] })]);
  return { "page.js": script.outputFiles[0].text, "page.css": style.outputFiles[0].text,
    "page.html": fs.readFileSync(path.join(here, "seat.html"), "utf8") };
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(await bundle())) fs.writeFileSync(path.join(out, name), text);
}
