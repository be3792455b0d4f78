// The line to one game: commands go out and are answered, events come in, and a lost line is taken up again by itself.

import { ApiError } from "./api.js";

/** @typedef {import("./types").ServerEvent} ServerEvent */
/** @typedef {"connecting" | "open" | "lost"} Connection */
/** @typedef {{resolve: () => void, reject: (error: ApiError) => void}} Waiting */

const FIRST_WAIT = 300; // milliseconds before the first new attempt; twice as long each time, up to LONGEST_WAIT
const LONGEST_WAIT = 4000;
const GONE = [4403, 4404]; // trying again would not help

export class Socket {
  /**
   * @param {string} game
   * @param {(event: ServerEvent) => void} onEvent
   * @param {(connection: Connection) => void} onConnection
   * @param {() => void} onGone the server no longer knows the game
   */
  constructor(game, onEvent, onConnection, onGone) {
    this.game = game;
    this.onEvent = onEvent;
    this.onConnection = onConnection;
    this.onGone = onGone;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    this.lastId = 0;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.timer = 0;
    this.online = () => this.connect();
    addEventListener("online", this.online);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    if (this.closed || (this.line && this.line.readyState <= WebSocket.OPEN)) return;
    const url = new URL(`api/v1/games/${this.game}/socket`, document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    const line = new WebSocket(url);
    this.line = line;
    line.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onConnection("open");
    };
    line.onmessage = ({ data }) => this.hear(JSON.parse(data));
    line.onclose = ({ code }) => {
      if (line !== this.line || this.closed) return;
      this.refuseAll();
      if (GONE.includes(code)) {
        this.close();
        this.onGone();
        return;
      }
      this.onConnection("lost");
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  /** @param {ServerEvent} event */
  hear(event) {
    if (event.event === "done" || (event.event === "error" && event.id !== undefined)) {
      const waiting = this.waiting.get(/** @type {number} */ (event.id));
      this.waiting.delete(/** @type {number} */ (event.id));
      if (event.event === "done") waiting?.resolve();
      else waiting?.reject(new ApiError(event.error));
    } else {
      this.onEvent(event);
    }
  }

  /**
   * Send a command; resolves when it is done, rejects with an ApiError when it is refused or the line is down.
   * @param {string} name
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<void>}
   */
  send(name, fields = {}) {
    if (this.line?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new ApiError({ code: "offline", message: "the server does not answer" }));
    }
    const id = ++this.lastId;
    this.line.send(JSON.stringify({ do: name, id, ...fields }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  refuseAll() {
    const lost = new ApiError({ code: "offline", message: "the connection was lost" });
    for (const { reject } of this.waiting.values()) reject(lost);
    this.waiting.clear();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.online);
    this.refuseAll();
    this.line?.close();
  }
}
