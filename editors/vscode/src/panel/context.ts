// What all parts of the panel share: the model, and what the reader has picked in it.

import type { Model, Wish } from "../protocol";

export interface Panel {
  model: Model;
  /** Sends a wish to the session. */
  send(wish: Wish): void;
  /** Shows the model again, after something was picked. */
  render(): void;
  /** The moves picked for the coming round, by the index of the role. */
  picked: Map<number, string>;
  /** The cells chosen on boards, in the order of the move's arguments. */
  cells: string[];
  /** The players, kept while the view is that of one of them. */
  players: string[];
  /** The strategies that can play the other seats, each with a word on what it does. */
  strategies: readonly (readonly [string, string])[];
}
