// The moves of the game: the main line in two columns, variations below the move they replace, comments and labels;
// for the move one looks at, its comment, and promoting and deleting it.

import { app, here } from "../shell/store.js";
import { ask } from "../dialogs/dialog.js";
import { fill, h, icon } from "../shell/dom.js";
import { finalWords, labelSign } from "../shell/words.js";
import { betterLine, isWorse, judgement, reasonSentences, verdictWords } from "../study/verdict.js";
import { language, signed, t } from "../shell/i18n.js";
import { isContest, mode } from "../shell/mode.js";
import { look, send } from "./game.js";

/** @typedef {import("../shell/types").NodeView} TreeNode */

/** @type {unknown[]} */
let drawn = [];
/** @type {unknown[]} */
let edited = []; // what the place for the comment was drawn for

/** @param {HTMLElement} place */
export function drawMoves(place) {
  const game = app.game;
  if (!game || !app.tree) return;
  const now = [app.tree, game.game, language(), game.result?.black, game.result?.reason, game.can.swap, mode(), verdicts()];
  if (now.some((value, index) => value !== drawn[index]) || !place.firstChild) {
    drawn = now;
    if (!place.firstChild) place.append(h("div.scroll"), h("div.editor"));
    fill(/** @type {HTMLElement} */ (place.firstElementChild), moveList(app.tree), app.line.length < 2 && h("p.empty", {}, t("moves.none")), ending());
  }
  mark(place, game.node);
}

/** What the analysis says of the moves, in short: the list is drawn anew where that has changed. */
function verdicts() {
  return (app.analysis?.moves ?? []).map((move) => `${move.node}${move.label}${move.best}${move.loss.toFixed(1)}`).join(" ");
}

/**
 * Show which move one looks at, and keep it in sight.
 * @param {HTMLElement} place
 * @param {string} node
 */
function mark(place, node) {
  const old = place.querySelector('[aria-current="true"]');
  const button = /** @type {HTMLElement | null} */ (place.querySelector(`[data-node="${CSS.escape(node)}"]`));
  if (old !== button || !button) {
    old?.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "true");
    drawEditor(place);
    // Only the list scrolls: the page has to stay where it is.
    const list = /** @type {HTMLElement} */ (place.firstElementChild);
    const last = app.game?.result && node === app.line.at(-1)?.id;
    if (last) list.scrollTop = list.scrollHeight; // the result stands below it
    else if (button) {
      const [box, line] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
      if (line.top < box.top + 8 || line.bottom > box.bottom - 8) list.scrollTop += line.top - box.top - box.height / 3;
    } else list.scrollTop = 0;
  }
}

/** @param {TreeNode} tree */
function moveList(tree) {
  const list = h("div.moves", { "aria-label": t("moves.label"), role: "group" });
  if (tree.comment) list.append(comment(tree));
  let number = 0;
  let node = tree;
  /** @type {HTMLElement | null} */
  let row = null;
  while (node.children?.[0]) {
    const [next, ...others] = /** @type {[TreeNode, ...TreeNode[]]} */ (node.children);
    const second = next.color === "white";
    if (!row || !second) {
      number += 1;
      row = h("div.pair", {}, h("span.number", {}, number), second && h("span.gap", {}, "…"));
      list.append(row);
    }
    row.append(moveButton(next));
    if (second) row = null;
    const more = [...slip(next), next.comment && comment(next), ...others.map((each) => variation(each, number))].filter(Boolean);
    if (more.length) {
      list.append(.../** @type {HTMLElement[]} */ (more));
      row = null;
      // Black's move had something to say: White's answer begins a line of its own, under the same number.
      if (!second && next.children?.[0]?.color === "white") {
        row = h("div.pair", {}, h("span.number", {}, number), h("span.gap", {}, "…"));
        list.append(row);
      }
    }
    node = next;
  }
  return list;
}

/**
 * A variation as running text; those inside it follow in brackets.
 * @param {TreeNode} first
 * @param {number} number
 */
function variation(first, number) {
  const box = h("div.variation", {});
  appendLine(box, first, number);
  return box;
}

/**
 * @param {HTMLElement} box
 * @param {TreeNode} first
 * @param {number} start
 */
function appendLine(box, first, start) {
  let number = start;
  /** @type {TreeNode | undefined} */
  let node = first;
  let opening = true;
  while (node) {
    if (node.color === "black" && !opening) number += 1;
    if (node.color === "black" || opening) box.append(h("span.number", {}, node.color === "black" ? `${number}` : `${number}…`));
    box.append(moveButton(node));
    if (node.comment) box.append(comment(node));
    const [next, ...others] = /** @type {TreeNode[]} */ (node.children ?? []);
    for (const other of others) {
      const inner = h("span.inner", {}, "(");
      appendLine(inner, other, number + (other.color === "black" ? 1 : 0));
      inner.append(")");
      box.append(inner);
    }
    node = next;
    opening = false;
  }
}

/**
 * What is said below a move that was no good one, while one studies: what was better, why, and the line to walk along.
 * @param {TreeNode} node
 */
function slip(node) {
  const judged = mode() === "study" && node.move !== "pass" ? judgement(node.id) : null;
  if (!judged || !isWorse(judged) || !labelSign(judged.label)) return [];
  return [h("p.comment.slip", {}, `${verdictWords(judged)}. ${reasonSentences(judged).join(" ")}`), betterLine(judged)];
}

/** @param {TreeNode} node */
function moveButton(node) {
  const name = node.move === "pass" ? t("moves.pass") : node.move ?? "";
  const judged = mode() === "study" && node.move !== "pass" ? judgement(node.id) : null;
  const label = judged?.label ?? node.label ?? "";
  const sign = labelSign(label);
  const words = [name, sign && t(`label.${label}`)].filter(Boolean).join(", ");
  return h(
    "button.move",
    { "data-node": node.id, "data-key": node.id, "aria-label": words, title: sign ? t(`label.${label}`) : undefined, onclick: () => look(node.id) },
    name,
    sign && h(`span.sign.${label}`, {}, sign),
    judged && h("span.worth", { "aria-hidden": "true", "data-worth": signed(judged.black, judged.exact || Math.abs(judged.black) >= 9.95 ? 0 : 1) }),
  );
}

/** @param {TreeNode} node */
function comment(node) {
  return h("p.comment", {}, node.comment);
}

/** How it ended; whoever has taken moves back plays on, and then sides can be swapped. */
function ending() {
  const game = app.game;
  return game?.result && !game.can.swap && h("p.ending", {}, finalWords(game));
}

/**
 * The place for the comment and the two things one can do with a move, for the move one looks at. What is being written
 * stays when the list changes: somebody else plays, or an analysis comes.
 * @param {HTMLElement} place
 */
function drawEditor(place) {
  const box = /** @type {HTMLElement | null} */ (place.querySelector(".editor"));
  const node = here();
  if (!box || !node) return;
  const main = app.line.includes(node);
  const later = isContest() && mode() === "play"; // one plays now, and writes later
  const where = [box, app.game?.game, node.id, later];
  const now = [...where, main, language(), node.comment];
  /** @param {unknown[]} values */
  const same = (values) => values.every((value, index) => value === edited[index]);
  if (same(now) || (same(where) && isWritten(box))) return;
  edited = now;
  box.replaceChildren(); // another move's comment may look the same
  if (later) return;
  const input = h("textarea", {
    rows: 1,
    placeholder: t("moves.comment"),
    "aria-label": node.move ? t("moves.comment_on", { move: node.move }) : t("moves.comment_on_start"),
    maxlength: 10000,
    "data-key": "comment",
    onchange: () => send("comment", { node: node.id, text: input.value }),
    // Enter keeps it, as everywhere else; Shift-Enter begins a line.
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && !event.shiftKey) (event.preventDefault(), input.blur());
    },
  });
  input.value = node.comment ?? "";
  fill(
    box,
    input,
    node.move && !main && tool("up", "moves.promote", () => send("promote", { node: node.id })),
    node.move && tool("trash", "moves.delete", () => remove(node.id)),
  );
}

/**
 * Whether somebody is writing words that are not kept yet.
 * @param {HTMLElement} box
 */
function isWritten(box) {
  const input = box.querySelector("textarea");
  return input !== null && input === document.activeElement && input.value !== (edited.at(-1) ?? "");
}

/**
 * Delete a move and all after it; a part of the game itself is asked about first.
 * @param {string} node
 */
async function remove(node) {
  const at = app.line.findIndex((each) => each.id === node);
  const n = at < 0 ? 0 : app.line.length - at;
  if (!n || (await ask(t("ask.delete", { n }), t("moves.delete")))) send("delete", { node });
}

/**
 * @param {string} picture
 * @param {string} key
 * @param {() => void} run
 */
function tool(picture, key, run) {
  return h("button.icon", { "data-key": key, "aria-label": t(key), title: t(key), onclick: run }, icon(picture));
}
