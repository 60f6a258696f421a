// The worker that runs percept: one request after the other, off the page's own thread. Nothing leaves this machine.

import { Fd, WASI, wasi as codes } from "@bjorn3/browser_wasi_shim";

/** A request as text, and its answer. */
export interface QuestionMessage { id: number; question: string }
export interface AnswerMessage { id: number; answer: string; milliseconds: number }

/** The standard input and output of percept: the request and the answer. */
class Talk extends Fd {
  private input = new Uint8Array();
  private at = 0;
  private written: Uint8Array[] = [];

  ask(question: string): void {
    this.input = new TextEncoder().encode(question);
    this.at = 0;
    this.written = [];
  }

  answer(): string {
    const decoder = new TextDecoder();
    return this.written.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }

  override fd_read(size: number): { ret: number; data: Uint8Array } {
    const data = this.input.slice(this.at, this.at + size);
    this.at += data.length;
    return { ret: codes.ERRNO_SUCCESS, data };
  }

  override fd_write(data: Uint8Array): { ret: number; nwritten: number } {
    this.written.push(data.slice());
    return { ret: codes.ERRNO_SUCCESS, nwritten: data.length };
  }
}

interface Percept { memory: WebAssembly.Memory; _initialize?: () => void; percept_answer: () => void }

const talk = new Talk();
const complaints = new Talk();
let program: WebAssembly.Module | undefined;
let percept: Percept | undefined;
const waiting: QuestionMessage[] = [];

/** Creates an instance of percept: at the start, and after a crash. */
async function start(): Promise<Percept> {
  const wasi = new WASI([], [], [talk, talk, complaints]);
  const instance = await WebAssembly.instantiate(program as WebAssembly.Module, { wasi_snapshot_preview1: wasi.wasiImport });
  wasi.initialize(instance as Parameters<typeof wasi.initialize>[0]);
  return instance.exports as unknown as Percept;
}

async function answer(message: QuestionMessage): Promise<void> {
  const begin = performance.now();
  let text: string;
  try {
    percept ??= await start();
    talk.ask(message.question);
    complaints.ask("");
    percept.percept_answer();
    text = talk.answer();
  } catch (error) {
    // The state after a crash is undefined: the next request gets a new instance.
    percept = undefined;
    const why = complaints.answer().split("\n").find((line) => line.trim()) ?? String(error);
    text = JSON.stringify({ error: `percept has crashed: ${why}`, fallen: true });
  }
  postMessage({ id: message.id, answer: text, milliseconds: performance.now() - begin } satisfies AnswerMessage);
}

onmessage = async (event: MessageEvent<QuestionMessage | { program: WebAssembly.Module }>) => {
  if ("program" in event.data) {
    program = event.data.program;
  } else {
    waiting.push(event.data);
  }
  if (!program || busy) return;
  busy = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) await answer(next);
  busy = false;
};
let busy = false;
