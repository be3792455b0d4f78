// The library: every game kept, to search, open, name, collect, delete (and bring back), import and export.

import { api, turns, wordsOf } from "../shell/api.js";
import { app, whenBack } from "../shell/store.js";
import { accuracyWords, agoWords, dateTimeWords, dateWords, levelName, openingName, resultWords } from "../shell/words.js";
import { analyseGames } from "../shell/transfer.js";
import { complain } from "../shell/toast.js";
import { deleteCollection, makeCollection, renameCollection } from "./collections.js";
import { exportGames, remove, Selection } from "./selection.js";
import { field, openDialog, select } from "../dialogs/dialog.js";
import { fill, h, icon } from "../shell/dom.js";
import { language, number, t } from "../shell/i18n.js";
import { open } from "../play/game.js";
import { panelButtons } from "../shell/buttons.js";
import { thumbnail } from "../board/thumbnail.js";

/** @typedef {import("../shell/types").Summary} Summary */

const PAGE = 30; // games shown at first
const MORE = 100; // and at each wish for more
const WAIT = 200; // milliseconds of rest in typing before a search
const NEW = "new"; // among collections: a new one is wanted

const asked = { search: "", tag: "", result: "", source: "", collection: "" };
/** @type {import("../shell/types").Library | null} */
let library = null;
let failed = "";
let drawn = "";
let timer = 0;
const turn = turns();
/** @type {HTMLElement | null} */
let shown = null;
const selection = new Selection(() => shown && drawGames(shown), (found) => analyseGames(found));

/** @param {HTMLElement} place */
export function drawLibrary(place) {
  const now = `${language()} ${app.game?.game} ${app.game?.revision}`;
  if (drawn === now && place.firstChild) return;
  const first = !place.firstChild || !drawn.startsWith(language());
  drawn = now;
  shown = place;
  if (first) place.replaceChildren(...frame(place));
  load(place);
}

/** Other games are there: read them, if the library was opened at all. */
export async function refreshLibrary() {
  if (shown) await load(shown);
}

/** @param {HTMLElement} place */
function frame(place) {
  const search = h("input", {
    type: "search",
    placeholder: t("library.search"),
    "aria-label": t("library.search"),
    value: asked.search,
    oninput: () => {
      asked.search = search.value;
      clearTimeout(timer);
      timer = setTimeout(() => load(place), WAIT);
    },
  });
  return [
    h(
      "div.row.find",
      {},
      search,
      h("span.collections"),
      filter(place, "result", t("library.result"), ["", "black", "white", "draw", "unfinished"].map((value) => [value, t(`library.result_${value || "any"}`)])),
      filter(place, "source", t("library.source"), ["", "played", "imported"].map((value) => [value, t(`library.source_${value || "any"}`)])),
    ),
    h("div.collection", { hidden: true }),
    h("div.tags"),
    h("div.games"),
    h("div.row", {}, h("button.plain", { onclick: () => selection.toggle() }, t("library.select")), ...panelButtons("library"), h("button.plain", { onclick: () => exportGames(asked) }, t("library.export"))),
  ];
}

/**
 * @param {HTMLElement} place
 * @param {"result" | "source"} name
 * @param {string} label
 * @param {[string, string][]} choices
 */
function filter(place, name, label, choices) {
  const list = select(choices, asked[name], (value) => ((asked[name] = value), load(place)));
  list.setAttribute("aria-label", label);
  return list;
}

/** @param {HTMLElement} place */
async function load(place) {
  const awaited = turn();
  try {
    const found = await api.library({ ...asked, limit: PAGE });
    if (!awaited()) return;
    library = found;
    failed = "";
  } catch (error) {
    if (!awaited()) return;
    failed = wordsOf(error);
    whenBack(() => awaited() && load(place));
  }
  drawGames(place);
}

/**
 * The games after those that are shown. What was used meanwhile has moved up in the list: no game is shown twice.
 * @param {HTMLElement} place
 */
async function loadMore(place) {
  const before = library;
  if (!before) return;
  const next = await api.library({ ...asked, limit: MORE, offset: before.games.length });
  if (library !== before) return; // something else is looked for by now
  const shown = new Set(before.games.map(({ game }) => game));
  library = { ...next, games: [...before.games, ...next.games.filter(({ game }) => !shown.has(game))] };
  drawGames(place);
}

/**
 * @param {HTMLElement} place
 * @param {string} part
 */
function partOf(place, part) {
  return /** @type {HTMLElement} */ (place.querySelector(part));
}

/** @param {HTMLElement} place */
function drawGames(place) {
  const list = partOf(place, ".games");
  if (failed || !library) {
    list.replaceChildren(h("p.empty", {}, failed));
    return;
  }
  const { games, total, damaged } = library;
  drawCollections(place, library.collections);
  fill(
    partOf(place, ".tags"),
    ...library.tags.map(({ tag, games: n }) =>
      h("button.tag", { "data-key": `tag ${tag}`, "aria-pressed": String(asked.tag === tag), onclick: () => ((asked.tag = asked.tag === tag ? "" : tag), load(place)) }, tag, h("span.muted", {}, n)),
    ),
  );
  if (!games.length) {
    const words = asked.collection && !asked.search ? "collection.empty" : Object.values(asked).some(Boolean) ? "library.nothing" : "library.none";
    fill(list, h("p.empty", {}, t(words)));
    return;
  }
  fill(
    list,
    damaged.length > 0 && h("p.problem", {}, t("library.damaged", { n: damaged.length, names: damaged.slice(0, 5).join(", ") })),
    selection.on && selection.bar(library, asked, () => load(place)),
    !asked.collection && !selection.on && h("p.muted.small.total", { role: "status" }, t("library.games", { n: total, count: number(total) })),
    h("ul", {}, games.map((game) => item(game, place))),
    games.length < total && h("button.plain", { "data-key": "more", onclick: () => loadMore(place).catch(complain) }, t("library.more", { n: number(total - games.length) })),
  );
}

/**
 * The list of collections, and what can be done to the one that is shown.
 * @param {HTMLElement} place
 * @param {import("../shell/types").CollectionView[]} collections
 */
function drawCollections(place, collections) {
  const current = collections.find(({ collection }) => collection === asked.collection);
  if (!current) asked.collection = "";
  const again = () => load(place);
  const list = select(
    [["", t("collection.all")], ...collections.map(({ collection, name, games }) => /** @type {[string, string]} */ ([collection, `${name} (${games})`])), [NEW, t("collection.new")]],
    asked.collection,
    async (value) => {
      try {
        asked.collection = value === NEW ? ((await makeCollection())?.collection ?? asked.collection) : value;
      } catch (error) {
        complain(error);
      }
      selection.clear();
      await again();
    },
  );
  list.setAttribute("aria-label", t("collection.choose"));
  list.dataset.key = "collections";
  fill(partOf(place, ".collections"), list);
  const head = partOf(place, ".collection");
  head.hidden = !current;
  if (!current) return head.replaceChildren();
  fill(
    head,
    h("h3", {}, current.name, " ", h("span.muted.small", {}, t("library.games", { n: current.games, count: number(current.games) }))),
    tool("pen", "collection.rename", current.name, () => renameCollection(current).then(again)),
    tool("trash", "collection.delete", current.name, async () => (await deleteCollection(current)) && ((asked.collection = ""), again())),
  );
}

/**
 * What a game is called: by its title, else by who played: a name, a level, "You" against one of these in a game of
 * one's own, else the colour.
 * @param {Summary} game
 */
export function titleWords(game) {
  if (game.title) return game.title;
  const you = yours(game) ? t("player.you") : "";
  return `${levelName(game.black) || you || t("color.Black")} – ${levelName(game.white) || you || t("color.White")}`;
}

/**
 * The person's colour in a game played here against a machine.
 * @param {Summary} game
 * @returns {import("../shell/types").Color | null}
 */
function yours({ source, black, white }) {
  return source !== "played" || Boolean(black) === Boolean(white) ? null : black ? "white" : "black";
}

/**
 * How a game ended: for the person who played it, where there is one.
 * @param {Summary} game
 */
function ending(game) {
  const { result } = game;
  if (!result) return t("library.unfinished");
  const you = yours(game);
  if (!you || !result.winner || result.reason === "resigned" || result.reason === "time") return resultWords(result);
  return t(result.winner === you ? "library.won" : "library.lost", { n: Math.abs(result.black) });
}

/**
 * How accurately it was played, where that is known: by the person, else by both.
 * @param {Summary} game
 */
function accuracy(game) {
  if (!game.accuracy) return "";
  const you = yours(game);
  const figures = (you ? [you] : /** @type {const} */ (["black", "white"])).map((color) => accuracyWords(game.accuracy?.[color]));
  return t("library.accuracy", { figures: figures.join(" – ") });
}

/**
 * When a game was played: how long ago where it was here, else as its record has it.
 * @param {Summary} game
 */
function when({ source, created, date }) {
  if (source === "played") return h("time", { datetime: created, title: dateTimeWords(created) }, agoWords(created));
  const imported = t("library.imported", { ago: agoWords(created) });
  return h("span", { title: `${imported} (${dateTimeWords(created)})` }, date ? (date.length > 4 ? dateWords(date) : date) : imported);
}

/**
 * Open a game; on a phone the board lies above the list.
 * @param {string} game
 */
function show(game) {
  open(game);
  scrollTo({ top: 0 });
}

/**
 * @param {Summary} game
 * @param {HTMLElement} place
 */
function item(game, place) {
  const title = titleWords(game);
  const again = () => load(place);
  const details = [t("library.moves", { n: game.moves }), ending(game)];
  const more = [openingName(game.opening), accuracy(game)].filter(Boolean);
  const chosen = h("input", { type: "checkbox", "data-key": `choose ${game.game}`, checked: selection.has(game.game), "aria-label": t("library.choose", { title }), onchange: () => selection.choose(game.game, chosen.checked) });
  return h(
    `li.game${game.game === app.game?.game ? ".current" : ""}`,
    { "data-game": game.game },
    selection.on && chosen,
    game.board !== "" && h("button.picture", { tabindex: "-1", "aria-hidden": "true", onclick: () => show(game.game) }, thumbnail(game.board, game.size)),
    h(
      "div.what",
      {},
      h("button.link", { "data-key": `open ${game.game}`, onclick: () => show(game.game) }, title),
      h("p.muted.small", {}, when(game), ` · ${details.join(" · ")}`),
      more.length > 0 && h("p.muted.small", {}, more.join(" · ")),
      (game.tags.length > 0 || game.source === "imported") &&
        h("p.small", {}, game.source === "imported" && h("span.label.muted", {}, t("library.source_imported_one")), game.tags.map((tag) => h("span.label", {}, tag))),
    ),
    !selection.on &&
      h(
        "span.tools",
        {},
        tool("pen", "library.edit", title, () => edit(game, again), game.game),
        tool("trash", "library.delete", title, () => remove({ games: [game.game] }, again).then(again), game.game),
      ),
  );
}

/**
 * @param {string} picture
 * @param {string} key
 * @param {string} title of the game, for those who hear a row of buttons without seeing whose they are
 * @param {() => Promise<unknown>} run
 * @param {string} [id] of the game, to be found again where the list is drawn anew
 */
function tool(picture, key, title, run, id = "") {
  return h("button.icon", { "data-key": `${key} ${id}`, "aria-label": t("colon", { name: t(key), words: title }), title: t(key), onclick: () => run().catch(complain) }, icon(picture));
}

/**
 * Ask for a game's title, tags and collections.
 * @param {Summary} game
 * @param {() => Promise<unknown>} again
 */
async function edit(game, again) {
  const title = h("input", { value: game.title, maxlength: 200, autofocus: true });
  const tags = h("input", { value: game.tags.join(", "), maxlength: 400 });
  const save = async () => {
    const wanted = tags.value.split(",").map((tag) => tag.trim());
    await api.change(game.game, { title: title.value.trim(), tags: [...new Set(wanted.filter(Boolean))] });
    await again();
  };
  openDialog(
    t("library.edit"),
    (close) => [
      h(
        "form",
        { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), close(), save().catch(complain)) },
        field(t("library.title"), title),
        field(t("library.tag"), tags, t("library.tags_label")),
        h("div.row.end", {}, h("button.plain", { onclick: close }, t("cancel")), h("button.primary", { type: "submit" }, t("ok"))),
      ),
    ],
    { name: "edit" },
  );
}
