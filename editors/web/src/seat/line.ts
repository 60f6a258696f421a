// The line to the table: it takes the seat of the link, and comes back after an interruption.

import type { Message, Wish } from "./messages";

/** The longest time between two attempts, in milliseconds. */
const LONGEST = 10_000;

export class Line {
  private socket?: WebSocket;
  private wait = 500;
  private ended = false;

  /** `lost` is called if the line breaks; `first` has the wishes of a new line after its seat. */
  constructor(private token: string, private take: (message: Message) => void, private lost: () => void, private first: () => Wish[]) {
    this.open();
    // A phone that wakes up does not wait for the next attempt.
    document.addEventListener("visibilitychange", () => { if (!document.hidden && this.socket?.readyState === WebSocket.CLOSED) this.open(); });
  }

  send(wish: Wish): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wish));
  }

  /** Does not try again. */
  end(): void {
    this.ended = true;
  }

  private open(): void {
    if (this.ended || this.socket && this.socket.readyState < WebSocket.CLOSING) return;
    const socket = this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/line`);
    socket.onopen = () => {
      this.wait = 500;
      this.send({ wish: "sit", token: this.token });
      this.first().forEach((wish) => this.send(wish));
    };
    socket.onmessage = (event) => this.take(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => {
      if (this.ended) return;
      this.lost();
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST);
    };
  }
}
