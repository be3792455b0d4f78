// The end of a game: a card over the board with the result in words, what the analysis finds as it comes, and what one
// may want next.

import { act, changePlayers } from "../shell/actions.js";
import { sharePicture, shareLink, shareMoves } from "../shell/transfer.js";
import { app, subscribe } from "../shell/store.js";
import { dot, h, icon, patch, s } from "../shell/dom.js";
import { countGame, isBeaten, step } from "./streak.js";
import { face } from "./faces.js";
import { focusTable } from "./game-board.js";
import { highlights } from "./highlights.js";
import { accuracyWords, labelSign, finalWords, levelName, otherColor, person, playerName } from "../shell/words.js";
import { letDiscsFall } from "./shower.js";
import { look, onEvent, trySend } from "./game.js";
import { moodOf } from "./mood.js";
import { praiseWords } from "./praise.js";
import { reasonSentences } from "../study/verdict.js";
import { signed, t } from "../shell/i18n.js";
import { endSound } from "./sound.js";
import { whenQuiet } from "./pace.js";

/** @typedef {import("../shell/types").Color} Color */
/** @typedef {import("../shell/types").MoveView} AnalysedMove */

const [BELOW, ABOVE] = [4, 4]; // steps of the ladder shown beside the one a person stands on

/** @type {HTMLElement | null} */
let card = null;
let game = ""; // whose end it shows
let asked = ""; // the game whose analysis was asked for, as long as nothing has been heard of it
/** @type {Color[]} */
const COLORS = ["black", "white"];
/** @type {string[]} */
let ladder = []; // the levels around the one played against
let next = ""; // the level above the one played against, "" for none
let offered = ""; // the level that the last games speak for
let up = true; // whether that is a stronger one

export function setUpEndCard() {
  onEvent((event) => {
    if (event.event === "analysis" || event.event === "error") return heardOfIt();
    if (event.event !== "over") return;
    const ended = app.game?.game;
    count();
    whenQuiet(() => {
      if (app.game?.game !== ended) return;
      openEndCard();
      celebrate();
    });
    askForAnalysis();
  });
  subscribe(draw);
}

/** Have the game analysed. The card keeps room for what will come, so that its buttons stay where they are. */
async function askForAnalysis() {
  asked = app.game?.game ?? "";
  if (!(await trySend("analyse"))) heardOfIt();
}

/** It comes, or will not come: without an engine there is only the result to show. */
function heardOfIt() {
  if (!asked) return;
  asked = "";
  draw();
}

/** Show how the game ended. */
export async function openEndCard() {
  if (!app.game?.result) return;
  closeCard();
  const ended = app.game.game;
  game = ended;
  next = offered = "";
  ladder = [];
  await findNext().catch(() => {}); // a button that came later would push the others away
  if (card || app.game.game !== ended || !app.game.result) return;
  if (!app.analysis && app.progress === null && asked !== ended) askForAnalysis(); // a game that ended some other day
  card = h("section.end-card", { role: "dialog", "aria-labelledby": "end-title", "aria-describedby": "end-praise", tabindex: -1, onkeydown: leave });
  document.querySelector(".play")?.append(card);
  draw();
  /** @type {HTMLElement | null} */ (card.querySelector("button.primary"))?.focus({ preventScroll: true });
}

/** A person's game against a machine ends with a tune, and a win with a little more. */
function celebrate() {
  const [result, me, place] = [app.game?.result, person(app.game), document.querySelector(".play")];
  if (!result || !me || !place) return;
  endSound(result.winner === me ? "won" : result.winner ? "lost" : "draw");
  if (result.winner === me) letDiscsFall(place);
}

function closeCard() {
  card?.remove();
  card = null;
}

/** @param {KeyboardEvent} event */
function leave(event) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  closeCard();
  focusTable();
}

async function findNext() {
  const machine = opponent();
  if (!machine || machine.kind !== "level") return;
  const { players } = await import("../dialogs/opponent-cards.js");
  const { levels } = await players();
  const at = levels.findIndex((each) => each.level === machine.level);
  if (at < 0) return;
  const way = step(machine.level ?? "");
  ladder = levels.slice(Math.max(0, at - BELOW), at + ABOVE + 1).map((each) => each.level);
  next = levels[at + 1]?.level ?? "";
  up = way > 0;
  offered = way ? levels[at + way]?.level ?? "" : "";
}

/** Count the game for or against a step on the ladder: one of a person against a level, on the usual board. */
function count() {
  const [state, me, machine] = [app.game, person(app.game), opponent()];
  if (!state?.result || !me || machine?.kind !== "level" || state.size.rows !== 8 || state.size.columns !== 8) return;
  countGame(state.game, machine.level ?? "", me === "black" ? state.result.black : -state.result.black);
}

function opponent() {
  const me = person(app.game);
  return me && app.game ? app.game.players[otherColor(me)] : null;
}

function draw() {
  if (!card) return;
  const state = app.game;
  // The card is about the end: whoever walks back or begins anew looks at something else.
  if (!state?.result || state.game !== game || !state.over) return closeCard();
  const me = person(app.game);
  const won = me && state.result.winner === me;
  const machines = COLORS.filter((color) => state.players[color].kind !== "human");
  patch(
    card,
    h("button.icon.close", { "data-key": "close", "aria-label": t("close"), title: t("close"), onclick: () => (closeCard(), focusTable()) }, icon("close")),
    machines.length > 0 && h("div.opponent", { "data-key": "portrait" }, ...machines.map((color) => face(state.players[color], moodOf(state, color)))),
    h("h2", { id: "end-title", "data-key": "title" }, finalWords(state, me)),
    me && h("p.praise", { id: "end-praise", "data-key": "praise" }, praiseWords(state, me)),
    h("p.opponents", { "data-key": "opponents" }, dot("black"), playerName(state.players.black, "black", state.players), " – ", dot("white"), playerName(state.players.white, "white", state.players)),
    offered &&
      h(
        "div.step",
        { "data-key": "step" },
        h("p", {}, t(up ? "end.two_wins" : "end.two_losses", { level: levelName(offered) })),
        h("button.plain.offer", { "data-key": "offer", onclick: (/** @type {MouseEvent} */ event) => again(event, { level: offered }) }, face({ kind: "level", level: offered }), t("end.play", { level: levelName(offered) })),
      ),
    won && !offered && climbed(),
    h("div.found", { "data-key": "found" }, ...found(me)),
    h(
      "div.next",
      { "data-key": "next" },
      h("button.primary", { "data-key": "rematch", onclick: (/** @type {MouseEvent} */ event) => again(event, {}) }, t("end.rematch")),
      me && h("button.plain", { "data-key": "swap", onclick: (/** @type {MouseEvent} */ event) => again(event, { swap: true }) }, t("end.swap")),
      me && next && next !== offered && h(won ? "button.plain.offer" : "button.plain", { "data-key": "level", onclick: (/** @type {MouseEvent} */ event) => again(event, { level: next }) }, t("end.next", { level: levelName(next) })),
      h("button.plain", { "data-key": "analyse", onclick: () => (closeCard(), act("analyse")) }, t("end.analyse")),
    ),
    h(
      "div.share",
      { "data-key": "share", role: "group", "aria-label": t("end.share") },
      h("span.muted", {}, t("end.share")),
      h("button.plain", { "data-key": "picture", onclick: sharePicture }, t("end.picture")),
      h("button.plain", { "data-key": "transcript", onclick: shareMoves }, t("end.transcript")),
      h("button.plain", { "data-key": "link", onclick: shareLink }, t("end.link")),
    ),
  );
}

/** The ladder as far as it is climbed: whom one has beaten has a star. */
function climbed() {
  const beaten = ladder.filter(isBeaten);
  return (
    beaten.length > 0 &&
    h(
      "p.ladder",
      { "data-key": "ladder", role: "img", "aria-label": t("end.beaten", { names: beaten.map(levelName).join(", ") }) },
      ...ladder.map((level) => h(isBeaten(level) ? "span.starred" : "span", {}, face({ kind: "level", level }))),
    )
  );
}

/**
 * Play again. Whoever asked by a key is taken to the board, where a mouse or a finger goes by itself.
 * @param {MouseEvent} event
 * @param {Parameters<typeof changePlayers>[0]} changes
 */
function again(event, changes) {
  if (event.detail === 0) focusTable();
  return changePlayers(changes);
}

/**
 * What the analysis has found so far.
 * @param {Color | null} me
 */
function found(me) {
  const { analysis, progress } = app;
  if (!analysis?.moves.length) return progress !== null || asked === game ? [h("p.muted.wait", {}, t("analysis.running"), "…")] : [];
  const { best, worst, turning } = highlights(analysis, me);
  const sides = /** @type {Color[]} */ (me ? [me, otherColor(me)] : ["black", "white"]);
  return [
    h(
      "p.accuracy",
      {},
      h("span.muted", {}, t("analysis.accuracy")),
      ...sides.flatMap((color) => [dot(color), h("strong", {}, accuracyWords(analysis.players[color]?.accuracy))]),
      progress !== null && h("span.muted.wait", {}, "…"),
    ),
    graph(),
    turning &&
      h(
        "p.turning",
        {},
        h("span.muted", {}, t("end.turning")),
        moveButton(turning),
        h("span", {}, turningWords(turning, turning.color === me)),
      ),
    best.length > 0 && list(t("end.best"), best),
    worst.length > 0 && list(t("end.worst"), worst),
  ];
}

/**
 * What was better, and of a person's own move why: one thing to learn.
 * @param {AnalysedMove} move
 * @param {boolean} own
 */
function turningWords(move, own) {
  const words = t("end.turned", { best: move.best, loss: signed(-move.loss, 0) });
  const [why] = own ? reasonSentences(move) : [];
  return why ? `${words}. ${why}` : words;
}

/**
 * @param {string} words
 * @param {AnalysedMove[]} moves
 */
function list(words, moves) {
  return h("p.highlights", {}, h("span.muted", {}, words), ...moves.map(moveButton));
}

/** @param {AnalysedMove} move */
function moveButton(move) {
  const ply = app.line.findIndex((node) => node.id === move.node);
  const sign = labelSign(move.label);
  const words = t("end.look", { n: ply, move: move.move, loss: signed(-move.loss, 0) });
  return h(
    "button.move",
    { "data-key": `move ${move.node}`, "aria-label": words, title: words, onclick: lookAt, "data-node": move.node },
    dot(move.color),
    move.move,
    sign && h(`span.sign.${move.label}`, {}, sign),
  );
}

/** @param {Event} event */
function lookAt(event) {
  const node = /** @type {HTMLElement} */ (event.currentTarget).dataset.node;
  if (node !== undefined) look(node);
}

const WIDTH = 300;
const HEIGHT = 56;

/** The game's course in small: Black above the line, White below. */
function graph() {
  const points = app.analysis?.graph ?? [];
  const scale = Math.max(10, ...points.map((point) => Math.abs(point.black)));
  const last = Math.max(1, app.line.length - 1);
  const places = new Map(app.line.map((node, ply) => [node.id, ply]));
  const line = points
    .filter((point) => places.has(point.node))
    .map((point) => `${((/** @type {number} */ (places.get(point.node)) / last) * WIDTH).toFixed(1)} ${(HEIGHT / 2 - (point.black / scale) * (HEIGHT / 2 - 3)).toFixed(1)}`);
  return s(
    "svg",
    { class: "course", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph.label") },
    s("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    line.length > 0 && s("path", { class: "line", d: `M${line.join("L")}` }),
  );
}
