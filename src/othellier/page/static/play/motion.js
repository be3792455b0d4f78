// How quickly things move, as the player chose; not at all where the system asks for less motion.

import { options } from "../shell/options.js";

/** @typedef {{flip: number, step: number, think: number, pass: number}} Tempo */

/**
 * Milliseconds: a disc's turn, from one wave to the next, the least time a machine takes, a pass held.
 * @type {Record<string, Tempo>}
 */
const TEMPI = {
  slow: { flip: 420, step: 150, think: 1400, pass: 2600 },
  normal: { flip: 220, step: 75, think: 700, pass: 1700 },
  fast: { flip: 120, step: 35, think: 300, pass: 1000 },
};
export const SPEEDS = [...Object.keys(TEMPI), "off"];

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {Tempo | null} */
export function motion() {
  return still.matches ? null : TEMPI[options.speed] ?? null;
}
