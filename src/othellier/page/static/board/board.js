// The board widget: squares as buttons, discs that turn over, values, marks. It draws what it is told (`Picture`) and
// hands on what is done to it; it knows no rules and no server. The same widget serves the game, the set-up editor
// and the diagrams of the lessons. What hands and keys do is in board-input.js.

import { angleBetween, arrowPath, center, distance, squareName } from "./geometry.js";
import { h, s } from "../shell/dom.js";
import { signed, t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").Color} Color */
/** @typedef {{score: number, exact: boolean, loss: number, note?: string, best?: boolean, book?: boolean}} Value */
/**
 * @typedef {object} Picture
 * @property {number} rows
 * @property {number} columns
 * @property {string} discs a letter a square: X black, O white, - empty
 * @property {Color} turn
 * @property {Map<number, number[]>} legal squares that may be played, and what they turn
 * @property {number} last the last move, -1 for none
 * @property {boolean} open whether a click on a legal square plays
 * @property {Map<number, Value>} [values]
 * @property {number} [hinted] a square to ring, -1 for none
 * @property {number[]} [kept] squares that keep to the opening chosen
 * @property {number[]} [circles]
 * @property {[number, number][]} [arrows]
 * @property {{from: number, to: number} | null} [better] an arrow from a move to a better one
 * @property {boolean} [dots] whether legal squares are marked
 * @property {{flip: number, step: number} | null} [tempo] milliseconds of a disc's turn and between waves; null for no motion
 */

const TEMPO = { flip: 220, step: 75 }; // unless told otherwise

export class Board {
  /**
   * @param {HTMLElement} element
   * @param {string} label the name of the board for those who do not see it
   */
  constructor(element, label) {
    this.element = element;
    element.classList.add("frame");
    this.felt = h("div.felt", { role: "grid", "aria-label": label });
    this.points = s("svg", { class: "points", "aria-hidden": "true" });
    this.shapes = s("svg", { class: "shapes", "aria-hidden": "true" });
    this.letters = h("div.edge.letters", { "aria-hidden": "true" });
    this.figures = h("div.edge.figures", { "aria-hidden": "true" });
    element.replaceChildren(this.letters, this.figures, this.felt, this.points, this.shapes);
    /** @type {HTMLButtonElement[]} */
    this.squares = [];
    /** @type {Picture | null} */
    this.picture = null;
    this.focused = 0;
    this.aimed = -1;
  }

  /** @param {string} label */
  rename(label) {
    this.felt.setAttribute("aria-label", label);
    if (this.picture) this.draw({ ...this.picture, tempo: null });
  }

  /**
   * @param {number} rows
   * @param {number} columns
   */
  build(rows, columns) {
    this.felt.style.setProperty("--rows", String(rows));
    this.felt.style.setProperty("--columns", String(columns));
    this.squares = [];
    const inside = this.felt.contains(document.activeElement);
    const lines = [];
    for (let row = 0; row < rows; row++) {
      const line = h("div", { role: "row" });
      for (let column = 0; column < columns; column++) {
        const square = row * columns + column;
        const button = h("button.square", { "data-square": square, tabindex: -1 });
        if ((row + column) % 2) button.classList.add("odd");
        line.append(h("div", { role: "gridcell" }, button));
        this.squares.push(button);
      }
      lines.push(line);
    }
    this.felt.replaceChildren(...lines);
    this.letters.replaceChildren(...Array.from({ length: columns }, (_, c) => h("span", {}, squareName(c, columns)[0])));
    this.figures.replaceChildren(...Array.from({ length: rows }, (_, r) => h("span", {}, r + 1)));
    const box = `0 0 ${columns} ${rows}`;
    this.points.setAttribute("viewBox", box);
    this.shapes.setAttribute("viewBox", box);
    const [x, y] = [columns, rows].map((side) => Math.min(2, side / 2 - 1));
    const spots = [[x, y], [columns - x, y], [x, rows - y], [columns - x, rows - y]];
    this.points.replaceChildren(...spots.map(([cx, cy]) => s("circle", { cx, cy, r: 0.075 })));
    this.focusable(Math.min(this.focused, rows * columns - 1));
    if (inside) this.squares[this.focused]?.focus();
  }

  /**
   * The one square that Tab reaches.
   * @param {number} square
   */
  focusable(square) {
    this.squares[this.focused]?.setAttribute("tabindex", "-1");
    this.squares[square]?.setAttribute("tabindex", "0");
    this.focused = square;
  }

  /** @param {Picture} picture */
  draw(picture) {
    const before = this.picture;
    const same = before?.rows === picture.rows && before?.columns === picture.columns;
    if (!same) this.build(picture.rows, picture.columns);
    this.picture = picture;
    this.felt.classList.toggle("to-white", picture.turn === "white");
    this.felt.classList.toggle("open", picture.open);
    this.felt.classList.toggle("no-dots", picture.dots === false);
    const tempo = picture.tempo === undefined ? TEMPO : picture.tempo;
    const origin = same && tempo ? moveBetween(before.discs, picture.discs) : -1;
    if (tempo) this.felt.style.setProperty("--flip", `${tempo.flip}ms`);
    for (let square = 0; square < this.squares.length; square++) {
      const wave = origin >= 0 && tempo ? Math.max(0, distance(square, origin, picture.columns) - 1) * tempo.step : -1;
      this.drawSquare(square, picture, wave, origin);
    }
    this.drawShapes(picture);
    this.aim(this.aimed);
  }

  /**
   * Show what a move would turn, before it is made; -1 for none.
   * @param {number} square
   */
  aim(square) {
    const flips = this.picture?.open ? this.picture.legal.get(square) : undefined;
    this.aimed = square;
    this.squares.forEach((button, each) => {
      button.classList.toggle("aim", flips !== undefined && each === square);
      button.classList.toggle("would", flips?.includes(each) === true);
    });
  }

  /**
   * @param {number} square
   * @param {Picture} picture
   * @param {number} wait milliseconds until a change here is seen to begin; -1 where it just is
   * @param {number} origin the square the move is made on
   */
  drawSquare(square, picture, wait, origin) {
    const button = /** @type {HTMLButtonElement} */ (this.squares[square]);
    const is = picture.discs[square] ?? "-";
    const value = picture.values?.get(square);
    const legal = picture.legal.has(square);
    button.classList.toggle("legal", legal);
    button.classList.toggle("last", picture.last === square);
    button.classList.toggle("valued", value !== undefined);
    button.classList.toggle("best", value?.best === true);
    button.classList.toggle("hinted", picture.hinted === square);
    button.classList.toggle("kept", picture.kept?.includes(square) === true);
    this.drawDisc(button, is, wait, square === origin ? 0 : angleBetween(origin, square, picture.columns));
    for (const old of button.querySelectorAll(".value")) old.remove();
    if (value) {
      const text = valueText(value);
      button.append(h(`span.value.loss-${lossClass(value.loss)}${value.exact ? ".exact" : ""}${value.book ? ".book" : ""}${text.length > 3 ? ".long" : ""}`, { "data-note": value.note }, text));
    }
    const label = squareLabel(square, is, picture, value);
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
  }

  /**
   * @param {HTMLElement} button
   * @param {string} is
   * @param {number} wait
   * @param {number} angle the way the move comes from, in degrees: a disc tips over away from it
   */
  drawDisc(button, is, wait, angle) {
    let disc = /** @type {HTMLElement | null} */ (button.querySelector(".disc"));
    const color = is === "X" ? "black" : is === "O" ? "white" : "";
    if (!color) {
      disc?.remove();
      return;
    }
    if (disc?.classList.contains(color)) return;
    // A new element starts its animation anew, however quickly moves follow one another.
    const turns = disc !== null;
    disc?.remove();
    disc = h(`span.disc.${color}`);
    if (wait >= 0 && turns) {
      // The face it had lies on top until the disc stands on its edge: from there on the new one is seen.
      const old = h(`span.face.${color === "black" ? "white" : "black"}`);
      old.addEventListener("animationend", () => old.remove());
      disc.append(old);
      disc.classList.add("turned");
      disc.style.setProperty("--wait", `${wait}ms`);
      disc.style.setProperty("--axis", `${angle}deg`);
    } else if (wait >= 0) disc.classList.add("fresh");
    button.prepend(disc);
  }

  /** @param {Picture} picture */
  drawShapes(picture) {
    const circles = (picture.circles ?? []).map((square) => {
      const [cx, cy] = center(square, picture.columns);
      return s("circle", { class: "circle", cx, cy, r: 0.44 });
    });
    const arrows = (picture.arrows ?? []).map(([from, to]) => {
      return s("path", { class: "arrow", d: arrowPath(from, to, picture.columns) });
    });
    if (picture.better) {
      const [cx, cy] = center(picture.better.to, picture.columns);
      circles.push(s("circle", { class: "circle better", cx, cy, r: 0.4 }));
      arrows.push(s("path", { class: "arrow better", d: arrowPath(picture.better.from, picture.better.to, picture.columns) }));
    }
    this.shapes.replaceChildren(...circles, ...arrows);
  }

  /**
   * The square under a point of the screen, or -1.
   * @param {number} x
   * @param {number} y
   */
  squareAt(x, y) {
    const found = document.elementFromPoint(x, y)?.closest(".square");
    return found instanceof HTMLElement && this.felt.contains(found) ? Number(found.dataset.square) : -1;
  }
}

/**
 * The square a single move lies between two boards on, whichever of them is the later one; -1 where they are further
 * apart than that: then nothing is seen to turn.
 * @param {string} before
 * @param {string} after
 */
function moveBetween(before, after) {
  let found = -1;
  for (let square = 0; square < after.length; square++) {
    if ((before[square] === "-") === (after[square] === "-")) continue;
    if (found >= 0) return -1;
    found = square;
  }
  return found;
}

/** @param {Value} value */
function valueText(value) {
  const short = signed(value.score, value.exact || Math.abs(value.score) >= 9.95 ? 0 : 1);
  return value.exact ? `${short}.` : short;
}

/**
 * How bad a loss looks: the class of its ink. The number itself says it too.
 * @param {number} loss
 */
function lossClass(loss) {
  return loss <= 0.5 ? 0 : loss <= 2.5 ? 1 : loss <= 6.5 ? 2 : 3;
}

/**
 * @param {number} square
 * @param {string} is
 * @param {Picture} picture
 * @param {Value} [value]
 */
function squareLabel(square, is, picture, value) {
  const parts = [squareName(square, picture.columns)];
  const flips = picture.legal.get(square);
  if (is !== "-") parts.push(t(is === "X" ? "color.black" : "color.white"));
  else if (flips) parts.push(t("square.legal"), t("square.flips", { n: flips.length }));
  else parts.push(t("square.empty"));
  if (picture.kept?.includes(square)) parts.push(t("square.kept"));
  if (picture.last === square) parts.push(t("square.last"));
  if (value) parts.push(t(value.exact ? "square.exact" : "square.value", { value: signed(value.score) }));
  if (value?.book) parts.push(t("reading.book"));
  if (value?.note) parts.push(t("square.chance", { chance: value.note }));
  if (value?.best) parts.push(t("square.best"));
  if (picture.hinted === square) parts.push(t("square.hint"));
  if (picture.better?.to === square) parts.push(t("square.better"));
  if (picture.circles?.includes(square)) parts.push(t("square.circle"));
  return parts.join(", ");
}
