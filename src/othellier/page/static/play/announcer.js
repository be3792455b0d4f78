// What happens, for those who do not see it: moves, passes, the end, the lost line.

import { app, subscribe } from "../shell/store.js";
import { announce } from "../shell/toast.js";
import { byId } from "../shell/dom.js";
import { judgementHere, verdictWords } from "../study/verdict.js";
import { mode, showsValues } from "../shell/mode.js";
import { onEvent } from "./game.js";
import { finalWords, sideName } from "../shell/words.js";
import { signed, t } from "../shell/i18n.js";

let heardNode = "";
let heardGame = "";

export function setUpAnnouncer() {
  subscribe(tellMove);
  subscribe(tellConnection);
  onEvent((event) => {
    if (event.event === "values" && event.done && showsValues()) {
      const best = event.squares.find((value) => value.square === event.best);
      if (best) announce(t("values.said", { square: best.square, value: signed(best.score), n: event.squares.length }));
    } else if (event.event === "hint") {
      announce(t("hint.said", { square: event.square }));
    }
  });
}

function tellMove() {
  const game = app.game;
  if (!game) return;
  document.title = game.your_turn && !game.over && game.node === game.live ? `● ${t("title.your_turn")} – Othellier` : "Othellier";
  if (game.node === heardNode && game.game === heardGame) return;
  heardNode = game.node;
  heardGame = game.game;
  announce(situation());
}

/** Where the game stands, in a few sentences. */
export function situation() {
  const game = app.game;
  if (!game) return "";
  const parts = [];
  if (game.last && game.last.square !== "pass") {
    const { color, square, flips } = game.last;
    parts.push(t("said.move", { color: sideName(color), square, n: flips.length }));
  }
  const judged = mode() === "study" ? judgementHere() : null;
  if (judged) parts.push(verdictWords(judged));
  if (game.last?.passed) parts.push(t("pass.said", { color: sideName(game.last.passed) }));
  parts.push(t("said.discs", { black: game.discs.black, white: game.discs.white }));
  if (game.over) parts.push(game.result ? finalWords(game) : t("said.over"));
  else if (game.legal.length) {
    parts.push(t("said.turn", { color: sideName(game.turn), n: game.legal.length, squares: game.legal.map((move) => move.square).join(" ") }));
  }
  return parts.join(". ");
}

function tellConnection() {
  const text = app.connection === "lost" ? t("connection.lost") : "";
  const banner = byId("banner");
  if (banner.textContent !== text) banner.textContent = text;
}
