// What is known about the position one looks at: the opening's name, the score or the chances, and the line expected
// next, each move of which can be played.

import { app, empties, here, subscribe, valuesHere } from "../shell/store.js";
import { byId, dot, fill, h } from "../shell/dom.js";
import { isAsked } from "../study/mistakes.js";
import { openingName, scoreWords } from "../shell/words.js";
import { percent, t } from "../shell/i18n.js";
import { mode } from "../shell/mode.js";
import { options } from "../shell/options.js";
import { playLine } from "./game.js";

/** @typedef {import("../shell/types").Color} Color */
/**
 * @typedef {object} Reading
 * @property {number} black
 * @property {boolean} exact
 * @property {number | null} [depth]
 * @property {number} [win] for Black
 * @property {number} [draw]
 * @property {string[]} pv
 * @property {string} [source]
 */

const EARLY = 20; // see game-board.js

export function setUpReading() {
  subscribe(draw);
}

function draw() {
  const game = app.game;
  if (!game) return;
  const reading = isAsked() ? null : read();
  const name = openingName(game.opening);
  fill(
    byId("reading"),
    h("p.opening", {}, name || (game.ply ? "" : t("reading.start")), !game.saved && h("span.unsaved", {}, t("reading.unsaved"))),
    h("p.score", {}, ...(reading ? scoreLine(reading) : mode() === "study" ? [h("span.muted.none", {}, t("reading.none"))] : [])),
    h("p.pv", { "aria-label": t("reading.pv"), role: "group" }, ...(reading ? pvButtons(reading.pv) : [])),
  );
}

/**
 * The best there is to tell: the values of all squares, a hint, what the machine thinks, or what was noted.
 * @returns {Reading | null}
 */
function read() {
  const game = app.game;
  if (!game || game.over) return null;
  const values = valuesHere();
  const best = values?.squares.find((value) => value.square === values.best);
  if (values && best) return fromSide(values.turn, best);
  if (app.hint?.node === game.node) {
    const { score, win, draw } = app.hint;
    if (score !== null && win !== null && draw !== null) return fromSide(app.hint.turn, { ...app.hint, score, win, draw });
  }
  if (mode() === "play") return null; // while one plays nothing is said that was not asked for
  const { thinking } = app;
  if (thinking?.color && thinking.node === game.node && typeof thinking.black === "number" && options.info) {
    return { black: thinking.black, exact: thinking.exact ?? false, depth: thinking.depth, pv: thinking.pv ?? [] };
  }
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

/** @param {Reading} reading */
function scoreLine(reading) {
  const parts = [h("strong", {}, scoreWords(reading.black, reading.exact))];
  if (reading.exact) parts.push(h("span.muted", {}, t("reading.exact")));
  else if (reading.source === "book") parts.push(h("span.muted", {}, t("reading.book")));
  else if (reading.depth) parts.push(h("span.muted.depth", {}, t("depth", { n: reading.depth })));
  if (!reading.exact && reading.win !== undefined && empties() > EARLY) {
    const white = 1 - reading.win - (reading.draw ?? 0);
    parts.push(h("span.chances", { title: t("reading.chances") }, dot("black"), percent(reading.win), h("span.muted", {}, percent(reading.draw ?? 0)), dot("white"), percent(Math.max(0, white))));
  }
  return parts;
}

/** @param {string[]} pv */
function pvButtons(pv) {
  return pv.slice(0, 12).map((move, index) =>
    move === "pass"
      ? h("span.muted", {}, t("moves.pass"))
      : h("button.move", { "data-key": `pv${index}`, "aria-label": t("reading.play", { move }), onclick: () => playLine(pv.slice(0, index + 1)) }, move),
  );
}
