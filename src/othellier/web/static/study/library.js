// The library: every game kept, to search, open, name, tag, delete (and bring back), import and export.

import { api, withQuery, download, wordsOf } from "../shell/api.js";
import { app } from "../shell/store.js";
import { askText, select } from "../dialogs/dialog.js";
import { complain, toast } from "../shell/toast.js";
import { dateTimeWords, levelName, openingName, resultWords } from "../shell/words.js";
import { h, icon } from "../shell/dom.js";
import { language, t } from "../shell/i18n.js";
import { panelButtons } from "../shell/buttons.js";
import { open } from "../play/game.js";

/** @typedef {import("../shell/types").Summary} Summary */

const PAGE = 30;
const WAIT = 200; // milliseconds of rest in typing before a search

const asked = { search: "", tag: "", result: "" };
/** @type {import("../shell/types").Library | null} */
let library = null;
let failed = "";
let drawn = "";
let timer = 0;

/** @param {HTMLElement} place */
export function drawLibrary(place) {
  const now = `${language()} ${app.game?.game} ${app.game?.revision}`;
  if (drawn === now && place.firstChild) return;
  const first = !place.firstChild || !drawn.startsWith(language());
  drawn = now;
  if (first) place.replaceChildren(...frame(place));
  load(place);
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
  const results = ["", "black", "white", "draw", "unfinished"];
  const filter = select(
    results.map((name) => [name, t(`library.result_${name || "any"}`)]),
    asked.result,
    (value) => ((asked.result = value), load(place)),
  );
  filter.setAttribute("aria-label", t("library.result"));
  return [
    h("div.row.find", {}, search, filter),
    h("div.tags"),
    h("div.games"),
    h(
      "div.row",
      {},
      ...panelButtons("library"),
      h("button.plain", { onclick: exportAll }, t("library.export")),
    ),
  ];
}

function exportAll() {
  download(`api/v1/${withQuery("export", { format: "sgf", ...asked })}`, "");
}

/**
 * @param {HTMLElement} place
 * @param {number} [limit]
 */
async function load(place, limit = PAGE) {
  try {
    library = await api.library({ ...asked, limit });
    failed = "";
  } catch (error) {
    failed = wordsOf(error);
  }
  drawGames(place);
}

/** @param {HTMLElement} place */
function drawGames(place) {
  const list = /** @type {HTMLElement} */ (place.querySelector(".games"));
  const tags = /** @type {HTMLElement} */ (place.querySelector(".tags"));
  if (failed || !library) {
    list.replaceChildren(h("p.empty", {}, failed));
    return;
  }
  const { games, total } = library;
  tags.replaceChildren(
    ...library.tags.map(({ tag, games: n }) =>
      h("button.tag", { "aria-pressed": String(asked.tag === tag), onclick: () => ((asked.tag = asked.tag === tag ? "" : tag), load(place)) }, tag, h("span.muted", {}, n)),
    ),
  );
  if (!games.length) {
    const searching = asked.search || asked.tag || asked.result;
    list.replaceChildren(h("p.empty", {}, t(searching ? "library.nothing" : "library.none")));
    return;
  }
  const damaged = library.damaged;
  list.replaceChildren(
    ...(damaged.length ? [h("p.problem", {}, t("library.damaged", { n: damaged.length, names: damaged.slice(0, 5).join(", ") }))] : []),
    h("ul", {}, games.map((game) => item(game, place))),
    ...(games.length < total ? [h("button.plain", { onclick: () => load(place, games.length + PAGE) }, t("library.more", { n: total - games.length }))] : []),
  );
}

/**
 * Who played: a name, a level, "You" against one of these in a game of one's own, else the colour.
 * @param {Summary} game
 */
function names(game) {
  const you = game.source === "played" && (game.black || game.white) ? t("player.you") : "";
  return `${levelName(game.black) || you || t("color.Black")} – ${levelName(game.white) || you || t("color.White")}`;
}

/**
 * @param {Summary} game
 * @param {HTMLElement} place
 */
function item(game, place) {
  const title = game.title || names(game);
  const again = () => load(place);
  const details = [dateTimeWords(game.created), t("library.moves", { n: game.moves }), game.result ? resultWords(game.result) : t("library.unfinished"), openingName(game.opening)];
  return h(
    `li.game${game.game === app.game?.game ? ".current" : ""}`,
    { "data-game": game.game },
    h(
      "div.what",
      {},
      h("button.link", { onclick: () => open(game.game) }, title),
      h("p.muted.small", {}, details.filter(Boolean).join(" · ")),
      game.tags.length > 0 && h("p.small", {}, game.tags.map((tag) => h("span.label", {}, tag))),
    ),
    tool("pen", "library.rename", title, () => rename(game).then(again)),
    tool("tag", "library.tag", title, () => retag(game).then(again)),
    tool("trash", "library.delete", title, () => remove(game, again)),
  );
}

/**
 * @param {string} picture
 * @param {string} key
 * @param {string} title of the game, for those who hear a row of buttons without seeing whose they are
 * @param {() => Promise<unknown>} run
 */
function tool(picture, key, title, run) {
  return h("button.icon", { "aria-label": `${t(key)}: ${title}`, title: t(key), onclick: () => run().catch(complain) }, icon(picture));
}

/** @param {Summary} game */
async function rename(game) {
  const title = await askText(t("library.rename"), t("library.title"), game.title);
  if (title !== null) await api.change(game.game, { title: title.trim() });
}

/** @param {Summary} game */
async function retag(game) {
  const text = await askText(t("library.tag"), t("library.tags_label"), game.tags.join(", "));
  if (text === null) return;
  const tags = text.split(",").map((tag) => tag.trim());
  await api.change(game.game, { tags: [...new Set(tags.filter(Boolean))] });
}

/**
 * @param {Summary} game
 * @param {() => void} again
 */
async function remove(game, again) {
  await api.remove(game.game);
  again();
  toast(t("library.deleted"), { action: t("library.undo"), run: () => api.restore(game.game).then(again).catch(complain) });
}
