// The panel's host in the page: its requests go to percept in the worker.

import type { Edit, Location, Model, Step } from "../../vscode/src/protocol";
import { trace, type Host } from "../../vscode/src/session";
import { long, NoAnswer, type Named, type Place } from "./engine";
import { Table } from "./table";

/** The functions of the page used here. */
export interface Page {
  texts(): Named[];
  post(model: Model): void;
  go(place: Place): void;
  insert(edits: (Place & { insert: string })[]): void;
  download(name: string, text: string): void;
}

/** An answer with the refusals of a text that is not a game. */
interface Refused { refusals?: (Partial<Place> & { message: string; location?: Location | null })[] }

/** The time limits of this page, which has one thread: for a match, and for each role and property in every match. */
const SECONDS: Record<string, object> = { "percept.observe": { seconds: 10 }, "percept.prove": { seconds: 3 } };

export class PageHost implements Host {
  private table = new Table((question) => this.put(question));

  constructor(private page: Page) {}

  game(): object { return { texts: this.page.texts() }; }

  post(model: Model): void { this.page.post(model); }

  async ask(command: string, argument: object, signal: AbortSignal): Promise<unknown> {
    const stop = () => { if (long.isBusy) long.stop(); };
    signal.addEventListener("abort", stop);
    try {
      return command === "percept.match" ? await this.table.act(argument as Parameters<Table["act"]>[0])
        : await this.put({ ...argument, ...SECONDS[command], ask: command.replace("percept.", "") });
    } catch (error) {
      if (error instanceof NoAnswer && error.message === "stopped") return undefined;
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  private async put(question: object): Promise<unknown> {
    const answer = await long.ask<Refused>(question);
    // A place of the page's texts is opened like an editor's.
    for (const it of answer.refusals ?? []) it.location = it.text === undefined ? null : it as unknown as Location;
    return answer;
  }

  show(places: Location[]): void {
    const { uri, range } = places[0];
    // An explanation names the text by its number, and counts from its start.
    this.page.go(uri?.startsWith("text:") ? { text: Number(uri.slice(5)), from: range.start.character, to: range.end.character } : places[0] as unknown as Place);
  }

  insert(edits: Edit[]): void { this.page.insert(edits as unknown as (Place & { insert: string })[]); }

  save(step: Step): void {
    const name = this.page.texts().at(-1)?.name ?? "game";
    this.page.download(`${name.replace(/\.[^.]*$/, "")}-1.trace`, trace(step, name));
  }
}
