// The score over the game, Black's advantage upwards. Dragging on it, or its arrow keys, walk through the game.

import { app, subscribe } from "../shell/store.js";
import { byId, h, s } from "../shell/dom.js";
import { labelSign, scoreWords } from "../shell/words.js";
import { language, t } from "../shell/i18n.js";
import { send } from "./game.js";

const WIDTH = 300;
const HEIGHT = 60;
const LEAST = 10; // discs: the scale never shows less, so that nothing looks dramatic before it is

/** @typedef {{ply: number, black: number, label?: string | null}} Point */

let slider = /** @type {HTMLElement | null} */ (null);
let asked = -1;
let sending = false;

export function setUpGraph() {
  slider = h("div.slider", { role: "slider", tabindex: "0", "aria-orientation": "horizontal" });
  byId("graph").append(slider);
  slider.addEventListener("pointerdown", (event) => {
    slider?.setPointerCapture(event.pointerId);
    walkTo(plyAt(event.clientX));
  });
  slider.addEventListener("pointermove", (event) => event.buttons && walkTo(plyAt(event.clientX)));
  slider.addEventListener("keydown", (event) => {
    const now = app.game?.ply ?? 0;
    const last = app.line.length - 1;
    const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    walkTo(Math.max(0, Math.min(last, to)));
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
  asked = ply;
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
    return black === undefined ? [] : [{ ply, black, label: node.label }];
  });
}

function draw() {
  const game = app.game;
  if (!game || !slider) return;
  const shown = points();
  const scale = Math.max(LEAST, ...shown.map((point) => Math.abs(point.black)));
  const x = (/** @type {number} */ ply) => (ply / span()) * WIDTH;
  const y = (/** @type {number} */ black) => HEIGHT / 2 - (Math.max(-scale, Math.min(scale, black)) / scale) * (HEIGHT / 2 - 4);
  const line = shown.map((point) => `${x(point.ply).toFixed(1)} ${y(point.black).toFixed(1)}`).join("L");
  const first = shown[0];
  const last = shown.at(-1);
  const area = first && last ? `M${x(first.ply)} ${HEIGHT / 2}L${line}L${x(last.ply)} ${HEIGHT / 2}Z` : "";
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    area && s("path", { class: "area", d: area }),
    s("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    line && s("path", { class: "line", d: `M${line}` }),
    s("path", { class: "cursor", d: `M${x(game.main ? game.ply : -1)} 0V${HEIGHT}` }),
  );
  const marks = shown
    .filter((point) => labelSign(point.label))
    .map((point) => {
      const mark = h(`span.mark.${point.label}`, { "aria-hidden": "true" });
      mark.style.left = `${(x(point.ply) / WIDTH) * 100}%`;
      mark.style.top = `${(y(point.black) / HEIGHT) * 100}%`;
      return mark;
    });
  slider.classList.toggle("hollow", !shown.length);
  slider.replaceChildren(picture, ...marks, h("span.side-name", { "aria-hidden": "true" }, t("color.Black")), h("span.side-name.low", { "aria-hidden": "true" }, t("color.White")));
  if (!shown.length) slider.append(h("span.nothing", {}, t("graph.none")));
  slider.lang = language();
  const now = shown.find((point) => point.ply === game.ply);
  slider.setAttribute("aria-label", t("graph.label"));
  slider.setAttribute("aria-valuemin", "0");
  slider.setAttribute("aria-valuemax", String(app.line.length - 1));
  slider.setAttribute("aria-valuenow", String(Math.min(game.ply, app.line.length - 1)));
  slider.setAttribute("aria-valuetext", t("graph.at", { n: game.ply, score: now ? scoreWords(now.black) : "" }));
}
