// Whether one plays or studies: what stands beside the board depends on it, and whether the engine may be heard.

import { app } from "./store.js";
import { options } from "./options.js";

/** Parts of the panel that have nothing to do with the game's value. */
const NEUTRAL = ["moves", "library"];

/** Whether a person plays a machine: then help would be more than the game is about, unless it is asked for. */
export function isContest() {
  const players = app.game?.players;
  return players !== undefined && (players.black.kind === "human") !== (players.white.kind === "human");
}

/**
 * One plays while the game goes on where one looks and nothing was asked for that judges it.
 * @returns {"play" | "study"}
 */
export function mode() {
  const game = app.game;
  if (!game) return "play";
  const going = game.playing && !game.over && game.node === game.live;
  const judged = app.lesson !== null || !NEUTRAL.includes(options.tab) || (options.values && !isContest());
  return going && !judged ? "play" : "study";
}

/** Whether the coach helps in a game against a machine. */
export function isCoached() {
  return options.coach && isContest() && mode() === "play";
}

/** Whether the engine may say something: not while one plays it, unless the coach is switched on. */
export function isAdvised() {
  return options.coach || !isContest() || mode() === "study";
}

/** Whether the values stand on the squares. */
export function showsValues() {
  return options.values && isAdvised();
}
