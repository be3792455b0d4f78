// The set-up editor: put discs where you like, say who is to move, and play or study from there.

import { api, wordsOf } from "../shell/api.js";
import { app } from "../shell/store.js";
import { Board } from "../board/board.js";
import { h } from "../shell/dom.js";
import { listen } from "../board/board-input.js";
import { openDialog, radios, select } from "./dialog.js";
import { openNewGame } from "./new-game.js";
import { newGame } from "../play/game.js";
import { t } from "../shell/i18n.js";

const SIZES = ["8", "6", "4"];

/** @param {number} side */
function startBoard(side) {
  const discs = Array(side * side).fill("-");
  const middle = side / 2;
  const at = (/** @type {number} */ row, /** @type {number} */ column) => row * side + column;
  discs[at(middle - 1, middle - 1)] = discs[at(middle, middle)] = "O";
  discs[at(middle - 1, middle)] = discs[at(middle, middle - 1)] = "X";
  return discs;
}

export function openSetup() {
  const game = app.game;
  const square = game && game.size.rows === game.size.columns;
  let side = square ? game.size.rows : 8;
  let discs = square ? [...game.board.slice(0, side * side)] : startBoard(side);
  /** @type {import("../shell/types").Color} */
  let turn = game?.turn ?? "black";
  let brush = "cycle";
  let checks = 0;

  const place = h("div.setup-board");
  const board = new Board(place, t("setup.board"));
  const message = h("p.problem", { role: "status" });
  const start = h("button.primary", { onclick: play }, t("setup.play"));
  const look = h("button.plain", { onclick: examine }, t("setup.study"));
  listen(board, { pick: paint, study: erase });

  const text = () => `${discs.join("")} ${turn === "black" ? "X" : "O"}`;

  /** @param {number} at */
  function paint(at) {
    const cycle = { "-": "X", X: "O", O: "-" };
    discs[at] = brush === "cycle" ? cycle[/** @type {"-"} */ (discs[at])] : discs[at] === brush ? "-" : brush;
    check();
  }

  /** @param {number} at */
  function erase(at) {
    discs[at] = "-";
    check();
  }

  async function check() {
    draw(new Map());
    const mine = ++checks;
    try {
      const answer = await api.check(text(), String(side));
      if (mine !== checks) return;
      message.textContent = answer.over ? t("setup.over") : t("setup.good", { n: answer.legal.length, black: answer.discs.black, white: answer.discs.white });
      start.disabled = look.disabled = answer.over;
    } catch (error) {
      if (mine !== checks) return;
      message.textContent = wordsOf(error);
      start.disabled = look.disabled = true;
    }
  }

  /** @param {Map<number, number[]>} legal */
  function draw(legal) {
    board.draw({ rows: side, columns: side, discs: discs.join(""), turn, legal, last: -1, open: false, tempo: null });
  }

  function play() {
    dialog.close();
    openNewGame(text(), String(side));
  }

  async function examine() {
    try {
      await newGame({ black: { kind: "human" }, white: { kind: "human" }, size: String(side), opening: { kind: "position", board: text() } });
      dialog.close();
    } catch (error) {
      message.textContent = wordsOf(error);
    }
  }

  /** @param {string[]} letters */
  function become(letters) {
    discs = letters;
    check();
  }

  const dialog = openDialog(
    t("setup.title"),
    () => [
      h(
        "div.setup",
        {},
        place,
        h(
          "div.setup-tools",
          {},
          radios(t("setup.brush"), "brush", [["cycle", t("setup.cycle")], ["X", t("color.Black")], ["O", t("color.White")], ["-", t("setup.empty")]], brush, (value) => (brush = value)),
          radios(t("setup.turn"), "turn", [["black", t("color.Black")], ["white", t("color.White")]], turn, (value) => ((turn = /** @type {import("../shell/types").Color} */ (value)), check())),
          h("label.field", {}, h("span", {}, t("new.size")), select(SIZES.map((each) => [each, `${each}×${each}`]), String(side), (value) => ((side = Number(value)), become(startBoard(side))))),
          h("div.row", {}, h("button.plain", { onclick: () => become(startBoard(side)) }, t("setup.start")), h("button.plain", { onclick: () => become(Array(side * side).fill("-")) }, t("setup.clear"))),
          message,
          h("div.row", {}, start, look),
        ),
      ),
    ],
    { wide: true, name: "setup" },
  );
  check();
}
