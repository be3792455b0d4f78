// Who sits opposite, in large, where a very wide screen has room beside the board: the face, the name and a sentence.

import { app, subscribe } from "../shell/store.js";
import { byId, fill, h } from "../shell/dom.js";
import { face } from "./faces.js";
import { has, t } from "../shell/i18n.js";
import { mode } from "../shell/mode.js";
import { moodOf } from "./mood.js";
import { parseSpec } from "./opponents.js";
import { playerWords } from "../shell/words.js";

/** @typedef {import("../shell/types").PlayerView} Player */

/** @type {import("../shell/types").Color[]} */
const COLORS = ["white", "black"];
const wide = matchMedia("(min-width: 1600px) and (min-aspect-ratio: 2/1)"); // as layout.css has it

export function setUpOpposite() {
  subscribe(draw);
  wide.addEventListener("change", draw);
}

function draw() {
  const game = app.game;
  const shown = game && wide.matches && mode() === "play" ? COLORS.filter((color) => game.players[color].kind !== "human") : [];
  fill(byId("opposite"), ...shown.map((color) => game && portrait(game.players[color], moodOf(game, color))));
}

/**
 * @param {Player} player
 * @param {import("./mood.js").Mood} mood
 */
function portrait(player, mood) {
  return h("figure", {}, face(player, mood), h("figcaption", {}, h("strong", {}, playerWords(player)), h("span.muted", {}, character(player))));
}

/** @param {Player} player */
function character(player) {
  const key = player.kind === "level" ? `person.${player.level}` : `about.${parseSpec(player.spec ?? "").name}`;
  return has(key) ? t(key) : "";
}
