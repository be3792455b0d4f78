// Requests to the server and its errors. What changes a game being looked at goes through socket.js instead.

import { badMoveWords, serverWords } from "./reasons.js";
import { has, number, t } from "./i18n.js";

const MEGABYTE = 1 << 20;
const ANSWER = 60000; // milliseconds until a request without an answer is given up
const UPLOAD = 600000; // and one that sends a file
const TRIES = 5; // of a request the server wants later

/** What the server answers when it refuses, or what stands for its silence (`offline`). */
export class ApiError extends Error {
  /** @param {import("./types").ErrorView} body */
  constructor(body) {
    super(body.message);
    this.code = body.code;
    this.data = body.data ?? {};
  }

  /** The error in the player's language; codes the page does not know keep the server's words. */
  get words() {
    if (this.code === "bad_move") return badMoveWords(this.data);
    const key = `error.${this.code}`;
    const data = /** @type {import("./i18n.js").Params} */ ({ reason: serverWords(this.message), ...this.data });
    if (Number(data.limit) >= MEGABYTE) data.limit = `${number(Number(data.limit) / MEGABYTE)} MB`;
    return has(key) ? t(key, data) : this.message;
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function wordsOf(error) {
  return error instanceof ApiError ? error.words : String(error instanceof Error ? error.message : error);
}

/**
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {BodyInit} [body]
 * @param {string} [type]
 */
async function request(method, path, body, type = "application/json") {
  const answer = await sent(method, path, body, type);
  const text = await answer.text();
  /** @type {any} */
  let content = null;
  try {
    content = JSON.parse(text);
  } catch {
    // No JSON: told below by the status.
  }
  if (answer.ok) return content;
  throw new ApiError(content?.error ?? { code: "internal", message: `${answer.status} ${answer.statusText}` });
}

/**
 * The answer to a request; where the server asks to come again later, that is done.
 * @param {string} method
 * @param {string} path
 * @param {BodyInit | undefined} body
 * @param {string} type
 * @returns {Promise<Response>}
 */
async function sent(method, path, body, type) {
  for (let tries = 1; ; tries++) {
    /** @type {Response} */
    let answer;
    try {
      answer = await fetch(`api/v1/${path}`, {
        method,
        body,
        headers: body === undefined ? {} : { "Content-Type": type },
        signal: AbortSignal.timeout(body instanceof Blob ? UPLOAD : ANSWER),
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === "TimeoutError") {
        throw new ApiError({ code: "no_answer", message: `no answer to ${method} ${path}`, data: { name: path } });
      }
      throw new ApiError({ code: "offline", message: "the server does not answer" });
    }
    if (answer.status !== 429 || tries === TRIES) return answer;
    const seconds = Number(answer.headers.get("Retry-After")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(seconds, 10)));
  }
}

/** @param {unknown} body */
const json = (body) => JSON.stringify(body);

/**
 * A path with its query; what is undefined or empty is left out.
 * @param {string} path
 * @param {Record<string, string | number | boolean | undefined>} query
 */
export function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return given.length ? `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : path;
}

/**
 * For questions whose answers may come in another order: each asks for its turn, and then whether that is still the last.
 */
export function turns() {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}

/** @typedef {import("./types").GameState} GameState */
/** @typedef {import("./types").Summary} Summary */

export const api = {
  /** @returns {Promise<import("./types").Info>} */
  info: () => request("GET", "info"),
  /** @returns {Promise<import("./types").PlayersView>} */
  players: () => request("GET", "players"),
  /** @returns {Promise<import("./types").OpeningList>} */
  openings: () => request("GET", "openings"),
  /** @returns {Promise<Record<string, unknown>>} */
  options: () => request("GET", "options"),
  /** @returns {Promise<{default: string | null}>} */
  languages: () => request("GET", "languages"),
  /** @param {Record<string, unknown>} changes */
  setOptions: (changes) => request("PATCH", "options", json(changes)),
  /** @param {string} game @param {string} node @returns {Promise<import("./types").Explored>} */
  explorer: (game, node) => request("GET", `explorer?${new URLSearchParams({ game, node })}`),
  /** @param {string} game @param {string} node @returns {Promise<import("./types").EngineValues>} */
  explorerValues: (game, node) => request("GET", `explorer/values?${new URLSearchParams({ game, node })}`),
  /** @param {Record<string, string | number>} query @returns {Promise<import("./types").ModelGames>} */
  modelGames: (query) => request("GET", withQuery("explorer/games", query)),
  /** @param {import("./types").ModelAsked} asked @returns {Promise<import("./types").ModelOpened>} */
  openModel: (asked) => request("POST", "explorer/games", json(asked)),
  /** @returns {Promise<import("./types").DatabaseView>} */
  database: () => request("GET", "database"),
  /** @param {File} file @returns {Promise<import("./types").DatabaseView>} */
  addGames: (file) => request("POST", withQuery("database", { name: file.name }), file, "application/octet-stream"),
  /** @returns {Promise<import("./types").DatabaseView>} */
  clearGames: () => request("DELETE", "database"),
  /** @returns {Promise<import("./types").BooksView>} */
  books: () => request("GET", "books"),
  /** @param {string} name @returns {Promise<import("./types").BooksView>} */
  chooseBook: (name) => request("PATCH", "books", json({ name })),
  /** @param {File} file @returns {Promise<import("./types").BooksView>} */
  addBook: (file) => request("POST", withQuery("books", { name: file.name }), file, "application/octet-stream"),
  /** @param {Record<string, string | number | boolean | undefined>} query @returns {Promise<import("./types").DrillView>} */
  drill: (query) => request("GET", withQuery("drill", query)),
  /** @param {object} given @returns {Promise<import("./types").DrillAnswer>} */
  answerDrill: (given) => request("POST", "drill", json(given)),
  /** @param {Record<string, string | boolean | undefined>} query @returns {Promise<import("./types").PuzzlesView>} */
  puzzles: (query) => request("GET", withQuery("puzzles", query)),
  /** @returns {Promise<import("./types").ProfileView>} */
  profile: () => request("GET", "profile"),
  /** @param {{puzzle: string, moves: string[], mistakes: number}} given @returns {Promise<import("./types").PuzzleAnswer>} */
  answerPuzzle: (given) => request("POST", "puzzles", json(given)),
  /** @param {{game: string, node: string, players: string[], language: string}} asked @returns {Promise<{trees: import("../laboratory/stepper.js").Recorded[]}>} */
  trees: (asked) => request("POST", "trees", json(asked)),
  /** @param {string} board @param {string} size @returns {Promise<import("./types").PositionView>} */
  check: (board, size) => request("POST", "positions", json({ board, size })),
  /** @param {object} choices @returns {Promise<GameState>} */
  newGame: (choices) => request("POST", "games", json(choices)),
  /** @param {string} game @returns {Promise<GameState>} */
  game: (game) => request("GET", `games/${game}`),
  /** @param {Record<string, string | number | undefined>} query @returns {Promise<import("./types").Library>} */
  library: (query) => request("GET", withQuery("games", query)),
  /** @param {string} game @param {{title?: string, tags?: string[]}} changes @returns {Promise<Summary>} */
  change: (game, changes) => request("PATCH", `games/${game}`, json(changes)),
  /** @param {object} selection @returns {Promise<import("./types").Selected>} */
  changeMany: (selection) => request("POST", "games/selection", json(selection)),
  /** @returns {Promise<import("./types").CollectionList>} */
  collections: () => request("GET", "collections"),
  /** @param {string} name @returns {Promise<import("./types").CollectionView>} */
  makeCollection: (name) => request("POST", "collections", json({ name })),
  /** @param {string} collection @param {string} name @returns {Promise<import("./types").CollectionList>} */
  renameCollection: (collection, name) => request("PATCH", `collections/${collection}`, json({ name })),
  /** @param {string} collection @returns {Promise<import("./types").CollectionList>} */
  deleteCollection: (collection) => request("DELETE", `collections/${collection}`),
  /** @param {string} text @param {string} [collection] @returns {Promise<import("./types").Imported>} */
  importText: (text, collection) => request("POST", withQuery("import", { collection }), json({ text })),
  /** @param {File} file @param {string} [collection] @returns {Promise<import("./types").Imported | import("./types").JobView>} */
  importFile: (file, collection) =>
    request("POST", withQuery("import", { name: file.name, background: true, collection }), file, "application/octet-stream"),
  /** @param {string} job @returns {Promise<import("./types").JobView>} */
  job: (job) => request("GET", `jobs/${job}`),
  /** @param {string} job @returns {Promise<import("./types").JobView>} */
  stopJob: (job) => request("DELETE", `jobs/${job}`),
};

/**
 * Save something the server or the page made as a file.
 * @param {string} url
 * @param {string} name
 */
export function download(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
