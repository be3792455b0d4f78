// What the position one looks at is worth, by the best that is known of it.

import { app, here, valuesHere } from "../shell/store.js";
import { isAdvised, mode } from "../shell/mode.js";
import { isAsked } from "../study/mistakes.js";
import { judgementHere } from "../study/verdict.js";
import { options } from "../shell/options.js";

/** @typedef {import("../shell/types").Color} Color */
/**
 * @typedef {object} Reading
 * @property {number} black Black's score
 * @property {boolean} exact
 * @property {number | null} [depth]
 * @property {number} [win] for Black; half of it draws where `draw` is not known
 * @property {number} [draw]
 * @property {string[]} pv
 * @property {string} [source]
 */

/**
 * The values of all squares, a hint, what the machine thinks, what the analysis found, or what was noted. While one
 * plays nothing is said that was not asked for.
 * @returns {Reading | null}
 */
export function readingHere() {
  const game = app.game;
  if (!game || game.over || isAsked()) return null;
  const playing = mode() === "play";
  const values = playing && !(options.values && isAdvised()) ? null : valuesHere();
  const best = values?.squares.find((value) => value.square === values.best);
  if (values && best) return fromSide(values.turn, best);
  if (app.hint?.node === game.node) {
    const { score, win, draw } = app.hint;
    if (score !== null && win !== null && draw !== null) return fromSide(app.hint.turn, { ...app.hint, score, win, draw });
  }
  if (playing) return null;
  const { thinking } = app;
  if (thinking?.color && thinking.node === game.node && typeof thinking.black === "number" && options.info) {
    return { black: thinking.black, exact: thinking.exact ?? false, depth: thinking.depth, pv: thinking.pv ?? [] };
  }
  const judged = judgementHere();
  if (judged) return { black: judged.black, exact: judged.exact, depth: judged.depth, win: judged.win, pv: judged.line.slice(1) };
  const noted = here()?.eval;
  return noted && options.info ? { ...noted, exact: noted.exact ?? false, pv: noted.pv ?? [], source: noted.text } : null;
}

/**
 * @param {Color} turn
 * @param {{score: number, exact: boolean, depth: number, win: number, draw: number, pv: string[], source: string}} value
 * @returns {Reading}
 */
function fromSide(turn, value) {
  const sign = turn === "black" ? 1 : -1;
  const win = turn === "black" ? value.win : 1 - value.win - value.draw;
  return { ...value, black: sign * value.score, win };
}
