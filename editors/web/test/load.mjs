// Loads a module of the page for a test, without the page around it.
import { build } from "esbuild";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");

export async function load(file) {
  const { outputFiles: [made] } = await build({ entryPoints: [path.join(root, file)], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(made.text).toString("base64")}`);
}
