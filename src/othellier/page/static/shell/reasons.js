// The server's reasons in the reader's language. It tells them in one English line; those that people meet when they
// paste or set up something are known here, others are shown as they are.

import { has, t } from "./i18n.js";

/** @type {[RegExp, string, string[]][]} how a reason is told, its key, and what its places are called */
const KNOWN = [
  [/is in no known format/, "why.unknown_format", []],
  [/is empty$|at least 1 character/, "why.empty", []],
  [/at most (\d+) characters/, "why.long", ["n"]],
  [/(\d+) squares given, a \S+ board has (\d+)/, "why.squares", ["n", "of"]],
  [/the side to move, X or O, is missing/, "why.no_side", []],
  [/(\d+) squares and a side to move are not a square board/, "why.no_board", ["n"]],
  [/unknown sign '(.)' on (\w+)/, "why.sign", ["sign", "square"]],
  [/unknown sign '(.)': a board is/, "why.signs", ["sign"]],
  [/unknown side to move '(.)'/, "why.side", ["sign"]],
  [/nobody can move in this position/, "why.nobody", []],
  [/openings are known on 8x8 alone/, "why.size", []],
  [/illegal move (\w+): it flips nothing/, "why.flips_nothing", []],
  [/^(.+): it was written by a newer version/, "why.newer_games", ["file"]],
  [/^(.+): was written by a newer version/, "why.newer", ["file"]],
  [/^(.+?): is not a file of what was learnt/, "why.damaged", ["file"]],
];

/**
 * A reason in the reader's language.
 * @param {string} reason
 */
export function serverWords(reason) {
  for (const [told, key, names] of KNOWN) {
    const found = told.exec(reason);
    if (found) return t(key, Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ""])));
  }
  return reason;
}

/**
 * A move of a transcript that cannot be played: "move 4, z9: there is no such square".
 * @param {{number?: unknown, move?: unknown, why?: unknown}} bad
 */
export function badMoveWords({ number, move, why }) {
  const key = `why.${why}`;
  return t("error.bad_move", { number: Number(number), move: String(move), why: has(key) ? t(key) : String(why) });
}

/**
 * A place in a file or text: "line 2".
 * @param {string} where
 */
export function placeWords(where) {
  const [place = ""] = where.split(",");
  const found = /^(line|game) (\d+)$/.exec(place);
  return found ? t(`where.${found[1]}`, { n: found[2] ?? "" }) : place;
}

/**
 * How many moves the good part of a transcript has.
 * @param {unknown} good
 */
export function countMoves(good) {
  return (String(good ?? "").match(/[A-La-l]\d+/g) ?? []).length;
}
