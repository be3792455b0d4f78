// A few words to a person at the end of a game: praise for a win, and after a loss what may help the next time.

import { corners } from "../board/geometry.js";
import { gamesInRow, isFirstWin } from "./streak.js";
import { otherColor, playerName } from "../shell/words.js";
import { t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").Color} Color */
/** @typedef {import("../shell/types").GameState} GameState */

const CLOSE = 6; // discs between two sides that were as good as each other
const ROW = 3; // wins in a row that are worth a word

/**
 * @param {GameState} game one that has ended, against a machine
 * @param {Color} me
 */
export function praiseWords(game, me) {
  const { result, players } = game;
  if (!result) return "";
  const name = playerName(players[otherColor(me)], otherColor(me), players);
  const margin = Math.abs(result.black);
  if (result.winner === null) return t("praise.draw");
  if (result.winner === me) return winWords(game, otherColor(me), name, margin);
  if (result.reason) return t("praise.again"); // given up, or out of time
  if (margin <= CLOSE) return t("praise.lost_close", { n: margin });
  const theirs = cornersOf(game, otherColor(me));
  return theirs > cornersOf(game, me) + 1 ? t("praise.corners", { name, n: theirs }) : t("praise.lost", { name });
}

/**
 * @param {GameState} game
 * @param {Color} other
 * @param {string} name
 * @param {number} margin
 */
function winWords({ game, discs, result }, other, name, margin) {
  const row = gamesInRow(game);
  if (isFirstWin(game)) return t("praise.first", { name });
  if (discs[other] === 0) return t("praise.all", { name });
  if (row >= ROW) return t("praise.row", { name, n: row });
  return t(margin <= CLOSE && !result?.reason ? "praise.won_close" : "praise.won");
}

/**
 * @param {GameState} game
 * @param {Color} color
 */
function cornersOf({ board, size }, color) {
  return corners(size).filter((square) => board[square] === (color === "black" ? "X" : "O")).length;
}
