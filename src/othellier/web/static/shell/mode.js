// Whether one plays or studies: what stands beside the board depends on it.

import { app } from "./store.js";
import { options } from "./options.js";

/** Parts of the panel that have nothing to do with the game's value. */
const NEUTRAL = ["moves", "library"];

/**
 * One plays while the game goes on where one looks and nothing was asked for that judges it.
 * @returns {"play" | "study"}
 */
export function mode() {
  const game = app.game;
  if (!game) return "play";
  const going = game.playing && !game.over && game.node === game.live;
  return going && !game.values_on && !app.lesson && NEUTRAL.includes(options.tab) ? "play" : "study";
}
