// The explorer: for each move from here what the book thinks of it and how games went on, others' and one's own.

import { api, wordsOf } from "../shell/api.js";
import { app } from "../shell/store.js";
import { databaseLine, databaseMark, onDatabase } from "./database.js";
import { fill, h } from "../shell/dom.js";
import { language, number, percent, signed, t } from "../shell/i18n.js";
import { openingName } from "../shell/words.js";
import { panelButtons } from "../shell/buttons.js";
import { study } from "../play/game.js";

/** @typedef {import("../shell/types").Explored} Explorer */
/** @typedef {import("../shell/types").Tally} Count */

let asked = "";
/** @type {Map<string, Explorer>} */
const known = new Map();
let failed = "";
let mark = "";
/** @type {HTMLElement | null} */
let shown = null;

onDatabase(() => shown && drawExplorer(shown));

/** @param {HTMLElement} place */
export function drawExplorer(place) {
  const game = app.game;
  if (!game) return;
  shown = place;
  if (mark !== databaseMark()) {
    mark = databaseMark(); // other games count now
    asked = "";
    known.clear();
  }
  const key = `${game.game} ${game.revision} ${game.node}`; // one's own games change with every move
  const found = known.get(key);
  if (!found && asked !== key) {
    asked = key;
    failed = "";
    const under = mark;
    const late = () => under !== mark; // other games count by now: this answer is about the old ones
    api
      .explorer(game.game, game.node)
      .then((answer) => {
        if (late()) return;
        if (known.size > 200) known.clear();
        known.set(key, answer);
      })
      .catch((error) => (failed = late() ? failed : wordsOf(error)))
      .finally(() => asked === key && drawExplorer(place));
  }
  const now = `${key} ${language()} ${found !== undefined} ${failed} ${mark}`;
  if (place.dataset.drawn === now) return;
  if (!found && !failed && place.firstChild) return; // the old table stays until the new one is there
  place.dataset.drawn = now;
  if (!found) fill(place, failed && h("p.empty", {}, failed));
  else fill(place, ...content(found));
}

/** @param {Explorer} found */
function content(found) {
  const name = openingName(found.opening);
  const rows = [...found.squares].sort((a, b) => weight(b) - weight(a));
  const parts = [h("h2.name", {}, name || t("explorer.unnamed"))];
  const foot = h("div.foot", {}, !found.book && h("p.muted.small", {}, t("explorer.no_book")), databaseLine(), ...panelButtons("explorer"));
  if (!rows.length) return [...parts, h("p.empty", {}, t("explorer.none")), foot];
  parts.push(
    h(
      "table.explorer",
      {},
      h("thead", {}, h("tr", {}, ...columns(found).map((key) => h("th", { scope: "col" }, t(`explorer.${key}`))))),
      h("tbody", {}, rows.map((move) => row(move, found))),
    ),
  );
  return [...parts, foot];
}

/** @param {import("../shell/types").ExploredSquare} move */
function weight(move) {
  return (move.book ? 1e6 + move.book.score * 1000 : 0) + (move.database?.games ?? 0) + (move.own?.games ?? 0);
}

/**
 * What there is to show; one's own games always are.
 * @param {Explorer} found
 */
function columns(found) {
  return ["move", found.book && "book", found.database && "database", "own"].filter((name) => name !== false);
}

/**
 * @param {import("../shell/types").ExploredSquare} move
 * @param {Explorer} found
 */
function row(move, found) {
  const name = openingName(move.opening);
  const { book } = move;
  const value = book && `${signed(book.score)}${book.exact ? "." : ""}`;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("button.move", { "data-key": move.square, onclick: () => study(move.square) }, move.square), name && h("span.muted.small", {}, name)),
    found.book && h("td", {}, book && h(book.exact ? "strong" : "span", { title: book.win === null ? undefined : percent(book.win) }, value)),
    found.database && h("td", {}, results(move.database)),
    h("td", {}, results(move.own)),
  );
}

/**
 * How games went on: their number, and a bar of Black's wins, draws and White's wins.
 * @param {Count | null} count
 */
function results(count) {
  if (!count?.games) return h("span.muted", {}, "–");
  if (!count.black && !count.draws && !count.white) return h("span", { title: t("library.unfinished") }, number(count.games));
  const words = t("explorer.results", { n: count.games, black: count.black, draws: count.draws, white: count.white });
  const bar = h("span.results", { role: "img", "aria-label": words, title: words });
  for (const part of /** @type {const} */ (["black", "draws", "white"])) {
    const piece = h(`span.${part}`);
    piece.style.flexGrow = String(count[part]);
    bar.append(piece);
  }
  return h("span.count-bar", {}, h("span", {}, number(count.games)), bar);
}
