// A small picture of a board: no squares to click, no rules, four shapes whatever is on it.

import { s } from "../shell/dom.js";

const RADIUS = 0.41; // of a disc, in squares

/**
 * @param {string} board discs by rows from a1 as X and O, then the side to move, which is not drawn
 * @param {string} [size] "8", or columns and rows: "8x6"
 * @param {string} [last] the square of the last move, which is marked
 */
export function thumbnail(board, size = "8", last = "") {
  const [columns = 8, rows = columns] = size.split("x").map(Number);
  /** @param {string} color */
  const discs = (color) =>
    [...board.slice(0, rows * columns)]
      .flatMap((disc, at) => (disc === color ? [`M${(at % columns) + 0.5 - RADIUS} ${Math.floor(at / columns) + 0.5}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0z`] : []))
      .join("");
  const lines = [...Array(columns - 1).keys()].map((at) => `M${at + 1} 0v${rows}`).join("") + [...Array(rows - 1).keys()].map((at) => `M0 ${at + 1}h${columns}`).join("");
  const mark = last && { cx: last.charCodeAt(0) - 96.5, cy: Number(last.slice(1)) - 0.5, r: 0.14, class: "last" };
  return s(
    "svg",
    { class: "thumbnail", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" },
    s("rect", { class: "felt", width: columns, height: rows, rx: 0.25 }),
    s("path", { class: "lines", d: lines }),
    s("path", { class: "black", d: discs("X") }),
    s("path", { class: "white", d: discs("O") }),
    mark && s("circle", mark),
  );
}
