// What a face shows of what has just happened on the board. Nothing but the board speaks: no engine is asked.

import { corners, squareIndex } from "../board/geometry.js";

/** @typedef {import("../shell/types").Color} Color */
/** @typedef {"" | "glad" | "amazed"} Mood */

const MANY = 8; // discs turned at once that one remarks on

/**
 * How a player takes the last move or the end: glad of a corner, of many discs, of a win; amazed at the other's.
 * @param {import("../shell/types").GameState} game
 * @param {Color} color
 * @returns {Mood}
 */
export function moodOf(game, color) {
  const { last, result, size } = game;
  if (game.over && result) return result.winner === null ? "" : result.winner === color ? "glad" : "amazed";
  if (!last) return "";
  const corner = corners(size).includes(squareIndex(last.square, size.rows, size.columns));
  if (!corner && last.flips.length < MANY) return "";
  return last.color === color ? "glad" : "amazed";
}
