// The openings by name or by moves, with small diagrams: a search that leads there.

import { api } from "../shell/api.js";
import { app } from "../shell/store.js";
import { complain } from "../shell/toast.js";
import { fill, h } from "../shell/dom.js";
import { language, t } from "../shell/i18n.js";
import { newGame, showLine } from "../play/game.js";
import { openingName } from "../shell/words.js";
import { thumbnail } from "../board/thumbnail.js";

/** @typedef {import("../shell/types").NamedOpening} Opening */

const SHOWN = 40;
const FIRST = 4; // discs at the usual start
const MOVES = /^([a-h][1-8])+$/;

/** @type {Promise<Opening[]> | null} */
let openings = null;
let text = "";
/** @type {HTMLElement | null} */
let place = null;

/**
 * The field, with what it finds below it.
 * @param {() => void} changed is called when a search begins or ends
 */
export function openingSearch(changed) {
  place ??= frame(changed);
  return place;
}

/** The words have changed: draw all of it anew when it is next asked for. */
export function forgetSearch() {
  place = null;
}

/** Whether something is looked for: then the explorer itself steps back. */
export function isSearching() {
  return text !== "";
}

/** @param {() => void} changed */
function frame(changed) {
  const found = h("div.found");
  const search = async () => {
    const began = isSearching();
    text = input.value.trim();
    if (began !== isSearching()) changed();
    openings ??= api.openings().then((answer) => answer.openings);
    try {
      fill(found, ...results(await openings, leave));
    } catch (error) {
      openings = null;
      complain(error);
    }
  };
  const leave = () => {
    input.value = text = "";
    found.replaceChildren();
    changed();
  };
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    const buttons = [...found.querySelectorAll("button")];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape" && text) (event.preventDefault(), event.stopPropagation(), leave(), input.focus());
    else if (event.key === "Enter" && event.target === input) buttons[0]?.click();
    else if (step) {
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + step;
      event.preventDefault();
      (at < 0 ? input : buttons[Math.min(at, buttons.length - 1)])?.focus();
    }
  };
  const input = h("input", { type: "search", placeholder: t("openings.search"), "aria-label": t("openings.search"), value: text, oninput: search });
  if (text) search();
  return h("div.openings", { onkeydown }, input, found);
}

/**
 * @param {Opening[]} all
 * @param {() => void} leave
 */
function results(all, leave) {
  if (!text) return [];
  const found = find(all, text);
  if (!found.length) return [h("p.empty", { role: "status" }, t("openings.none"))];
  return [
    h("p.muted.small", { role: "status" }, t("openings.found", { n: found.length })),
    h("ul", {}, found.slice(0, SHOWN).map((opening) => h("li", {}, h("button.opening", { "data-key": opening.id, onclick: () => (leave(), show(opening)) }, thumbnail(opening.board, "8", opening.moves?.slice(-2)), h("span", {}, h("strong", {}, openingName(opening)), other(opening) && h("span.muted.small", {}, other(opening)), h("span.muted.small", {}, opening.moves)))))),
  ];
}

/**
 * The name in the other language, where it says why an opening was found.
 * @param {Opening} opening
 */
function other({ en, fr }) {
  const name = language() === "fr" ? en : fr;
  return plain(name).includes(plain(text)) && name !== (language() === "fr" ? fr : en) ? name : "";
}

/**
 * Openings whose name in any language has all words in it, or that begin with moves in any symmetry: those first in whose
 * name a word begins so, then the shortest.
 * @param {Opening[]} all
 * @param {string} wanted
 */
export function find(all, wanted) {
  const line = wanted.toLowerCase().replaceAll(/[\s,.;-]/g, "");
  const words = plain(wanted).split(/\s+/);
  const matches = MOVES.test(line)
    ? (/** @type {Opening} */ { moves = "" }) => forms(line).some((form) => moves.startsWith(form))
    : (/** @type {Opening} */ { en, fr }) => words.every((word) => plain(`${en} ${fr}`).includes(word));
  const begun = (/** @type {Opening} */ { en, fr }) => words.every((word) => ` ${plain(`${en} ${fr}`).replaceAll(/[-'/(]/g, " ")}`.includes(` ${word}`));
  return all.filter(matches).sort((a, b) => Number(begun(b)) - Number(begun(a)) || (a.moves ?? "").length - (b.moves ?? "").length);
}

/**
 * For comparing: without capitals and accents.
 * @param {string} name
 */
function plain(name) {
  return name.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase().trim();
}

/**
 * A line and its images under the symmetries that leave the start as it is.
 * @param {string} line
 */
function forms(line) {
  /** @type {((column: number, row: number) => [number, number])[]} */
  const images = [(c, r) => [c, r], (c, r) => [7 - c, 7 - r], (c, r) => [r, c], (c, r) => [7 - r, 7 - c]];
  return images.map((image) =>
    line.replaceAll(/[a-h][1-8]/g, (name) => {
      const [column, row] = image(name.charCodeAt(0) - 97, Number(name[1]) - 1);
      return String.fromCharCode(97 + column) + (row + 1);
    }),
  );
}

/**
 * Go there: as a line beside the game one looks at, or on a board of its own where that began elsewhere.
 * @param {Opening} opening
 */
function show({ moves = "" }) {
  const game = app.game;
  const squares = moves.match(/../g) ?? [];
  const played = game?.node.match(/[a-l]\d+/g)?.length ?? 0;
  const usual = game && game.size.rows === 8 && game.size.columns === 8 && game.discs.black + game.discs.white === FIRST + played;
  if (usual) showLine(squares, squares.length, "");
  else newGame({ black: { kind: "human" }, white: { kind: "human" }, opening: { kind: "moves", moves } }).catch(complain);
}
