// The panel beside the board: its tabs, and which of its parts is shown. Only what is shown is drawn.

import { byId, h } from "./dom.js";
import { drawAnalysis } from "../study/analysis.js";
import { drawExplorer } from "../study/explorer.js";
import { drawLibrary } from "../study/library.js";
import { drawMoves } from "../play/moves.js";
import { mode } from "./mode.js";
import { options, setOptions } from "./options.js";
import { subscribe } from "./store.js";
import { t } from "./i18n.js";

/** @type {Record<string, (place: HTMLElement) => void>} */
const PARTS = { moves: drawMoves, explorer: drawExplorer, analysis: drawAnalysis, library: drawLibrary };
const NAMES = Object.keys(PARTS);

export function setUpPanel() {
  byId("panels").append(
    ...NAMES.map((name) => h("div.panel", { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, tabindex: "0" })),
  );
  drawTabs();
  subscribe(draw);
}

/** The tabs' words, in the language of now. */
export function drawTabs() {
  byId("tabs").replaceChildren(
    ...NAMES.map((name) =>
      h(
        "button.tab",
        { id: `tab-${name}`, role: "tab", "aria-controls": `panel-${name}`, onclick: () => selectTab(name), onkeydown: walkTabs, onmousedown: keepFocus },
        t(`tab.${name}`),
      ),
    ),
  );
  draw();
}

/**
 * @param {string} name
 * @param {boolean} [focus] whether to go there with the keyboard too
 */
function selectTab(name, focus = false) {
  if (options.tab !== name) setOptions({ tab: name });
  draw();
  if (focus) byId(`tab-${name}`).focus({ preventScroll: true });
}

/**
 * The same for whoever asked from elsewhere: on a phone the panel lies below the board, and is brought into sight.
 * @param {string} name
 * @param {boolean} [focus]
 */
export function goToTab(name, focus = false) {
  selectTab(name, focus);
  byId("tabs").scrollIntoView({ block: "start" });
}

/** @param {KeyboardEvent} event */
function walkTabs(event) {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  event.preventDefault();
  const at = NAMES.indexOf(shown());
  selectTab(/** @type {string} */ (NAMES.at((at + step) % NAMES.length)), true);
}

/**
 * A click leaves the focus where it was, so that the arrows go on walking through the game.
 * @param {Event} event
 */
function keepFocus(event) {
  event.preventDefault();
}

function shown() {
  return NAMES.includes(options.tab) ? options.tab : "moves";
}

function draw() {
  Object.assign(document.body.dataset, { mode: mode(), tab: shown() });
  for (const name of NAMES) {
    const chosen = name === shown();
    const tab = byId(`tab-${name}`);
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    byId(`panel-${name}`).hidden = !chosen;
  }
  PARTS[shown()]?.(byId(`panel-${shown()}`));
}
