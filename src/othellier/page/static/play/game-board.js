// The game on the board: turns the store into the picture the board widget draws, and clicks into commands.

import { app, empties, subscribeAtOnce, valuesHere } from "../shell/store.js";
import { byId } from "../shell/dom.js";
import { Board } from "../board/board.js";
import { indexOf, onEvent, play, study, toggleShape, walk } from "./game.js";
import { announce } from "../shell/toast.js";
import { isWorse, judgementHere } from "../study/verdict.js";
import { mode, showsValues } from "../shell/mode.js";
import { notePlayed, warning } from "./coach.js";
import { clearNotice, refuse, showNotice, showWarning } from "../board/notice.js";
import { listen } from "../board/board-input.js";
import { motion } from "./motion.js";
import { options } from "../shell/options.js";
import { percent, t } from "../shell/i18n.js";
import { squareName } from "../board/geometry.js";
import { attempt, isAsked } from "../study/mistakes.js";
import { beginPass } from "./pace.js";
import { refusalSound } from "./sound.js";
import { otherColor, sideName } from "../shell/words.js";

const WARNED = 6000; // milliseconds a warning stays
const EARLY = 20; // with more empty squares than this a chance to win says more than a score

/** @type {Board} */
let board;

export function setUpTable() {
  board = new Board(byId("board"), t("board.label"));
  listen(board, {
    pick,
    study: (square) => (isAsked() ? attempt(name(square)) : study(name(square))),
    shape: (from, to) => toggleShape(name(from), name(to)),
    drawing: () => app.drawing,
    wheel: (direction) => walk(direction > 0 ? "forward" : "back"),
  });
  onEvent((event) => {
    if (event.event === "state") tellPass(event.state);
  });
  subscribeAtOnce(draw);
}

let told = ""; // the node whose pass was told last

/**
 * A pass is a move too: it is said on the board, where one looks.
 * @param {import("../shell/types").GameState} game
 */
function tellPass(game) {
  const node = `${game.game} ${game.node}`;
  const passed = game.last?.passed;
  if (node === told) return;
  told = node;
  clearNotice();
  if (passed) beginPass((milliseconds) => told === node && showNotice(board, passWords(game, passed), milliseconds));
}

/**
 * @param {import("../shell/types").GameState} game
 * @param {import("../shell/types").Color} color
 */
function passWords(game, color) {
  const you = game.players[color].kind === "human" && game.players[otherColor(color)].kind !== "human";
  return you ? t("pass.you") : t("pass.side", { color: sideName(color) });
}

/** @param {number} square */
function pick(square) {
  if (app.pending) return;
  const why = refusal(square);
  if (why) {
    refuse(board, square, why);
    refusalSound();
    announce(why);
  } else if (isAsked()) attempt(name(square));
  else playOrWarn(square);
}

/** @param {number} square */
function playOrWarn(square) {
  const words = warning(name(square));
  if (!words) {
    notePlayed(name(square));
    return play(name(square));
  }
  showWarning(board, words, WARNED);
  announce(words);
}

/**
 * Why a square cannot be played, or nothing where it can.
 * @param {number} square
 */
function refusal(square) {
  const game = app.game;
  if (!game) return "";
  const at = name(square);
  const disc = board.picture?.discs[square];
  if (disc !== "-") return t("refused.taken", { square: at, color: t(disc === "X" ? "color.black" : "color.white") });
  if (game.over) return t("refused.over");
  if (!isAsked() && !game.your_turn && game.playing && game.node === game.live) return t("refused.turn", { color: sideName(game.turn) });
  if (!game.legal.some((move) => move.square === at)) return t("refused.nothing", { square: at });
  return "";
}

/** Go to the board with the keyboard. */
export function focusTable() {
  board.squares[board.focused]?.focus();
}

/**
 * Go to the next square that may be played, or the one before.
 * @param {1 | -1} step
 */
export function focusLegal(step) {
  const legal = [...(board.picture?.legal.keys() ?? [])].sort((a, b) => a - b);
  if (!board.picture?.open || !legal.length) return;
  const inside = board.felt.contains(document.activeElement);
  const at = inside ? board.focused : step > 0 ? -1 : board.squares.length;
  const next = step > 0 ? legal.find((square) => square > at) ?? legal[0] : legal.findLast((square) => square < at) ?? legal.at(-1);
  board.focusable(/** @type {number} */ (next));
  focusTable();
}

/** The board is read out in another language now. */
export function renameBoard() {
  board.rename(t("board.label"));
}

/** @param {number} square */
function name(square) {
  return squareName(square, app.game?.size.columns ?? 8);
}

function draw() {
  const game = app.game;
  if (!game) return;
  const { rows, columns } = game.size;
  let discs = [...game.board.slice(0, rows * columns)].map((letter) => (letter === "X" || letter === "O" ? letter : "-"));
  let legal = new Map(game.legal.map(({ square, flips }) => [indexOf(square), flips.map(indexOf)]));
  let last = indexOf(game.last?.square ?? "");
  let turn = game.turn;
  const lesson = isAsked() ? app.lesson : null;
  const ahead = app.pending?.node === game.node ? indexOf(app.pending.square) : -1;
  if (ahead >= 0) {
    // Drawn before the server has answered, from the squares it said the move turns.
    const letter = turn === "black" ? "X" : "O";
    for (const square of [ahead, ...(legal.get(ahead) ?? [])]) discs[square] = letter;
    last = ahead;
    legal = new Map();
    turn = turn === "black" ? "white" : "black";
  }
  const values = ahead < 0 && !lesson && showsValues() ? valuesHere() : null;
  const judged = ahead < 0 && !lesson && mode() === "study" ? judgementHere() : null;
  const hint = app.hint?.node === game.node ? app.hint : null;
  const resting = !game.playing || game.node !== game.live;
  board.element.classList.toggle("waiting", app.connection === "lost");
  board.element.classList.toggle("bare", !options.coordinates);
  board.felt.classList.toggle("drawing", app.drawing);
  board.element.dataset.ply = String(game.ply);
  board.element.dataset.state = game.over ? "over" : ahead >= 0 ? "sent" : game.your_turn ? "yours" : resting ? "rests" : "theirs";
  board.draw({
    rows,
    columns,
    discs: discs.join(""),
    turn,
    legal,
    last,
    open: game.your_turn || resting || lesson !== null,
    values: new Map(
      values?.squares.map((value) => [
        indexOf(value.square),
        {
          score: value.score,
          exact: value.exact,
          loss: value.loss,
          best: value.square === values.best,
          book: value.source === "book",
          note: !value.exact && empties() > EARLY ? percent(value.win) : undefined,
        },
      ]),
    ),
    hinted: ahead >= 0 ? -1 : lesson ? indexOf(lesson.shown) : indexOf(hint?.square ?? ""),
    kept: ahead >= 0 ? [] : game.forced.map(indexOf),
    circles: game.marks.circles.map(indexOf),
    better: judged && isWorse(judged) ? { from: indexOf(judged.move), to: indexOf(judged.best) } : null,
    arrows: game.marks.arrows.map(([from, to]) => [indexOf(from), indexOf(to)]),
    dots: options.dots,
    tempo: motion(),
  });
}
