// What the analysis says of a move, in words: its label, what it gave away, what was better and why.

import { app } from "../shell/store.js";
import { h } from "../shell/dom.js";
import { has, percent, signed, t } from "../shell/i18n.js";
import { labelSign, person, reasonWords, sideName } from "../shell/words.js";
import { showLine } from "../play/game.js";

/** @typedef {import("../shell/types").MoveView} MoveView */
/** @typedef {import("../shell/types").ReasonView} ReasonView */

const LONGEST = 12; // moves of a line that are shown
const LEAST = 0.005; // a chance given away that is worth a word

/** @type {import("../shell/types").AnalysisView | null} */
let known = null;
/** @type {Map<string, MoveView>} */
let judged = new Map();

/**
 * The judgement of the move that leads to a node, if it has been judged. A pass after it changes nothing.
 * @param {string} node
 */
export function judgement(node) {
  if (known !== app.analysis) {
    known = app.analysis;
    judged = new Map(known?.moves.map((move) => [move.node, move]));
  }
  return judged.get(node.replace(/(--)+$/, "")) ?? null;
}

/** That of the move one has come to. */
export function judgementHere() {
  return app.game ? judgement(app.game.node) : null;
}

/**
 * Whether another move would have been better.
 * @param {MoveView | null} move
 */
export function isWorse(move) {
  return move !== null && move.label !== "best" && move.label !== "forced" && move.best !== move.move;
}

/**
 * The node at which a move was made.
 * @param {MoveView} move
 */
function before(move) {
  return move.node.slice(0, -move.move.length);
}

/**
 * Discs given away: "−1 disc", "−6 discs".
 * @param {number} loss
 * @param {number} decimals
 */
export function discsLost(loss, decimals) {
  return t("verdict.discs", { loss: signed(-loss, decimals), n: Number(loss.toFixed(decimals)) });
}

/**
 * What a move gave away: discs, and chances where those count.
 * @param {MoveView} move
 */
function lossWords(move) {
  const discs = discsLost(move.loss, move.exact ? 0 : 1);
  return move.chance_loss >= LEAST ? `${discs}, ${t("verdict.chances", { loss: `−${percent(move.chance_loss)}` })}` : discs;
}

/**
 * One line: "mistake: −6 discs, −15% chances. Better: c5".
 * @param {MoveView} move
 */
export function verdictWords(move) {
  const label = t(`label.${move.label}`);
  return isWorse(move) ? `${t("colon", { name: label, words: lossWords(move) })}. ${t("verdict.better", { best: move.best })}` : label;
}

/**
 * The same to be shown, the better move as a button that leads there.
 * @param {MoveView} move
 * @returns {(Node | string)[]}
 */
export function verdictLine(move) {
  const sign = labelSign(move.label);
  const played = h("strong", {}, move.move, sign && h(`span.sign.${move.label}`, {}, ` ${sign}`));
  if (!isWorse(move)) return [played, h("span", {}, t(`label.${move.label}`))];
  const better = h("button.move.best", { "data-key": "better", "aria-label": t("verdict.show", { best: move.best }), onclick: () => showLine(lineOf(move), 1, before(move)) }, move.best);
  return [played, h("span", {}, t(`label.${move.label}`)), h("span.better", {}, t("verdict.better", { best: "" }).trim(), " ", better), h("span.muted", {}, lossWords(move))];
}

/** @param {MoveView} move */
function lineOf(move) {
  return move.pv.slice(0, LONGEST);
}

/**
 * The better line, each of its moves a button; null where it is in the tree already.
 * @param {MoveView} move
 */
export function betterLine(move) {
  const moves = lineOf(move);
  const node = before(move);
  const whole = node + moves.map((each) => (each === "pass" ? "--" : each)).join("");
  if (app.nodes.has(whole)) return null;
  const first = Math.ceil(move.ply / 2);
  const parts = moves.map((each, index) =>
    each === "pass"
      ? h("span.muted", {}, t("moves.pass"))
      : h("button.move", { "data-key": `better ${move.node} ${index}`, "aria-label": t("verdict.walk", { move: each }), onclick: () => showLine(moves, index + 1, node) }, each),
  );
  const number = move.color === "black" ? `${first}` : `${first}…`;
  return h("div.variation.better", { "aria-label": t("verdict.line"), role: "group" }, h("span.number", {}, number), ...parts);
}

/**
 * Reasons in sentences. They say "you" to whoever made the move: where that was the machine, its side is named first.
 * @param {{move: string, best: string, reasons: ReasonView[], color?: import("../shell/types").Color}} judged
 */
export function reasonSentences({ move, best, reasons, color }) {
  const [first, ...others] = reasons.filter(({ code }) => has(`reasons.${code}`)).map((reason) => reasonWords(reason, move, best));
  if (!first) return [];
  const me = person(app.game);
  const seen = color && me && color !== me ? t("colon", { name: t("verdict.seen_by", { color: sideName(color) }), words: first }) : first;
  return [seen, ...others];
}
