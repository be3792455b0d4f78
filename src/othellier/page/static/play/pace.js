// The pace of a game: how long discs take to turn, and what has to wait for them. One's own flips end before the reply
// is shown, a machine takes its time however quickly it has thought, and a pass is held long enough to be read.

import { app, drawViewsWhen } from "../shell/store.js";
import { distance } from "../board/geometry.js";
import { motion } from "./motion.js";
import { passSound, moveSound } from "./sound.js";

/** @typedef {import("../shell/types").ServerEvent} ServerEvent */

const PUT = 70; // milliseconds between a disc put down and the first that turns, as board.css has it
const BREATH = 120; // between the last disc of a move and the answer
const PASS = 1800; // that a pass stays on the board where nothing moves
const LONGEST = 4000; // that anything waits for discs to lie still
const MOST_WAITING = 6; // states behind which what is shown may lag: a game of machines on a slow board

/** @type {ServerEvent[]} */
const waiting = [];
/** @type {(event: ServerEvent) => void} */
let show = () => {};
let busy = false; // whether the next move has to wait
let ready = Promise.resolve(); // when it need not any more
let quiet = Promise.resolve(); // when the discs lie still

/**
 * Hand on the events of a game in their order, each when its time has come.
 * @param {(event: ServerEvent) => void} shown
 */
export function setPace(shown) {
  show = shown;
}

/** @param {ServerEvent} event */
export function hear(event) {
  if (!waiting.length && !mustWait(event)) return show(event);
  waiting.push(event);
  if (waiting.filter((each) => each.event === "state").length > MOST_WAITING) catchUp();
}

/** Show at once all that waits: the player wants to go on, or the line is another one. */
export function catchUp() {
  const events = waiting.splice(0);
  forgetPace();
  events.forEach(show);
}

/** Forget what waits: it belongs to a game that is no longer looked at. */
export function forgetPace() {
  waiting.length = 0;
  busy = false;
  ready = quiet = Promise.resolve();
}

/**
 * A move begins to be shown: its sound, and the time nothing else may be.
 * @param {number} square
 * @param {number[]} flips
 * @param {boolean} mine whether a machine is to answer it
 */
export function beginMove(square, flips, mine) {
  const columns = app.game?.size.columns ?? 8;
  const tempo = motion();
  /** @type {number[]} */
  const waves = [];
  for (const flip of flips) {
    const wave = distance(square, flip, columns) - 1;
    waves[wave] = (waves[wave] ?? 0) + 1;
  }
  moveSound(Array.from(waves, (count) => count ?? 0), tempo && { ...tempo, put: PUT });
  if (!tempo || document.hidden) return;
  const soonest = performance.now() + (mine && !app.game?.clock ? tempo.think : 0); // no clock runs for a show
  quiet = stillness();
  const still = quiet;
  occupy(async () => {
    await still;
    await rest(Math.max(BREATH, soonest - performance.now()));
  });
}

/**
 * A side has to pass: shown when the discs lie still, and held.
 * @param {(milliseconds: number) => void} tell
 */
export function beginPass(tell) {
  const tempo = motion();
  if (!tempo || document.hidden) return tell(PASS);
  const still = quiet;
  occupy(async () => {
    await still;
    passSound();
    tell(tempo.pass);
    await rest(tempo.pass);
  });
}

/**
 * Do something once the discs lie still.
 * @param {() => void} run
 */
export function whenQuiet(run) {
  if (busy) quiet.then(run);
  else run();
}

/** @param {number} milliseconds @returns {Promise<void>} */
const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Until what is about to be drawn has been, and every disc has turned. */
async function stillness() {
  await Promise.race([rest(LONGEST), frame().then(frame)]);
  const turning = document.getAnimations().filter((each) => each instanceof CSSAnimation && each.animationName === "turn-over");
  await Promise.race([rest(LONGEST), Promise.allSettled(turning.map((each) => each.finished))]);
}

/** @returns {Promise<void>} */
const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()));

/** @param {() => Promise<void>} what */
function occupy(what) {
  busy = true;
  const mine = ready.then(what);
  ready = mine;
  mine.then(() => {
    if (ready !== mine) return; // something else has begun, or all of it was forgotten
    busy = false;
    while (waiting[0] && !mustWait(waiting[0])) show(/** @type {ServerEvent} */ (waiting.shift()));
  });
}

/**
 * Only what changes the board waits: another's move, on the board one looks at.
 * @param {ServerEvent} event
 */
function mustWait(event) {
  if (event.event !== "state" || !busy || document.hidden) return false;
  const { game, node } = event.state;
  const shown = app.pending ? app.pending.node + app.pending.square : app.game?.node ?? "";
  return game === app.game?.game && node.startsWith(shown) && node.slice(shown.length).replaceAll("--", "") !== "";
}

drawViewsWhen(whenQuiet);
document.addEventListener("visibilitychange", () => document.hidden && catchUp());
