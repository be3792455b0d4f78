// Keeps the server informed whether this tab wants the values of the squares: for the squares themselves, for the best
// lines of whoever studies, and for the coach.

import { app, subscribeAtOnce } from "../shell/store.js";
import { isAsked } from "../study/mistakes.js";
import { mode, showsValues } from "../shell/mode.js";
import { options } from "../shell/options.js";
import { trySend } from "./game.js";

const LARGEST = 8; // rows and columns the engine plays on

let asked = ""; // what was asked for last: a wish that was refused is not repeated at once

export function setUpValues() {
  subscribeAtOnce(ask);
}

function wanted() {
  const game = app.game;
  if (!game || game.over || isAsked()) return false;
  if (showsValues()) return true;
  if (Math.max(game.size.rows, game.size.columns) > LARGEST) return false;
  return mode() === "study" ? options.lines : options.coach && game.your_turn;
}

function ask() {
  const game = app.game;
  if (!game || app.connection !== "open") {
    asked = "";
    return;
  }
  const on = wanted();
  const wish = `${game.game} ${game.node} ${on}`;
  if (on === game.values_on || wish === asked) return;
  asked = wish;
  trySend("values", { on });
}
