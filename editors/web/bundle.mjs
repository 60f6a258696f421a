// Bundles the page and its worker into dist/, beside the files of ./build.
import { build } from "esbuild";
import fs from "node:fs";

const common = { bundle: true, minify: true, target: "es2022", outdir: "dist", legalComments: "linked", loader: { ".kif": "text", ".hrf": "text", ".pog": "text", ".md": "text" } };
fs.mkdirSync("dist", { recursive: true });
await build({ ...common, entryPoints: ["src/main.ts"], format: "esm" });
await build({ ...common, entryPoints: ["src/worker.ts"], format: "iife" });
await build({ ...common, entryPoints: ["style.css"] });
fs.copyFileSync("index.html", "dist/index.html");
