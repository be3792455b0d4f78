// Puzzles played on the board: themes to choose from, then one position after the other. The server judges every move,
// answers for the other side, and remembers; here it is shown. A move that could not be sent is taken back, and the
// puzzle goes on from there.

import { api, turns, wordsOf } from "../shell/api.js";
import { announce } from "../shell/toast.js";
import { Board } from "../board/board.js";
import { daysUntil } from "./days.js";
import { dot, fill, h } from "../shell/dom.js";
import { listen } from "../board/board-input.js";
import { motion } from "../play/motion.js";
import { open } from "../play/game.js";
import { openDialog } from "../dialogs/dialog.js";
import { serverWords } from "../shell/reasons.js";
import { has, number, t } from "../shell/i18n.js";
import { reasonWords, sideName } from "../shell/words.js";
import { squareIndex } from "../board/geometry.js";
import { star, stars } from "./stars.js";
import { whenBack } from "../shell/store.js";

/** @typedef {import("../shell/types").PuzzleView} Puzzle */
/** @typedef {import("../shell/types").PuzzleAnswer} PuzzleAnswer */

const SIDE = 8;
const TELLING = ["corner_missed", "wedge_missed", "square_taken", "move_lost"]; // reasons that name the answer

/** @param {string} square */
const index = (square) => squareIndex(square, SIDE, SIDE);

/** @param {string} [wanted] the theme to begin with; all of them to choose from if left out */
export async function openPuzzles(wanted = "") {
  /** @type {import("../shell/types").PuzzlesView | null} */
  let known = null;
  let theme = wanted;
  let ahead = false;
  /** @type {Puzzle | null} */
  let puzzle = null;
  /** @type {string[]} */
  let moves = []; // those that were right
  let mistakes = 0;
  /** @type {"asked" | "sent" | "going" | "wrong" | "solved" | "done"} */
  let stage = "asked";
  let discs = ""; // as shown, and where it is asked from
  let asked = "";
  /** @type {import("../shell/types").Legal[]} */
  let legal = [];
  /** @type {PuzzleAnswer | null} */
  let told = null;
  let shown = false; // whether the answer was
  let trouble = "";
  const turn = turns();

  const page = h("div.puzzles", {}, h("p.lead", {}, t("puzzles.lead"))); // until they are there
  const place = h("div.setup-board");
  const board = new Board(place, t("puzzles.board"));
  listen(board, { pick: answer });
  const side = h("div.setup-tools.puzzle-side");
  const dialog = openDialog(t("puzzles.title"), () => [page], { wide: true, name: "puzzles" });
  await load();

  async function load() {
    const awaited = turn();
    try {
      const found = await api.puzzles({ theme: theme || undefined, ahead: ahead || undefined, last: puzzle?.puzzle });
      if (!awaited()) return;
      known = found;
      trouble = known.message && t("puzzles.forgotten", { reason: serverWords(known.message) });
    } catch (error) {
      if (!awaited()) return;
      trouble = wordsOf(error);
      whenBack(() => awaited() && dialog.open && load());
      draw();
      return;
    }
    puzzle = known.puzzle;
    moves = [];
    mistakes = 0;
    told = null;
    shown = false;
    stage = puzzle ? "asked" : "done";
    if (puzzle) setUp(puzzle.board, puzzle.legal);
    draw();
    if (puzzle) announce(`${t(`theme.${theme}`)}. ${task(puzzle)}`);
  }

  /**
   * @param {string} position
   * @param {import("../shell/types").Legal[]} squares
   */
  function setUp(position, squares) {
    asked = discs = position.slice(0, SIDE * SIDE);
    legal = squares;
  }

  /** @param {number} square */
  async function answer(square) {
    const tried = legal.find((each) => index(each.square) === square);
    if (!puzzle || !tried || stage !== "asked") return;
    stage = "sent";
    discs = played(asked, tried, puzzle.turn);
    draw(square);
    const pause = rest();
    try {
      told = await api.answerPuzzle({ puzzle: puzzle.puzzle, moves: [...moves, tried.square], mistakes });
    } catch (error) {
      discs = asked; // nothing is lost: the same move can be made again
      stage = "asked";
      trouble = wordsOf(error);
      draw();
      return;
    }
    trouble = told.message && t("puzzles.forgotten", { reason: serverWords(told.message) });
    await pause;
    if (!dialog.open) return;
    if (told.right) await goOn(tried.square, told);
    else refuse(square);
  }

  /**
   * @param {string} square
   * @param {PuzzleAnswer} right
   */
  async function goOn(square, right) {
    moves.push(square);
    stage = "going";
    for (const step of right.steps) {
      discs = step.board.slice(0, SIDE * SIDE);
      draw(step.square === "pass" ? -1 : index(step.square));
      await rest();
      if (!dialog.open) return;
    }
    const last = right.steps.filter((step) => step.square !== "pass").at(-1)?.square ?? square;
    setUp(right.board, right.legal);
    stage = right.done ? "solved" : "asked";
    shown = false;
    draw(index(last));
    announce(verdict());
    if (right.done) focusOn("next");
  }

  /** @param {number} square */
  function refuse(square) {
    mistakes += 1;
    stage = "wrong";
    draw(square);
    announce([verdict(), ...reasons()].join(" "));
    focusOn("again");
  }

  function again() {
    discs = asked;
    stage = "asked";
    draw();
    board.squares[board.focused]?.focus({ preventScroll: true });
  }

  function tell() {
    mistakes = 2; // one star is left for playing it
    shown = true;
    again();
    announce(t("puzzles.told", { answers: told?.answers.join(", ") ?? "" }));
  }

  /** @param {string} key */
  function focusOn(key) {
    /** @type {HTMLElement | null} */ (side.querySelector(`[data-key="${key}"]`))?.focus({ preventScroll: true });
  }

  /** @param {string} name */
  function choose(name) {
    theme = name;
    ahead = false;
    puzzle = null;
    load();
  }

  // -- drawing

  /** @param {number} [last] */
  function draw(last = -1) {
    if (!theme || !puzzle) {
      page.replaceChildren(...(theme ? finished() : themes()));
      return;
    }
    if (!page.contains(place)) page.replaceChildren(h("div.setup", {}, place, side));
    const open = stage === "asked";
    const reply = stage === "wrong" ? told?.line[1] : undefined;
    board.draw({
      rows: SIDE,
      columns: SIDE,
      discs,
      turn: puzzle.turn,
      legal: new Map(open ? legal.map(({ square, flips }) => [index(square), flips.map(index)]) : []),
      last,
      open,
      circles: reply && reply !== "pass" ? [index(reply)] : shown && open ? (told?.answers ?? []).map(index) : [],
      tempo: motion(),
    });
    fill(side, ...aside(puzzle));
  }

  /** @param {Puzzle} now */
  function aside(now) {
    const line = stage === "solved" || stage === "wrong" ? reasons() : [];
    return [
      h("p.where", {}, h("button.link", { "data-key": "back", onclick: () => choose("") }, `‹ ${t("puzzles.all")}`), h("span.muted.small", {}, t(`grade.${now.grade}`))),
      h("h3", {}, t(`theme.${now.theme}`), " ", stage !== "solved" && now.stars > 0 && stars(now.stars)),
      h("p.big", {}, dot(now.turn), " ", task(now)),
      now.turns > 1 && stage !== "solved" && now.theme !== "win8" && h("p.muted.small", {}, t("puzzles.move", { i: moves.length + 1, n: now.turns })),
      h(`p.verdict.${stage === "solved" ? "right" : stage}`, { role: "status" }, verdict()),
      stage === "solved" && told && h("p.earned", {}, stars(told.stars)),
      h(
        "div.row",
        {},
        stage === "wrong" && h("button.primary", { "data-key": "again", onclick: again }, t("puzzles.again")),
        stage === "wrong" && h("button.plain", { "data-key": "tell", onclick: tell }, t("lesson.tell")),
        stage === "solved" && h("button.primary", { "data-key": "next", onclick: load }, t("lesson.next")),
        stage === "asked" && !moves.length && h("button.plain", { "data-key": "skip", onclick: load }, t("lesson.skip")),
        now.game && h("button.plain", { "data-key": "game", onclick: () => (dialog.close(), open(now.game)) }, t("puzzles.game")),
      ),
      line.length > 0 && h("ul.reasons", {}, line.map((words) => h("li", {}, words))),
      stage === "wrong" && told?.line[1] && told.line[1] !== "pass" && h("p.small", {}, t("puzzles.answer_comes", { square: told.line[1] })),
      trouble && h("p.problem", { role: "alert" }, trouble),
    ];
  }

  function verdict() {
    const { best, due = "", over = false, board: end = "" } = told ?? {};
    if (stage === "solved") {
      const first = over ? t("puzzles.ended", { mine: count(end, mine()), theirs: count(end, mine() === "X" ? "O" : "X") }) : t("puzzles.solved", { square: moves.at(-1) ?? "" });
      const days = daysUntil(due);
      return due ? `${first} ${days ? t("puzzles.back", { n: days }) : t("puzzles.back_today")}` : first;
    }
    if (stage === "wrong") {
      const lost = told ? told.best_score - told.score : 0;
      return t(puzzle?.theme === "win8" ? "puzzles.lets_slip" : "puzzles.wrong", { square: told?.line[0] ?? "", n: Math.round(lost) });
    }
    if (shown && stage === "asked") return t("puzzles.told", { answers: told?.answers.join(", ") ?? best ?? "" });
    if (stage === "asked" && moves.length) return t("puzzles.go_on");
    return "";
  }

  function mine() {
    return puzzle?.turn === "white" ? "O" : "X";
  }

  /** Why the move is wrong, or, once it is solved, nothing: the answer has been found. */
  function reasons() {
    if (!told || stage !== "wrong") return [];
    const played = told.line[0] ?? "";
    const better = t("puzzles.better_move");
    return told.reasons
      .filter(({ code }) => has(`reasons.${code}`) && !TELLING.includes(code) && code !== "search")
      .map((reason) => reasonWords(reason, played, better))
      .map((words) => (words.startsWith(better) ? words.charAt(0).toUpperCase() + words.slice(1) : words));
  }

  function themes() {
    const list = known?.themes ?? [];
    return [
      h("p.lead", {}, t("puzzles.lead")),
      trouble && h("p.problem", { role: "alert" }, trouble),
      h(
        "div.theme-cards",
        {},
        list.map((each) =>
          h(
            "button.card",
            { "data-theme-name": each.theme, disabled: each.puzzles === 0, onclick: () => choose(each.theme) },
            h("strong", {}, t(`theme.${each.theme}`)),
            h("span.small", {}, t(each.puzzles ? `theme.${each.theme}_note` : "theme.own_none")),
            each.puzzles > 0 && h("span.progress", { "aria-hidden": "true" }, bar(each.solved / each.puzzles)),
            each.puzzles > 0 &&
              h("span.muted.small.counts", {}, h("span", {}, progressWords(each)), h("span.nowrap", {}, star(each.stars > 0), ` ${number(each.stars)}`)),
          ),
        ),
      ),
    ].filter((part) => part !== "");
  }

  function finished() {
    return [
      h("p.big", {}, t(`theme.${theme}`)),
      h("p", {}, trouble || t("puzzles.finished")),
      h("div.row", {}, !trouble && h("button.plain", { onclick: () => ((ahead = true), load()) }, t("drill.ahead")), h("button.primary", { onclick: () => choose("") }, t("puzzles.all"))),
    ];
  }
}

/**
 * How far one has come with a theme. Those never solved are due too: only what comes back is worth a word.
 * @param {import("../shell/types").PuzzleTheme} theme
 */
function progressWords({ puzzles: n, solved, due }) {
  if (!solved) return t("puzzles.fresh", { n });
  const back = due - (n - solved);
  return t("puzzles.count", { solved, n }) + (back > 0 ? t("puzzles.repeat", { n: back }) : "");
}

/** @param {Puzzle} puzzle */
function task(puzzle) {
  const color = sideName(puzzle.turn);
  if (puzzle.theme === "own") return t("puzzles.own_task", { color, played: puzzle.played });
  return t(puzzle.theme === "win8" ? "puzzles.win_task" : "puzzles.best_task", { color });
}

/** @param {number} share */
function bar(share) {
  const filled = h("span");
  filled.style.width = `${Math.round(100 * share)}%`;
  return filled;
}

/**
 * @param {string} board
 * @param {string} letter
 */
function count(board, letter) {
  return [...board.slice(0, SIDE * SIDE)].filter((each) => each === letter).length;
}

/**
 * The discs after a move.
 * @param {string} discs
 * @param {import("../shell/types").Legal} move
 * @param {import("../shell/types").Color} color
 */
function played(discs, { square, flips }, color) {
  const letters = [...discs];
  for (const each of [square, ...flips].map(index)) letters[each] = color === "black" ? "X" : "O";
  return letters.join("");
}

/** Until the discs have turned. */
function rest() {
  const tempo = motion();
  return new Promise((resolve) => setTimeout(resolve, tempo ? tempo.flip + 3 * tempo.step + 120 : 0));
}
