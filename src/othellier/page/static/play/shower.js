// A shower of small discs over a game that was won. Over in a moment, and not at all where nothing is to move.

import { h } from "../shell/dom.js";
import { motion } from "./motion.js";

const DISCS = 28;
const LONGEST = 3400; // milliseconds until the last has fallen

/** @param {Element} place what they fall over */
export function letDiscsFall(place) {
  if (!motion() || document.hidden) return;
  const discs = Array.from({ length: DISCS }, (_, number) => {
    const disc = h(`span.${number % 2 ? "black" : "white"}`);
    const [left, late, far] = [Math.random(), Math.random(), Math.random()];
    disc.style.cssText = `left: ${2 + 94 * left}%; --late: ${Math.round(700 * late)}ms; --time: ${Math.round(1500 + 900 * far)}ms`;
    return disc;
  });
  const shower = h("div.shower", { "aria-hidden": "true" }, ...discs);
  place.append(shower);
  setTimeout(() => shower.remove(), LONGEST);
}
