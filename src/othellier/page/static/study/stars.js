// Stars that were earned: full ones of three, and in words for those who do not see them.

import { h, s } from "../shell/dom.js";
import { t } from "../shell/i18n.js";

const MOST = 3;
const SHAPE = "M10 1.8 12.5 7.2 18.4 7.9 14 11.9 15.2 17.7 10 14.8 4.8 17.7 6 11.9 1.6 7.9 7.5 7.2z";

/** @param {number} earned */
export function stars(earned) {
  return h("span.stars", { role: "img", "aria-label": t("puzzles.stars", { n: earned }) }, ...Array.from({ length: MOST }, (_, index) => star(index < earned)));
}

/** @param {boolean} full */
export function star(full) {
  return s("svg", { class: full ? "star full" : "star", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: SHAPE }));
}
