// Learning from one's mistakes: each is shown as a question, and the answer is judged by the analysis.

import { app, update } from "../shell/store.js";
import { announce, toast } from "../shell/toast.js";
import { look } from "../play/game.js";
import { sideName } from "../shell/words.js";
import { signed, t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").MistakeView} Mistake */
/**
 * @typedef {object} Lesson
 * @property {Mistake[]} mistakes
 * @property {number} index the one being asked
 * @property {string} shown the square revealed, "" while it is a question
 * @property {string} answer what the player tried last
 * @property {"asked" | "wrong" | "right" | "told" | "finished"} stage
 * @property {number} found how many were answered without help
 */

/**
 * Begin with the mistakes of one side, or of both.
 * @param {import("../shell/types").Color | null} color
 */
export function begin(color) {
  const mistakes = (app.analysis?.mistakes ?? []).filter((mistake) => !color || mistake.color === color);
  if (!mistakes.length) {
    toast(t("lesson.none"));
    return;
  }
  ask({ mistakes, index: 0, shown: "", answer: "", stage: "asked", found: 0 });
}

/** @param {Lesson} lesson */
function ask(lesson) {
  update({ lesson });
  const mistake = current(lesson);
  if (!mistake) return;
  look(mistake.node);
  announce(t("lesson.ask", { color: sideName(mistake.color), played: mistake.played }));
}

/**
 * The mistake being asked about.
 * @param {Lesson} lesson
 */
export function current(lesson) {
  return lesson.mistakes[lesson.index];
}

/** Whether the position of the question is on the board: elsewhere in the game one plays as ever. */
export function isAsked() {
  return app.lesson !== null && current(app.lesson)?.node === app.game?.node;
}

/**
 * The player answers with a square.
 * @param {string} square
 */
export function attempt(square) {
  const lesson = app.lesson;
  const mistake = lesson && current(lesson);
  if (!mistake || !app.game?.legal.some((move) => move.square === square)) return;
  if (lesson.stage === "right" || lesson.stage === "told") return;
  const judged = mistake.squares.find((each) => each.square === square);
  const right = judged ? judged.good : square === mistake.best;
  const found = lesson.found + (right && lesson.stage === "asked" ? 1 : 0);
  update({ lesson: { ...lesson, answer: square, found, stage: right ? "right" : "wrong", shown: right ? square : "" } });
  const loss = judged ? signed(-judged.loss) : "";
  announce(right ? t("lesson.right", { square }) : t("lesson.wrong", { square, loss }));
}

/** Show the answer. */
export function tell() {
  const lesson = app.lesson;
  const mistake = lesson && current(lesson);
  if (!mistake) return;
  update({ lesson: { ...lesson, stage: "told", shown: mistake.best } });
  announce(t("lesson.told", { square: mistake.best }));
}

/** On to the next mistake, or to the end. */
export function next() {
  const lesson = app.lesson;
  if (!lesson) return;
  const index = lesson.index + 1;
  if (index < lesson.mistakes.length) ask({ ...lesson, index, shown: "", answer: "", stage: "asked" });
  else update({ lesson: { ...lesson, index, shown: "", stage: "finished" } });
}

/** Back to the game. */
export function leave() {
  update({ lesson: null });
}
