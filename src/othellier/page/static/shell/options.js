// What the player chose and the browser remembers. Reading never fails: what is damaged or unknown is a default.

import { api } from "./api.js";

const KEY = "othellier.options";

const DEFAULTS = {
  theme: /** @type {"" | "light" | "dark"} */ (""),
  board: "green", // how the board and the discs look: see theme.css
  discs: "classic",
  language: "", // as i18n/ has them; the browser's if empty
  dots: true,
  values: false,
  coach: false, // whether the engine helps while one plays it
  lines: true, // whether the best three lines are shown to whoever studies
  hints: false,
  ponder: false,
  book: true,
  info: true,
  coordinates: true,
  speed: "normal", // of the discs: see motion.js
  volume: 0.6, // 0 is silence
  letters: true,
  tab: "moves",
  drill: "", // the repertoire learnt last
  lastGame: "", // what the new-game dialog was answered with
  name: "", // the player's own
  traceHost: false, // with the names of this computer and of the account in it
  trace: true, // a trace file at the end of each game; the server does it
};

/** What is about the player, not about this device: the server remembers it for the player's other devices. */
const PERSONAL = ["language", "name", "trace", "traceHost", "lastGame", "drill"];

/** @typedef {typeof DEFAULTS} Options */

/** @returns {Options} */
function read() {
  try {
    return { ...DEFAULTS, ...usable(JSON.parse(localStorage.getItem(KEY) ?? "{}")) };
  } catch {
    return { ...DEFAULTS }; // damaged, or storage is forbidden here
  }
}

/**
 * What can be used of what was stored: options of the kind they have now, and switches that only the table of actions knows.
 * @param {Record<string, unknown> | null} stored
 * @returns {Partial<Options>}
 */
function usable(stored) {
  const known = /** @type {Record<string, unknown>} */ (DEFAULTS);
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([key, value]) => typeof value === typeof (known[key] ?? false)));
}

/**
 * Whether a switch is on; one without a default is off until somebody turns it on.
 * @param {string} name
 */
export function isOn(name) {
  return /** @type {Record<string, unknown>} */ (options)[name] === true;
}

export const options = read();

/** Whether this browser remembers the player: else the server may. */
export function isKnown() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Take over what the server remembers of the player, on every port and in every browser.
 * @param {Record<string, unknown>} stored
 */
export function adopt(stored) {
  Object.assign(options, personal(usable(stored)));
  keep();
}

/** @param {Record<string, unknown>} chosen */
function personal(chosen) {
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => PERSONAL.includes(name)));
}

/** Remember them in this browser; whether it does. */
export function rememberOptions() {
  try {
    localStorage.setItem(KEY, JSON.stringify(options));
    return true;
  } catch {
    return false; // they hold until the page is closed
  }
}

function keep() {
  rememberOptions();
  for (const listener of listeners) listener();
}

/**
 * Change options, remember them, and tell whoever asked.
 * @param {Partial<Options>} changes
 */
export function setOptions(changes) {
  Object.assign(options, changes);
  keep();
  const told = personal(changes);
  if (Object.keys(told).length) api.setOptions(told).catch(() => {}); // the browser has them; the server gets them with the next change
}

/** @param {() => void} listener */
export function onOptions(listener) {
  listeners.add(listener);
}

// Another tab changed them: follow.
addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  Object.assign(options, read());
  for (const listener of listeners) listener();
});
