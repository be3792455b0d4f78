// The explorer: for each move from here what the book thinks of it, or the engine where the book has nothing, and how games
// went on, others' and one's own. Above it the openings by name, below it model games.

import { api, wordsOf } from "../shell/api.js";
import { app, whenBack } from "../shell/store.js";
import { bookLine, booksMark, onBooks } from "./books.js";
import { databaseLine, databaseMark, onDatabase } from "./database.js";
import { fill, h } from "../shell/dom.js";
import { forgetModelGames, modelGames } from "./model-games.js";
import { forgetSearch, isSearching, openingSearch } from "./opening-search.js";
import { isAdvised } from "../shell/mode.js";
import { language, number, percent, signed, t } from "../shell/i18n.js";
import { openingName } from "../shell/words.js";
import { panelButtons } from "../shell/buttons.js";
import { study } from "../play/game.js";

/** @typedef {import("../shell/types").Explored} Explorer */
/** @typedef {import("../shell/types").ResultCounts} Count */

const REST = 400; // milliseconds one looks at a position before the engine is asked

let asked = "";
/** @type {Map<string, Explorer>} */
const known = new Map();
/** @type {Map<string, import("../shell/types").EngineValue[] | null>} by position; null while the engine thinks */
const valued = new Map();
let failed = "";
let mark = "";
let spoken = "";
let timer = 0;
/** @type {HTMLElement | null} */
let shown = null;

onDatabase(() => shown && drawExplorer(shown));
onBooks(() => shown && drawExplorer(shown));

/** @param {HTMLElement} place */
export function drawExplorer(place) {
  const game = app.game;
  if (!game) return;
  shown = place;
  const marks = `${databaseMark()} ${booksMark()}`;
  if (mark !== marks) {
    mark = marks; // other games count now, or another book
    valued.clear();
    asked = "";
    known.clear();
    forgetModelGames();
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
      .catch((error) => {
        if (late()) return;
        failed = wordsOf(error);
        whenBack(() => asked === key && ((asked = ""), drawExplorer(place)));
      })
      .finally(() => asked === key && drawExplorer(place));
  }
  if (spoken !== language()) {
    spoken = language();
    forgetModelGames();
    forgetSearch();
  }
  if (found) wantValues(found, game);
  const values = valued.get(placeOf(game));
  const now = `${key} ${language()} ${found !== undefined} ${failed} ${mark} ${isSearching()} ${values?.length}`;
  if (place.dataset.drawn === now) return;
  if (!found && !failed && place.firstChild) return; // the old table stays until the new one is there
  place.dataset.drawn = now;
  const search = openingSearch(() => shown && drawExplorer(shown));
  if (search.parentElement !== place) place.replaceChildren(search, h("div.content"));
  const content = /** @type {HTMLElement} */ (place.lastElementChild);
  content.hidden = isSearching();
  if (!found) fill(content, failed && h("p.empty", {}, failed));
  else draw(content, found, values ?? []);
}

/**
 * A position: its discs and whose turn it is.
 * @param {import("../shell/types").GameState} game
 */
const placeOf = (game) => `${game.board} ${game.size.columns}`;

/**
 * Ask the engine for the moves that are in no book, once one has looked at a position for a moment.
 * @param {Explorer} found
 * @param {import("../shell/types").GameState} game
 */
function wantValues(found, game) {
  const where = placeOf(game);
  if (valued.has(where) || !isAdvised() || found.squares.every((move) => move.book)) return;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (app.game?.node !== game.node || valued.has(where)) return;
    if (valued.size > 200) valued.clear();
    valued.set(where, null);
    try {
      valued.set(where, (await api.explorerValues(game.game, game.node)).values);
    } catch {
      valued.delete(where); // nobody misses them where there is no engine; where it is busy they come at the next visit
      return;
    }
    if (shown) drawExplorer(shown);
  }, REST);
}

/**
 * @param {HTMLElement} place
 * @param {Explorer} found
 * @param {import("../shell/types").EngineValue[]} values
 */
function draw(place, found, values) {
  const rows = [...found.squares].sort((a, b) => weight(b, values) - weight(a, values));
  if (place.children.length !== 3 || place.lastElementChild?.className !== "foot") place.replaceChildren(h("div"), h("div"), h("div.foot"));
  const [head, games, foot] = /** @type {HTMLElement[]} */ ([...place.children]);
  if (!head || !games || !foot) return;
  const columnsShown = columns(found, values);
  fill(
    head,
    h("h2.name", {}, openingName(found.opening) || t(app.game?.ply ? "explorer.unnamed" : "reading.start")),
    rows.length
      ? h(
          "table.explorer",
          {},
          h("thead", {}, h("tr", {}, ...columnsShown.map((key) => h("th", { scope: "col" }, t(`explorer.${key}`))))),
          h("tbody", {}, rows.map((move) => row(move, columnsShown, values))),
        )
      : h("p.empty", {}, t("explorer.none")),
  );
  if (!found.database || app.game?.size.rows !== 8 || app.game.size.columns !== 8) games.replaceChildren();
  else if (modelGames().parentElement !== games) games.replaceChildren(modelGames());
  fill(foot, !found.book && h("p.muted.small", {}, t("explorer.no_book")), ...bookLine(), ...databaseLine(), ...panelButtons("explorer"));
}

/**
 * What a move is worth to the side that makes it, by the book or else the engine.
 * @param {import("../shell/types").ExploredSquare} move
 * @param {import("../shell/types").EngineValue[]} values
 */
function valueOf(move, values) {
  return values.find(({ square }) => square === move.square);
}

/**
 * @param {import("../shell/types").ExploredSquare} move
 * @param {import("../shell/types").EngineValue[]} values
 */
function weight(move, values) {
  const score = move.book?.score ?? valueOf(move, values)?.score;
  return (score === undefined ? 0 : 1e6 + score * 1000) + (move.database?.games ?? 0) + (move.own?.games ?? 0);
}

/**
 * What there is to show; one's own games always are.
 * @param {Explorer} found
 * @param {import("../shell/types").EngineValue[]} values
 */
function columns(found, values) {
  return ["move", (found.book || values.length > 0) && "value", found.database && "database", "own"].filter((name) => name !== false);
}

/**
 * @param {import("../shell/types").ExploredSquare} move
 * @param {string[]} shownColumns
 * @param {import("../shell/types").EngineValue[]} values
 */
function row(move, shownColumns, values) {
  const name = openingName(move.opening);
  const alike = move.same.length > 0 && h("span.muted.small", { title: move.same.join(", ") }, t("explorer.same", { n: move.same.length + 1 }));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("button.move", { "data-key": move.square, onclick: () => study(move.square) }, move.square), name && h("span.muted.small", {}, name), alike),
    shownColumns.includes("value") && h("td", {}, value(move, values)),
    shownColumns.includes("database") && h("td", {}, results(move.database)),
    h("td", {}, results(move.own)),
  );
}

/**
 * The book's value; else the engine's, marked as such with its depth.
 * @param {import("../shell/types").ExploredSquare} move
 * @param {import("../shell/types").EngineValue[]} values
 */
function value(move, values) {
  const { book } = move;
  if (book) return h(book.exact ? "strong" : "span", { title: book.win === null ? undefined : percent(book.win) }, `${signed(book.score)}${book.exact ? "." : ""}`);
  const thought = valueOf(move, values);
  if (!thought) return null;
  const words = t(thought.exact ? "explorer.engine_exact" : "explorer.engine", { depth: thought.depth });
  return h("span.thought", { title: words }, `${signed(thought.score)}${thought.exact ? "." : ""}`, h("span.muted.small", {}, words));
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
