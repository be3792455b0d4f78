// What is known about the position one looks at: the opening's name or the way back to the game; the score or the
// chances; what was said of the move that led here; the best lines, each move of which can be played.

import { app, empties, subscribe, valuesHere } from "../shell/store.js";
import { act } from "../shell/actions.js";
import { byId, dot, fill, h } from "../shell/dom.js";
import { coachWords } from "./coach.js";
import { isAsked } from "../study/mistakes.js";
import { isWorse, judgementHere, reasonSentences, verdictLine, verdictWords } from "../study/verdict.js";
import { mode } from "../shell/mode.js";
import { openingName, scoreWords } from "../shell/words.js";
import { options } from "../shell/options.js";
import { percent, signed, t } from "../shell/i18n.js";
import { readingHere } from "./reading.js";
import { showLine } from "./game.js";

/** @typedef {import("./reading.js").Reading} Reading */

const EARLY = 20; // see game-board.js
const LINES = 3;
const LONGEST = 12; // moves of a line

export function setUpReading() {
  subscribe(draw);
}

function draw() {
  const game = app.game;
  if (!game) return;
  const reading = readingHere();
  const studies = mode() === "study";
  const judged = studies && !isAsked() ? judgementHere() : null;
  const way = away();
  const coach = studies ? null : coachWords();
  const name = openingName(game.opening) || (game.ply ? "" : t("reading.start"));
  const told = judged && isWorse(judged) ? reasonSentences(judged) : [];
  fill(
    byId("reading"),
    h("p.opening", {}, h("span.name", { title: name }, name), !game.saved && h("span.unsaved", {}, t("reading.unsaved"))),
    h("p.score", {}, ...(reading ? scoreLine(reading) : [])),
    coach && h("p.coach-said", {}, coach),
    judged && h("p.verdict-line", { title: verdictWords(judged) }, ...verdictLine(judged)),
    way ?? (studies && !judged && h("p.verdict-line")),
    studies && !game.over && h("p.why", { title: told.join(" ") }, told.join(" ")),
    ...lines(reading, studies),
  );
}

/** One has left the game that goes on, or its moves: where it is, and the two ways on. */
function away() {
  const game = app.game;
  if (!game || game.node === game.live || isAsked()) return null;
  if (game.main && game.result) return null; // walking through a game that has ended needs no way back
  return h(
    "p.away",
    {},
    h("span", {}, t(game.main && game.live.startsWith(game.node) ? "away.back" : "away.trying")),
    h("button.plain", { "data-key": "live", onclick: () => act("live") }, t("do.live")),
    !game.over && h("button.link", { "data-key": "go", onclick: () => act("go") }, t("away.go")),
  );
}

/** @param {Reading} reading */
function scoreLine(reading) {
  const parts = [h("strong", {}, scoreWords(reading.black, reading.exact))];
  if (reading.exact) parts.push(h("span.muted", {}, t("reading.exact")));
  else if (reading.source === "book") parts.push(h("span.muted", {}, t("reading.book")));
  else if (reading.depth) parts.push(h("span.muted.depth", {}, t("depth", { n: reading.depth })));
  if (!reading.exact && reading.win !== undefined && empties() > EARLY) {
    const white = 1 - reading.win - (reading.draw ?? 0);
    const draws = reading.draw !== undefined && h("span.muted", {}, percent(reading.draw));
    parts.push(h("span.chances", { title: t("reading.chances") }, dot("black"), percent(reading.win), draws, dot("white"), percent(Math.max(0, white))));
  }
  return parts;
}

/**
 * The best three lines of whoever studies, else the one that is expected.
 * @param {Reading | null} reading
 * @param {boolean} studies
 */
function lines(reading, studies) {
  const values = studies && options.lines && !isAsked() ? valuesHere() : null;
  const best = values?.squares.slice(0, LINES) ?? [];
  const shown = best.map((value) => ({ score: (value.exact ? signed(value.score, 0) + "." : signed(value.score)), moves: value.pv.length ? value.pv : [value.square] }));
  const rows = shown.length ? shown : [{ score: "", moves: reading?.pv ?? [] }];
  if (app.game?.over) return [];
  if (!studies) return [pvLine(rows[0], 0)];
  while (rows.length < LINES) rows.push({ score: "", moves: [] }); // nothing below moves up
  return rows.map(pvLine);
}

/**
 * @param {{score: string, moves: string[]} | undefined} line
 * @param {number} number
 */
function pvLine(line, number) {
  const moves = line?.moves.slice(0, LONGEST) ?? [];
  return h(
    "p.pv",
    { "aria-label": moves.length ? t("reading.pv") : undefined, role: moves.length ? "group" : undefined, "data-line": number },
    line?.score && h("span.line-score", {}, line.score),
    ...moves.map((move, index) =>
      move === "pass"
        ? h("span.muted", {}, t("moves.pass"))
        : h("button.move", { "data-key": `pv${number} ${index}`, "aria-label": t("reading.play", { move }), onclick: () => showLine(moves, index + 1) }, move),
    ),
  );
}
