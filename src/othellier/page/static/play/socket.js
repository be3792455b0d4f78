// The line to one game: commands go out and are answered, events come in, and a lost line is taken up again by itself.

import { ApiError } from "../shell/api.js";

/** @typedef {import("../shell/types").ServerEvent} ServerEvent */
/** @typedef {"connecting" | "open" | "lost"} Connection */
/** @typedef {{name: string, text: string, resolve: () => void, reject: (error: ApiError) => void, limit: number}} Waiting */

const FIRST_WAIT = 300; // milliseconds before the first new attempt; twice as long each time, up to LONGEST_WAIT
const LONGEST_WAIT = 4000;
const GONE = [4403, 4404]; // trying again would not help
const ANSWER = 60000; // milliseconds until a command without an answer is given up

export class Socket {
  /**
   * @param {string} game
   * @param {(event: ServerEvent) => void} onEvent
   * @param {(connection: Connection) => void} onConnection
   * @param {() => void} onGone the server no longer knows the game
   * @param {() => string | null} place the node one looks at, for a line taken up again
   */
  constructor(game, onEvent, onConnection, onGone, place) {
    this.game = game;
    this.onEvent = onEvent;
    this.onConnection = onConnection;
    this.onGone = onGone;
    this.place = place;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Set<number>} those the server asked to send again later: whatever comes after them waits its turn too */
    this.held = new Set();
    this.lastId = 0;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.timer = 0;
    this.resend = 0;
    this.online = () => this.connect();
    addEventListener("online", this.online);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    if (this.closed || (this.line && this.line.readyState <= WebSocket.OPEN)) return;
    const url = new URL(`api/v1/games/${encodeURIComponent(this.game)}/socket`, document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    const node = this.place();
    if (node !== null) url.searchParams.set("node", node);
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
      const id = /** @type {number} */ (event.id);
      if (event.event === "done") this.settle(id)?.resolve();
      else if (event.error.code === "too_many" && this.waiting.has(id)) this.hold(id, Number(event.error.data?.retry) || 1);
      else this.settle(id)?.reject(new ApiError(event.error));
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
    const text = JSON.stringify({ do: name, id, ...fields });
    if (this.held.size) this.held.add(id);
    else this.line.send(text);
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.settle(id);
        reject(new ApiError({ code: "no_answer", message: `no answer to "${name}" within ${ANSWER / 1000} s`, data: { name } }));
      }, ANSWER);
      this.waiting.set(id, { name, text, resolve, reject, limit });
    });
  }

  /**
   * Nobody waits for this command any more.
   * @param {number} id
   */
  settle(id) {
    const waiting = this.waiting.get(id);
    clearTimeout(waiting?.limit);
    this.waiting.delete(id);
    this.held.delete(id);
    return waiting;
  }

  /**
   * The server has too much to do: send this again later, before all that was asked after it.
   * @param {number} id
   * @param {number} seconds
   */
  hold(id, seconds) {
    if (!this.held.size) this.resend = setTimeout(() => this.sendHeld(), seconds * 1000);
    this.held.add(id);
  }

  sendHeld() {
    const held = [...this.held].sort((a, b) => a - b);
    this.held.clear();
    for (const id of held) this.line?.send(/** @type {Waiting} */ (this.waiting.get(id)).text);
  }

  refuseAll() {
    clearTimeout(this.resend);
    const lost = new ApiError({ code: "offline", message: "the connection was lost" });
    for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(lost);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.online);
    this.refuseAll();
    this.line?.close();
  }
}
