// The analysis of a game: accuracy and losses by player and phase, its mistakes, and learning from them.

import { app } from "../shell/store.js";
import { begin, current, leave, next, tell } from "./mistakes.js";
import { dot, fill, h } from "../shell/dom.js";
import { number, percent, signed, t } from "../shell/i18n.js";
import { accuracyWords, labelSign, playerName, sideName } from "../shell/words.js";
import { betterLine, isWorse, judgementHere, reasonSentences } from "./verdict.js";
import { look, send, showLine } from "../play/game.js";
import { select } from "../dialogs/dialog.js";

/** @typedef {import("../shell/types").Color} Color */
/** @typedef {import("../shell/types").MistakeView} Mistake */

/** @type {Color[]} */
const COLORS = ["black", "white"];
const PHASES = /** @type {const} */ (["opening", "middle", "end"]);
const LABELS = /** @type {const} */ (["best", "good", "inaccuracy", "mistake", "blunder"]);
let level = "normal";

/** @param {HTMLElement} place */
export function drawAnalysis(place) {
  const game = app.game;
  if (!game) return;
  if (app.lesson) return fill(place, ...lesson(app.lesson));
  const { analysis, progress } = app;
  const known = analysis && analysis.moves.length > 0;
  const here = judgementHere();
  fill(
    place,
    progress !== null ? running(progress) : null,
    !known && progress === null && h("p.empty", {}, t(app.line.length > 1 ? "analysis.none" : "analysis.no_moves")),
    progress === null && app.refining !== null && h("p.muted.small.refining", {}, t("analysis.refining", { share: percent(app.refining) })),
    here && isWorse(here) && verdict(here),
    known && report(analysis),
    known && analysis.done && turningPoint(analysis),
    known && analysis.done && mistakes(analysis.mistakes),
    progress === null && app.line.length > 1 && starter(Boolean(known)),
  );
}

/** @param {number} progress */
function running(progress) {
  return h(
    "div.running",
    {},
    h("progress", { max: 1, value: progress, "aria-label": t("analysis.running") }),
    h("button.plain", { "data-key": "stop", onclick: () => send("analyse_stop") }, t("do.stop")),
  );
}

/** @param {boolean} again */
function starter(again) {
  const choices = select(
    ["quick", "normal", "deep"].map((name) => [name, t(`analysis.${name}`)]),
    level,
    (value) => (level = value),
  );
  choices.setAttribute("aria-label", t("analysis.depth"));
  choices.dataset.key = "level";
  const run = h(again ? "button.plain" : "button.primary", { "data-key": "analyse", onclick: () => send("analyse", { level: /** @type {import("../shell/types").Analyse["level"]} */ (choices.value) }) }, t(again ? "analysis.again" : "analysis.run"));
  return h("div.row.starter", {}, run, choices);
}

/** @param {import("../shell/types").AnalysisView} analysis */
function report(analysis) {
  const game = app.game;
  const line = (/** @type {string} */ words, /** @type {(color: Color) => string | number} */ cell, strong = false) =>
    h("tr", {}, h("th", { scope: "row" }, words), COLORS.map((color) => h("td", {}, strong ? h("strong", {}, cell(color)) : cell(color))));
  return h(
    "table.report",
    {},
    h("caption.hidden", {}, t("analysis.label")),
    h("thead", {}, h("tr", {}, h("td"), COLORS.map((color) => h("th", { scope: "col" }, dot(color), game ? playerName(game.players[color], color, game.players) : color)))),
    h(
      "tbody",
      {},
      line(t("analysis.accuracy"), (color) => accuracyWords(analysis.players[color]?.accuracy), true),
      PHASES.map((phase) =>
        line(t(`phase.${phase}`), (color) => {
          const part = analysis.players[color]?.phases[phase];
          return part?.moves ? `${accuracyWords(part.accuracy)} (${signed(-part.loss, 0)})` : "–";
        }),
      ),
      line(t("analysis.loss"), (color) => number(analysis.players[color]?.loss ?? 0, 1)),
      LABELS.map((label) => line(`${t(`labels.${label}`)} ${labelSign(label)}`, (color) => analysis.players[color]?.labels[label] ?? 0)),
    ),
  );
}

/**
 * The move that decided the game, if one did.
 * @param {import("../shell/types").AnalysisView} analysis
 */
function turningPoint({ moves, turning_point: node }) {
  const move = moves.find((each) => each.node === node);
  return move && h("p.turning", {}, h("strong", {}, t("end.turning")), dot(move.color), moveButton(move, "turning"), h("span.muted", {}, t("analysis.turned", { n: move.ply, loss: percent(move.chance_loss) })));
}

/**
 * A move that leads to where it was played.
 * @param {{node: string, move: string, label: string}} move
 * @param {string} [key]
 */
function moveButton({ node, move, label }, key = node) {
  return h("button.move", { "data-key": key, onclick: () => look(node) }, move, h(`span.sign.${label}`, { title: t(`label.${label}`) }, labelSign(label)));
}

/** @param {Mistake[]} list */
function mistakes(list) {
  if (!list.length) return h("p.empty", {}, t("analysis.flawless"));
  const mine = COLORS.filter((color) => app.game?.players[color].kind === "human");
  const who = mine.length === 1 ? /** @type {Color} */ (mine[0]) : null;
  return h(
    "section.mistakes",
    {},
    h("div.row", {}, h("h2", {}, t("analysis.mistakes")), h("button.primary", { "data-key": "lesson", onclick: () => begin(who) }, t("lesson.begin"))),
    h(
      "ol",
      {},
      list.map((mistake) =>
        h(
          "li",
          {},
          dot(mistake.color),
          moveButton({ node: mistake.node + mistake.played, move: mistake.played, label: mistake.label }),
          h("span.muted", {}, t("analysis.better", { best: mistake.best, loss: signed(-mistake.loss) })),
        ),
      ),
    ),
  );
}

/** @param {import("./mistakes.js").Lesson} lesson */
function lesson(lesson) {
  const mistake = current(lesson);
  if (!mistake) {
    return [h("p.big", {}, t("lesson.finished", { found: lesson.found, n: lesson.mistakes.length })), h("button.primary", { "data-key": "leave", onclick: leave }, t("lesson.leave"))];
  }
  const solved = lesson.stage === "right" || lesson.stage === "told";
  const loss = mistake.squares.find((each) => each.square === lesson.answer)?.loss ?? 0;
  const words = {
    asked: "",
    wrong: t("lesson.wrong", { square: lesson.answer, loss: signed(-loss) }),
    right: t("lesson.right", { square: lesson.answer }),
    told: t("lesson.told", { square: mistake.best }),
    finished: "",
  }[lesson.stage];
  return [
    h("p.muted", {}, t("lesson.count", { i: lesson.index + 1, n: lesson.mistakes.length })),
    h("p.big", {}, dot(mistake.color), " ", t("lesson.ask", { color: sideName(mistake.color), played: mistake.played })),
    h(`p.verdict.${lesson.stage}`, {}, words),
    solved && h("ul.reasons", {}, reasonSentences({ ...mistake, move: mistake.played }).map((words) => h("li", {}, words))),
    solved && h("p.pv", {}, mistake.pv.map((move, index) => h("button.move", { "data-key": `pv${index}`, onclick: () => (leave(), showLine(mistake.pv, index + 1, mistake.node)) }, move))),
    h(
      "div.row",
      {},
      !solved && h("button.plain", { "data-key": "tell", onclick: tell }, t("lesson.tell")),
      h(solved ? "button.primary" : "button.plain", { "data-key": "next", onclick: next }, t(solved ? "lesson.next" : "lesson.skip")),
      h("button.plain", { "data-key": "leave", onclick: leave }, t("lesson.leave")),
    ),
  ];
}

/**
 * Why the move one has come to was not the best, and the better line to walk along.
 * @param {import("../shell/types").MoveView} move
 */
function verdict(move) {
  return h(
    "section.verdict-here",
    { "aria-label": t("verdict.label") },
    h("ul.reasons", {}, reasonSentences(move).map((words) => h("li", {}, words))),
    betterLine(move),
  );
}
