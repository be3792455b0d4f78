// The score over the game, Black's advantage upwards. Dragging on it, or its arrow keys, walk through the game.

import { app, subscribe } from "../shell/store.js";
import { byId, dot, h, s } from "../shell/dom.js";
import { labelSign, scoreWords } from "../shell/words.js";
import { language, t } from "../shell/i18n.js";
import { judgement, verdictWords } from "../study/verdict.js";
import { send } from "./game.js";

const WIDTH = 300;
const HEIGHT = 60;
const EDGE = 4; // above and below the line
const LEAST = 10; // discs: the scale never shows less, so that nothing looks dramatic before it is
const STEPS = [5, 10, 20, 40]; // discs between the lines of the axis: the first that needs but one on each side
const PHASES = ["opening", "middle", "end"]; // thirds of the game, as the analysis counts them

/** @typedef {{ply: number, black: number, label?: string | null}} Point */

let slider = /** @type {HTMLElement | null} */ (null);
let asked = -1;
let heading = 0; // where the walk under way leads
let aimed = -1; // the move under the pointer
let sending = false;

export function setUpGraph() {
  slider = h("div.slider", { role: "slider", tabindex: "0", "aria-orientation": "horizontal" });
  byId("graph").append(slider);
  slider.addEventListener("pointerdown", (event) => {
    slider?.setPointerCapture(event.pointerId);
    walkTo(plyAt(event.clientX));
  });
  slider.addEventListener("pointermove", (event) => {
    aim(plyAt(event.clientX));
    if (event.buttons) walkTo(aimed);
  });
  for (const left of ["pointerleave", "blur"]) slider.addEventListener(left, () => aim(-1));
  slider.addEventListener("focus", () => slider?.matches(":focus-visible") && aim(app.game?.ply ?? 0));
  slider.addEventListener("keydown", (event) => {
    const now = sending ? heading : (app.game?.ply ?? 0); // keys may come faster than answers
    const last = app.line.length - 1;
    const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    aim(Math.max(0, Math.min(last, to)));
    walkTo(aimed);
  });
  subscribe(draw);
}

/** @param {number} x */
function plyAt(x) {
  const box = /** @type {HTMLElement} */ (slider).getBoundingClientRect();
  const share = (x - box.left) / box.width;
  return Math.max(0, Math.min(app.line.length - 1, Math.round(share * span())));
}

/** The plies the graph is wide: as many as the game can have, so that it grows to the right and never rescales. */
function span() {
  const size = app.game?.size;
  return Math.max(size ? size.rows * size.columns - 4 : 60, app.line.length - 1);
}

/**
 * Go to a move of the main line; while one request is under way only the latest wish is kept.
 * @param {number} ply
 */
async function walkTo(ply) {
  asked = heading = ply;
  if (sending) return;
  sending = true;
  while (asked >= 0) {
    const node = app.line[asked];
    asked = -1;
    if (node && node.id !== app.game?.node) await send("goto", { node: node.id });
  }
  sending = false;
}

/** @returns {Point[]} */
function points() {
  const known = new Map(app.analysis?.graph.map((point) => [point.node, point.black]));
  return app.line.flatMap((node, ply) => {
    const black = known.get(node.id) ?? node.eval?.black;
    return black === undefined ? [] : [{ ply, black, label: judgement(node.id)?.label ?? node.label ?? "" }];
  });
}

/** @param {number} ply */
function aim(ply) {
  if (ply === aimed) return;
  aimed = ply;
  draw();
}

/** @param {number} ply */
const x = (ply) => (ply / span()) * WIDTH;

/**
 * @param {number} black
 * @param {number} scale
 */
const y = (black, scale) => HEIGHT / 2 - (Math.max(-scale, Math.min(scale, black)) / scale) * (HEIGHT / 2 - EDGE);

function draw() {
  const game = app.game;
  if (!game || !slider) return;
  const shown = points();
  const scale = Math.max(LEAST, ...shown.map((point) => Math.abs(point.black)));
  const line = shown.map((point) => `${x(point.ply).toFixed(1)} ${y(point.black, scale).toFixed(1)}`).join("L");
  const first = shown[0];
  const last = shown.at(-1);
  const area = first && last ? `M${x(first.ply)} ${HEIGHT / 2}L${line}L${x(last.ply)} ${HEIGHT / 2}Z` : "";
  const step = STEPS.find((each) => scale / each < 2) ?? 40;
  const ticks = [...Array(2 * Math.floor(scale / step) + 1).keys()].map((each) => (each - Math.floor(scale / step)) * step);
  const thirds = [1 / 3, 2 / 3].map((part) => x(part * span()));
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    s("path", { class: "grid", d: ticks.filter(Boolean).map((tick) => `M0 ${y(tick, scale).toFixed(1)}H${WIDTH}`).join("") }),
    s("path", { class: "grid third", d: thirds.map((each) => `M${each} 0V${HEIGHT}`).join("") }),
    area && s("path", { class: "area", d: area }),
    s("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    line && s("path", { class: "line", d: `M${line}` }),
    aimed >= 0 && s("path", { class: "aim", d: `M${x(aimed)} 0V${HEIGHT}` }),
    s("path", { class: "cursor", d: `M${x(game.main ? game.ply : -1)} 0V${HEIGHT}` }),
  );
  const marks = shown.filter((point) => labelSign(point.label)).map((point) => put(h(`span.mark.${point.label}`), x(point.ply), y(point.black, scale)));
  const axis = ticks.map((tick) => put(h("span.tick", {}, tick ? Math.abs(tick) : 0), WIDTH, y(tick, scale)));
  const phases = PHASES.map((phase, third) => put(h("span.third", {}, t(`phase.${phase}`)), ((third + 0.5) / 3) * WIDTH, HEIGHT));
  const sides = [h("span.side-name", {}, dot("black")), h("span.side-name.low", {}, dot("white"))];
  slider.classList.toggle("hollow", !shown.length);
  slider.replaceChildren(picture, h("div.graph-words", { "aria-hidden": "true" }, ...marks, ...axis, ...phases, ...sides));
  if (!shown.length) slider.append(h("span.nothing", {}, t("graph.none")));
  else if (aimed >= 0) slider.append(tip(aimed, shown));
  slider.lang = language();
  slider.setAttribute("aria-label", t("graph.label"));
  slider.setAttribute("aria-valuemin", "0");
  slider.setAttribute("aria-valuemax", String(app.line.length - 1));
  slider.setAttribute("aria-valuenow", String(Math.min(game.ply, app.line.length - 1)));
  slider.setAttribute("aria-valuetext", words(game.ply, shown));
}

/**
 * @param {HTMLElement} element
 * @param {number} left
 * @param {number} top
 */
function put(element, left, top) {
  element.style.left = `${((left / WIDTH) * 100).toFixed(2)}%`;
  element.style.top = `${((top / HEIGHT) * 100).toFixed(2)}%`;
  return element;
}

/**
 * What is known after so many moves: the move, the score, and what is said of it.
 * @param {number} ply
 * @param {Point[]} shown
 */
function words(ply, shown) {
  const node = app.line[ply];
  const point = shown.find((each) => each.ply === ply);
  const judged = node ? judgement(node.id) : null;
  const at = t("graph.at", { n: ply, score: [node?.move === "pass" ? t("moves.pass") : node?.move, point && scoreWords(point.black, judged?.exact)].filter(Boolean).join(", ") }).trim();
  return judged && node?.move !== "pass" ? `${at.replace(/\.$/, "")} – ${verdictWords(judged)}` : at; // an exact score ends with a point
}

/**
 * @param {number} ply
 * @param {Point[]} shown
 */
function tip(ply, shown) {
  const box = h("span.tip", { "aria-hidden": "true" }, words(ply, shown));
  const left = x(ply) / WIDTH;
  box.style.setProperty("--at", `${(left * 100).toFixed(1)}%`);
  box.style.transform = `translateX(${(-left * 100).toFixed(1)}%)`;
  return box;
}
