// Model games: those of the database through the position one looks at, by player and year, to be opened there.

import { api, turns, wordsOf } from "../shell/api.js";
import { app, whenBack } from "../shell/store.js";
import { complain } from "../shell/toast.js";
import { fill, h } from "../shell/dom.js";
import { number, t } from "../shell/i18n.js";
import { open } from "../play/game.js";
import { select } from "../dialogs/dialog.js";

const PAGE = 12;
const WAIT = 250; // milliseconds of rest before a question: in typing, in walking through a game
const SORTS = ["newest", "oldest", "black", "white"];

const asked = { player: "", first: "", last: "", sort: "newest" };
let position = "";
let timer = 0;
const turn = turns();
/** @type {HTMLElement | null} */
let place = null;

/** The part of the explorer with the games; it fills itself, and keeps what was typed while one walks. */
export function modelGames() {
  place ??= frame();
  const now = `${app.game?.game} ${app.game?.node}`;
  if (position !== now) {
    position = now;
    loadSoon();
  }
  return place;
}

function frame() {
  /** @param {"player" | "first" | "last"} name @param {string} label @param {Record<string, unknown>} [more] */
  const input = (name, label, more = {}) => {
    const box = h("input", { ...more, value: asked[name], placeholder: label, "aria-label": label, oninput: () => ((asked[name] = box.value.trim()), loadSoon()) });
    return box;
  };
  const years = { inputmode: "numeric", maxlength: 4, size: 5 };
  const sort = select(SORTS.map((name) => [name, t(`models.sort_${name}`)]), asked.sort, (value) => ((asked.sort = value), loadSoon(0)));
  sort.setAttribute("aria-label", t("models.sort"));
  return h(
    "section.models",
    { "aria-label": t("models.title") },
    h("h3", {}, t("models.title")),
    h("div.row", {}, input("player", t("models.player"), { type: "search" }), input("first", t("models.first"), years), input("last", t("models.last"), years), sort),
    h("div.found"),
  );
}

/** The words have changed: draw all of it anew when it is next asked for. */
export function forgetModelGames() {
  place = null;
  position = "";
}

/** @param {number} [wait] */
function loadSoon(wait = WAIT) {
  clearTimeout(timer);
  timer = setTimeout(() => load(), wait);
}

/** @param {string} text */
const year = (text) => (/^\d{1,4}$/.test(text) ? text : "");

/** @param {number} [limit] */
async function load(limit = PAGE) {
  const game = app.game;
  const list = place?.querySelector(".found");
  if (!game || !list) return;
  const under = position;
  const awaited = turn();
  try {
    const answer = await api.modelGames({ game: game.game, node: game.node, player: asked.player, first: year(asked.first), last: year(asked.last), sort: asked.sort, limit });
    if (under !== position || !awaited()) return; // one has walked on, or asks for something else
    fill(
      list,
      h("p.muted.small", { role: "status" }, t("models.found", { n: answer.total, count: number(answer.total) })),
      h("ol", {}, answer.games.map(item)),
      answer.games.length < Math.min(answer.total, 100) && h("button.plain", { "data-key": "more", onclick: () => load(answer.games.length + PAGE) }, t("models.more")),
    );
  } catch (error) {
    if (!awaited()) return;
    fill(list, h("p.muted.small", { role: "status" }, wordsOf(error)));
    whenBack(() => awaited() && load());
  }
}

/** @param {import("../shell/types").ModelGame} game */
function item(game) {
  const { number: name, black, white, year: played, tournament, score, following } = game;
  const result = score === null ? "" : `${(64 + score) / 2}–${(64 - score) / 2}`;
  const details = [played || "", tournament, result, following && t("models.then", { square: following })];
  return h(
    "li",
    {},
    h("button.link", { "data-key": `model ${name}`, onclick: () => show(name).catch(complain) }, `${black || t("color.Black")} – ${white || t("color.White")}`),
    h("p.muted.small", {}, details.filter(Boolean).join(" · ")),
  );
}

/** @param {number} name of the game in the database */
async function show(name) {
  if (!app.game) return;
  const { game, node } = await api.openModel({ number: name, moves: app.game.node });
  open(game, node);
}
