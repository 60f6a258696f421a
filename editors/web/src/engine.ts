// Requests to percept, which runs in workers: one for quick requests during editing, one for long work, which can be stopped.

import type { AnswerMessage } from "./worker";

export interface Named { name: string; text: string }
export interface Place { text: number; from: number; to: number }
export interface Edit extends Place { insert: string }
export interface Fix { title: string; edits: Edit[] }
export interface Finding extends Place {
  rule: string;
  severity: "error" | "warning" | "information" | "hint";
  message: string;
  related: (Place & { message: string })[];
  fixes: Fix[];
  because?: string;
  moves?: string[][];
}

/** The reason for a missing answer. */
export class NoAnswer extends Error {}

interface Waiting { resolve: (value: unknown) => void; reject: (why: Error) => void }

class Line {
  private worker?: Worker;
  private waiting = new Map<number, Waiting>();
  private last = 0;
  private resolve: () => void = () => {};
  /** Resolves with the first answer, or rejects if there will be none. */
  readonly answered = new Promise<void>((resolve) => { this.resolve = resolve; });

  constructor(private program: Promise<WebAssembly.Module>) {}

  private start(): Worker {
    const worker = new Worker("worker.js");
    this.program.then((program) => worker.postMessage({ program }), (error) => this.stop(`percept cannot be loaded: ${error}`));
    worker.onmessage = (event: MessageEvent<AnswerMessage>) => {
      const { id, answer } = event.data;
      this.resolve();
      const it = this.waiting.get(id);
      this.waiting.delete(id);
      const value = JSON.parse(answer) as { error?: string } | null;
      if (value && typeof value === "object" && "error" in value && value.error) it?.reject(new NoAnswer(value.error));
      else it?.resolve(value);
    };
    worker.onerror = (event) => this.stop(event.message || "the worker has crashed");
    return worker;
  }

  ask<T>(question: object): Promise<T> {
    this.worker ??= this.start();
    const id = ++this.last;
    const answer = new Promise<T>((resolve, reject) => this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject }));
    this.worker.postMessage({ id, question: JSON.stringify(question) });
    return answer;
  }

  /** Stops the current work; the next request starts a new worker. */
  stop(why = "stopped"): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.resolve();
    for (const it of this.waiting.values()) it.reject(new NoAnswer(why));
    this.waiting.clear();
  }

  get isBusy(): boolean {
    return this.waiting.size > 0;
  }
}

async function load(): Promise<WebAssembly.Module> {
  const answer = await fetch("percept.wasm");
  if (!answer.ok) throw new Error(`percept.wasm: ${answer.status}`);
  if (answer.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  // Not every server sends the content type that streaming requires.
  return WebAssembly.compile(await answer.arrayBuffer());
}

const program = load();
/** The worker for quick requests. */
export const quick = new Line(program);
/** The worker for long work; it starts late so that it does not delay the first findings. */
export const long = new Line(quick.answered.then(() => program));
/** Resolves when percept is loaded. */
export const ready = program.then(() => { performance.mark("percept-loaded"); });
