// Other people's games, which the explorer looks through: how many there are, handing in files, taking them out again.

import { api } from "../shell/api.js";
import { complain } from "../shell/toast.js";
import { h } from "../shell/dom.js";
import { number, t } from "../shell/i18n.js";

const RETRY = 600; // milliseconds between questions while the server reads

/** @type {import("../shell/types").DatabaseView | null} */
let known = null;
let sending = 0; // files still to be handed in
let asked = false;
let changed = () => {};

/**
 * Be told when there is something new to show.
 * @param {() => void} listener
 */
export function onDatabase(listener) {
  changed = listener;
}

/** What is shown, as a word that changes with it. */
export function databaseMark() {
  return `${known?.games} ${known?.added} ${known?.loading} ${known?.message} ${sending}`;
}

async function look() {
  asked = true;
  try {
    tell(await api.database());
  } catch (error) {
    complain(error);
  }
}

/** @param {import("../shell/types").DatabaseView} told */
function tell(told) {
  known = told;
  changed();
  if (told.loading) setTimeout(look, RETRY);
}

/** @param {FileList | null} files */
async function add(files) {
  const chosen = [...(files ?? [])];
  for (sending = chosen.length; sending > 0; sending--) {
    changed();
    try {
      await api.addGames(/** @type {File} */ (chosen[chosen.length - sending]));
    } catch (error) {
      complain(error);
    }
  }
  await look();
}

/** What there is, in words, with what one can do about it. */
export function databaseLine() {
  if (!asked) look();
  if (!known) return [];
  const { games, added, loading, message, may_change: free } = known;
  const words = sending || loading ? t("database.reading") : games ? t("database.games", { n: games, count: number(games) }) : t("explorer.no_database");
  const input = h("input", { type: "file", multiple: true, hidden: true, accept: ".wtb,.jou,.trn,.zip,.ggf,.sgf,.txt", onchange: () => add(input.files) });
  return [
    h("p.muted.small", { role: "status" }, words, message && ` ${message}`),
    free && input,
    free && h("button.plain", { "data-key": "add-games", title: t("database.add_note"), onclick: () => input.click() }, t("database.add")),
    free && added > 0 && h("button.plain", { "data-key": "clear-games", onclick: () => api.clearGames().then(tell).catch(complain) }, t("database.clear")),
  ];
}
