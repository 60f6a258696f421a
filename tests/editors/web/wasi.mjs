// Runs a program that was compiled for web pages without a page: the runner of cargo for the tests of server/web.
import fs from "node:fs";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: process.env, preopens: {}, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(fs.readFileSync(program), wasi.getImportObject());
process.exit(wasi.start(instance));
