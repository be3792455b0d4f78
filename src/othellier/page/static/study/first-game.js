// A first game with a guide: four short scenes on one board, in which a newcomer makes every move, and is told what a
// move is, what it turns, why corners count, what a pass is and how a game ends. The server knows the rules.

import { api, wordsOf } from "../shell/api.js";
import { announce } from "../shell/toast.js";
import { Board } from "../board/board.js";
import { h } from "../shell/dom.js";
import { listen } from "../board/board-input.js";
import { motion } from "../play/motion.js";
import { newGame } from "../play/game.js";
import { openDialog } from "../dialogs/dialog.js";
import { otherColor } from "../shell/words.js";
import { squareIndex } from "../board/geometry.js";
import { t } from "../shell/i18n.js";

const SIDE = 8;
const CELLS = SIDE * SIDE;

/**
 * A scene: where it begins, the squares to look at, and what ends it: so many moves, one square, anything but some, or
 * the end of the game.
 * @typedef {{name: string, board: string, moves?: number, wanted?: string, avoid?: string, loses?: string, end?: boolean}} Scene
 */

/** @type {Scene[]} */
const SCENES = [
  { name: "start", board: "---------------------------OX------XO--------------------------- X", moves: 3 },
  { name: "corner", board: "-XXXXXX--OOOOOO-OOOOOO--OOOXO-X-XOXOO---XXOO----XOO-----XO------ X", wanted: "h1" },
  { name: "danger", board: "X--------XO-------OOO-----OOXO----OXXO--OOOXXO----OXXO---------- X", avoid: "g7", loses: "h8" },
  { name: "end", board: "XOOOOOXXXXOOOOXXOXXOOOXXOOXXOOXXOOOXXOXXOOOOXXXXOOOOOXXOXOOOOO-- X", end: true },
];

/** @param {string} square */
const index = (square) => squareIndex(square, SIDE, SIDE);

export async function openFirstGame() {
  let number = 0;
  let scene = /** @type {Scene} */ (SCENES[0]);
  let shown = scene.board;
  let made = 0;
  let last = -1;
  /** @type {import("../shell/types").PositionView | null} */
  let now = null;
  let over = false;

  const place = h("div.setup-board");
  const board = new Board(place, t("guide.board"));
  listen(board, { pick: play });
  const step = h("p.muted.small");
  const title = h("h3");
  const words = h("p.guide-words", { role: "status" });
  const next = h("button.primary", { onclick: () => begin(number + 1) }, t("lesson.next"));
  const again = h("button.plain", { onclick: () => begin(number) }, t("learn.again"));
  const start = h("button.primary", { onclick: playOn }, t("guide.play"));
  const side = h("div.setup-tools.puzzle-side", {}, step, title, words, h("div.row", {}, next, start, again));
  const dialog = openDialog(t("guide.title"), () => [h("div.puzzles", {}, h("div.setup", {}, place, side))], { wide: true, name: "first-game" });
  await begin(0);

  /** @param {number} at the scene to begin */
  async function begin(at) {
    number = Math.min(at, SCENES.length - 1);
    scene = /** @type {Scene} */ (SCENES[number]);
    made = 0;
    over = false;
    last = -1;
    step.textContent = t("guide.step", { i: number + 1, n: SCENES.length });
    title.textContent = t(`guide.${scene.name}_title`);
    next.hidden = start.hidden = again.hidden = true;
    say(`guide.${scene.name}`);
    await show(scene.board);
  }

  /**
   * @param {string} key
   * @param {import("../shell/i18n.js").Params} [params]
   */
  function say(key, params = {}) {
    words.textContent = t(key, params);
    announce(words.textContent);
  }

  /**
   * @param {string} text the position to show
   * @returns {Promise<boolean>} whether the server has said what may be played there
   */
  async function show(text) {
    shown = text;
    now = null;
    draw();
    try {
      now = await api.check(text, String(SIDE));
      draw();
      return true;
    } catch (error) {
      words.textContent = wordsOf(error);
      again.hidden = false; // from the beginning of the scene, once the server is back
      return false;
    }
  }

  function draw() {
    const mine = now !== null && now.turn === "black" && !over;
    board.draw({
      rows: SIDE,
      columns: SIDE,
      discs: shown.slice(0, CELLS),
      turn: shown.endsWith("X") ? "black" : "white",
      legal: new Map(mine ? now?.legal.map(({ square, flips }) => [index(square), flips.map(index)]) : []),
      last,
      open: mine,
      circles: made === 0 && scene.wanted ? [index(scene.wanted)] : made === 0 && scene.avoid ? [index(scene.avoid)] : [],
      tempo: motion(),
    });
  }

  /** @param {number} square */
  async function play(square) {
    const tried = now?.legal.find((each) => index(each.square) === square);
    if (!now || now.turn !== "black" || !tried || over) return;
    if (scene.wanted && tried.square !== scene.wanted) {
      say("guide.corner_other", { square: tried.square });
      return;
    }
    made += 1;
    if (!(await after(tried))) return;
    if (scene.avoid && tried.square === scene.avoid) {
      const taken = now?.legal.find((each) => each.square === scene.loses);
      if (taken) await after(taken);
      say("guide.danger_lost", { square: scene.loses ?? "" });
      over = true;
      again.hidden = false;
      draw();
      return;
    }
    if (scene.wanted || scene.avoid) {
      finish(`guide.${scene.name}_done`, { square: tried.square });
      return;
    }
    say("guide.turned", { n: tried.flips.length });
    await answer();
  }

  /**
   * A move made, by whoever is to move.
   * @param {import("../shell/types").Legal} move
   */
  async function after(move) {
    const color = shown.endsWith("X") ? "black" : "white";
    const letters = [...shown.slice(0, CELLS)];
    for (const each of [move.square, ...move.flips].map(index)) letters[each] = color === "black" ? "X" : "O";
    last = index(move.square);
    return show(`${letters.join("")} ${otherColor(color) === "black" ? "X" : "O"}`);
  }

  /** White answers, passes, or the game is over. */
  async function answer() {
    const tempo = motion();
    await new Promise((resolve) => setTimeout(resolve, tempo ? tempo.think + tempo.flip : 0));
    if (!dialog.open || !now) return;
    if (now.over) {
      const { black, white } = now.discs;
      finish("guide.end_done", { black, white });
      return;
    }
    if (now.pass) {
      if (!(await show(shown.slice(0, -1) + "X"))) return;
      say("guide.passed");
      return;
    }
    const few = [...now.legal].sort((a, b) => a.flips.length - b.flips.length)[0];
    if (few && !(await after(few))) return;
    if (scene.moves !== undefined && made >= scene.moves) finish("guide.start_done");
    else say("guide.again", { square: few?.square ?? "" });
  }

  /**
   * @param {string} key
   * @param {import("../shell/i18n.js").Params} [params]
   */
  function finish(key, params) {
    over = true;
    draw();
    say(key, params);
    const more = number < SCENES.length - 1;
    next.hidden = !more;
    start.hidden = more;
    again.hidden = false;
    (more ? next : start).focus({ preventScroll: true });
  }

  async function playOn() {
    dialog.close();
    await newGame({ white: { kind: "level", level: "pip" } });
  }
}
