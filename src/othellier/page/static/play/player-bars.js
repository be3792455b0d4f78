// The two players' bars: who, how many discs, clock, whose turn, and what a machine that thinks has found.

import { app, subscribe } from "../shell/store.js";
import { byId, dot, h, icon, patch } from "../shell/dom.js";
import { face } from "./faces.js";
import { has, number, signed, t } from "../shell/i18n.js";
import { mode } from "../shell/mode.js";
import { moodOf } from "./mood.js";
import { options } from "../shell/options.js";
import { bottom, playerName } from "../shell/words.js";
import { complain } from "../shell/toast.js";
import { send } from "./game.js";

/** @typedef {import("../shell/types").Color} Color */

const SHOW_AFTER = 300; // milliseconds before a thinking machine is shown to think
const LOW = 20; // seconds left on a clock that turns red
/** @type {Color[]} */
const COLORS = ["black", "white"];

let since = 0; // when thinking began

export function setUpBars() {
  subscribe(draw);
  setInterval(tick, 250);
}

function draw() {
  const game = app.game;
  if (!game) return;
  if (!app.thinking) since = 0;
  else if (!since) {
    since = performance.now();
    setTimeout(draw, SHOW_AFTER);
  }
  for (const color of COLORS) {
    const bar = byId(`bar-${color}`);
    const player = game.players[color];
    const name = playerName(player, color, game.players);
    const turn = !game.over && game.turn === color;
    const thinking = app.thinking?.color === color && performance.now() - since >= SHOW_AFTER - 1 ? app.thinking : null;
    bar.classList.toggle("turn", turn);
    bar.classList.toggle("below", color === bottom(game));
    patch(
      bar,
      player.kind === "human" ? dot(color) : h("span.player-face", {}, face(player, moodOf(game, color)), dot(color)),
      h(
        "span.who",
        {},
        h("button.name", { "data-key": "name", title: t("bar.change"), "aria-label": t("bar.player", { color: t(`color.${color}`), name }), onclick: () => change(color) }, name),
        game.failed?.color === color
          ? h("button.link.status", { "data-key": "failed", title: game.failed.reason, onclick: () => change(color) }, t("bar.failed"))
          : h(turn && !thinking ? "span.status.idle" : "span.status", {}, thinking ? thinkingWords(thinking) : status(color)),
      ),
      !thinking && h("span.effort", {}, effort(color)),
      thinking && h("button.icon", { "data-key": "hurry", "aria-label": t("bar.hurry"), title: t("bar.hurry"), onclick: () => send("hurry") }, icon("play")),
      thinking && h("button.icon", { "data-key": "stop", "aria-label": t("do.stop"), title: t("do.stop"), onclick: () => send("stop") }, icon("stop")),
      game.clock && h("span.clock", { "data-key": "clock", "data-clock": color }, clockWords(color)),
      h("span.count", { "aria-label": t("bar.discs", { n: game.discs[color] }), role: "img" }, game.discs[color]),
      thinking && h("span.progress"),
    );
  }
  tick();
}

/** @param {Color} color */
function change(color) {
  import("../dialogs/player-dialog.js").then((module) => module.choosePlayer(color)).catch(complain);
}

/** @param {import("../shell/types").Thinking} thinking */
function thinkingWords(thinking) {
  if (thinking.queued) return t("bar.queued");
  const parts = [t("bar.thinking")];
  const machine = thinking.color && app.game?.players[thinking.color];
  if (mode() === "play" && machine && machine.kind === "level") return parts.join(""); // what it sees is its own affair
  if (thinking.depth) parts.push(t("depth", { n: thinking.depth }));
  if (options.info && mode() === "study" && typeof thinking.black === "number" && thinking.color) {
    parts.push(signed(thinking.color === "black" ? thinking.black : -thinking.black));
  }
  if (thinking.nodes && thinking.nodes > 1000) parts.push(t("bar.nodes", { n: number(thinking.nodes) }));
  return parts.join(" · ");
}

/**
 * What an algorithm's last move up to here took: that is what one compares them by.
 * @param {Color} color
 */
function effort(color) {
  const game = app.game;
  if (game?.players[color].kind !== "player") return "";
  /** @type {import("../shell/types").NodeView | null} */
  let made = null;
  for (let node = app.tree; node; node = node.children?.find((each) => game.node.startsWith(each.id)) ?? null) {
    if (node.color === color && node.nodes) made = node;
  }
  return made ? t("bar.effort", { n: number(made.nodes ?? 0), time: timeWords(made.seconds ?? 0) }) : "";
}

/** @param {number} seconds */
function timeWords(seconds) {
  return seconds < 1 ? t("time.milliseconds", { n: number(Math.max(1, Math.round(seconds * 1000))) }) : t("time.seconds", { n: number(seconds, 1) });
}

/** @param {Color} color */
function status(color) {
  const game = app.game;
  if (!game) return "";
  // "You win", but "Beginner wins".
  const you = playerName(game.players[color], color, game.players) === t("player.you");
  const say = (/** @type {string} */ key) => (you && has(`bar.you_${key}`) ? t(`bar.you_${key}`) : t(`bar.${key}`));
  if (game.over && game.result) {
    if (game.result.winner === color) return say("wins");
    return game.result.winner ? (game.result.reason ? say(game.result.reason) : "") : t("bar.draw");
  }
  if (game.last?.passed === color) return say("passed");
  if (game.turn !== color) return "";
  if (!game.your_turn) return game.playing ? "" : t("bar.rests");
  return t("bar.to_move");
}

/**
 * The seconds a side has left: its clock runs on between what the server says.
 * @param {Color} color
 */
function left(color) {
  const clock = app.game?.clock;
  if (!clock) return 0;
  return Math.max(0, clock[color] - (clock.running === color ? (performance.now() - app.heard) / 1000 : 0));
}

/** @param {Color} color */
function clockWords(color) {
  const seconds = Math.floor(left(color));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  for (const color of COLORS) {
    const shown = document.querySelector(`[data-clock="${color}"]`);
    if (!shown) continue;
    if (shown.textContent !== clockWords(color)) shown.textContent = clockWords(color);
    shown.classList.toggle("low", left(color) < LOW);
  }
}
