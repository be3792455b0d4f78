// The coach of whoever plays a machine: a word before a move that gives much away, and one after each of one's moves.
// It is silent unless it is switched on.

import { app, valuesHere } from "../shell/store.js";
import { isCoached } from "../shell/mode.js";
import { discsLost, reasonSentences } from "../study/verdict.js";
import { signed, t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").SquareValue} SquareValue */

const SERIOUS = ["mistake", "blunder"];

let warned = ""; // the move that was warned of last: a second click plays it
/** @type {{game: string, node: string, square: string, best: string, value: SquareValue} | null} what was played last */
let last = null;

/**
 * A word of warning before a move, once; nothing where the move is fit to be played.
 * @param {string} square
 */
export function warning(square) {
  const game = app.game;
  const values = isCoached() ? valuesHere() : null;
  const value = values?.squares.find((each) => each.square === square);
  if (!game || !values || !value || !SERIOUS.includes(value.label ?? "")) return "";
  const move = `${game.game} ${game.node} ${square}`;
  if (warned === move) return "";
  warned = move;
  return `${because(value, values.best)} ${t("coach.again", { square })}`;
}

/**
 * Remember what was known of a move that is being played.
 * @param {string} square
 */
export function notePlayed(square) {
  const game = app.game;
  const values = isCoached() ? valuesHere() : null;
  const value = values?.squares.find((each) => each.square === square);
  last = game && values && value ? { game: game.game, node: game.node + square, square, best: values.best, value } : null;
}

/** What the coach says of one's last move. */
export function coachWords() {
  const game = app.game;
  if (!isCoached() || !game) return null;
  if (!last || last.game !== game.game || !game.node.startsWith(last.node)) return t("coach.ready");
  const { square, best, value } = last;
  const label = t(`label.${value.label}`);
  if (value.label === "best" || value.label === "forced") return t("coach.fine", { square, label });
  return SERIOUS.includes(value.label ?? "") ? because(value, best, "coach.blamed") : t("coach.better", { square, label, best, loss: signed(-value.loss) });
}

/**
 * Why a square is a bad move: its first reason, and what it costs.
 * @param {SquareValue} value
 * @param {string} best
 * @param {string} [words] before it is played it would be one
 */
function because(value, best, words = "coach.warns") {
  const [reason] = reasonSentences({ move: value.square, best, reasons: value.reasons ?? [] });
  const cost = t(words, { square: value.square, label: t(`label.${value.label}`), loss: discsLost(value.loss, 0) });
  return reason ? `${cost} ${reason}` : cost;
}
