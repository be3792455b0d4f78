// The bar beside the board of whoever studies: Black's part of it is Black's chance to win. It stands as the players sit.

import { app, subscribe } from "../shell/store.js";
import { h } from "../shell/dom.js";
import { mode } from "../shell/mode.js";
import { percent, signed, t } from "../shell/i18n.js";
import { readingHere } from "./reading.js";
import { bottom, scoreWords } from "../shell/words.js";

const STEEP = 8; // discs at which a score without chances fills three quarters of the bar

let share = 0.5; // Black's, as shown last: it stays while the next one is worked out

/** @type {HTMLElement} */
let bar;

export function setUpEvalBar() {
  bar = h("div.eval-bar", { role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 }, h("span.eval-black"), h("span.eval-score"));
  document.querySelector(".play")?.append(bar);
  subscribe(draw);
}

function draw() {
  const game = app.game;
  bar.hidden = !game || mode() !== "study" || app.lesson !== null;
  if (!game || bar.hidden) return;
  const reading = readingHere() ?? (game.over && game.main && game.result ? { black: game.result.black, exact: true, win: undefined, draw: undefined } : null);
  if (reading) share = reading.exact ? (Math.sign(reading.black) + 1) / 2 : chance(reading);
  bar.style.setProperty("--black", `${(share * 100).toFixed(1)}%`);
  bar.classList.toggle("known", reading !== null);
  bar.classList.toggle("turned", bottom(game) === "white");
  const words = reading ? scoreWords(reading.black, reading.exact) : t("eval.none");
  bar.setAttribute("aria-label", t("eval.label"));
  bar.setAttribute("aria-valuenow", (share * 100).toFixed(0));
  bar.setAttribute("aria-valuetext", reading && !reading.exact ? `${words}, ${t("eval.chance", { chance: percent(share) })}` : words);
  bar.title = words;
  const score = /** @type {HTMLElement} */ (bar.lastElementChild);
  score.textContent = reading ? signed(Math.abs(reading.black), Math.abs(reading.black) >= 9.95 || reading.exact ? 0 : 1).replace("+", "") : "";
  score.className = `eval-score ${reading && reading.black < 0 ? "white" : "black"}`;
}

/** @param {{black: number, win?: number, draw?: number}} reading */
function chance({ black, win, draw = 0 }) {
  return win === undefined ? 0.5 + Math.atan(black / STEEP) / Math.PI : win + draw / 2;
}
