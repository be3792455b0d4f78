// A word on a board, for a while: a pass, or why a square cannot be played. One at a time.

import { h } from "../shell/dom.js";

/** @typedef {import("./board.js").Board} Board */

const REFUSED = 1800; // milliseconds a refusal stays

let timer = 0;
let clear = () => {};

/**
 * @param {Board} board
 * @param {string} text
 * @param {number} milliseconds
 */
export function showNotice(board, text, milliseconds) {
  show(board, "div.notice", text, milliseconds);
}

/**
 * Say why a square cannot be played, and mark it.
 * @param {Board} board
 * @param {number} square
 * @param {string} text
 */
export function refuse(board, square, text) {
  const button = board.squares[square];
  show(board, "div.notice.why", text, REFUSED, () => button?.classList.remove("refused"));
  button?.classList.add("refused");
}

/**
 * Say a few sentences, at the foot of the board: they must not hide what they are about.
 * @param {Board} board
 * @param {string} text
 * @param {number} milliseconds
 */
export function showWarning(board, text, milliseconds) {
  show(board, "div.notice.warning", text, milliseconds);
}

/** The board has gone on: what was said about it is old. */
export function clearNotice() {
  clearTimeout(timer);
  clear();
}

/**
 * @param {Board} board
 * @param {"div.notice" | "div.notice.why" | "div.notice.warning"} name
 * @param {string} text
 * @param {number} milliseconds
 * @param {() => void} [also]
 */
function show(board, name, text, milliseconds, also = () => {}) {
  clearNotice();
  const box = h(name, { "aria-hidden": "true" }, text); // those who listen are told by the announcer
  board.element.append(box);
  clear = () => (box.remove(), also());
  timer = setTimeout(clear, milliseconds);
}
