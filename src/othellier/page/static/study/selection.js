// Several games of the library at once: which are chosen, and what can be done to them.

import { api, download, withQuery } from "../shell/api.js";
import { askCollection, collectionNamed } from "./collections.js";
import { complain, toast } from "../shell/toast.js";
import { h } from "../shell/dom.js";
import { number, t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").Library} Library */
/** @typedef {Record<string, string>} Asked */

const EXPORTED = 500; // games that can be named one by one
const ANALYSED = 500; // and analysed at once

/** Games that are chosen: by their ids, or everything that is found. */
export class Selection {
  /**
   * @param {() => void} changed is called when there is something new to draw
   * @param {(found: object) => Promise<unknown>} analyse
   */
  constructor(changed, analyse) {
    this.on = false;
    this.everything = false;
    /** @type {Set<string>} */
    this.games = new Set();
    this.changed = changed;
    this.analyse = analyse;
  }

  /** Begin to choose, or end it. */
  toggle() {
    this.on = !this.on;
    this.clear();
  }

  clear() {
    this.games.clear();
    this.everything = false;
    this.changed();
  }

  /** @param {string} game */
  has(game) {
    return this.everything || this.games.has(game);
  }

  /**
   * @param {string} game
   * @param {boolean} chosen
   */
  choose(game, chosen) {
    this.everything = false;
    if (chosen) this.games.add(game);
    else this.games.delete(game);
    this.changed();
  }

  /** @param {string[]} shown */
  chooseAll(shown) {
    for (const game of shown) this.games.add(game);
    this.changed();
  }

  /**
   * The bar with what can be done to them.
   * @param {Library} library
   * @param {Asked} asked
   * @param {() => Promise<unknown>} again reads the library anew
   */
  bar(library, asked, again) {
    const shown = library.games.map((game) => game.game);
    const count = this.everything ? library.total : this.games.size;
    const all = shown.every((game) => this.has(game));
    const found = this.everything ? asked : { games: [...this.games] };
    const idle = count === 0;
    /** @param {() => Promise<unknown>} run gives false where nothing was done after all */
    const then = (run) => () =>
      run()
        .then((done) => done !== false && (this.clear(), again()))
        .catch(complain);
    return h(
      "div.selected",
      { role: "group", "aria-label": t("library.select") },
      h("p", {}, h("span", { role: "status" }, t("library.selected", { n: count, count: number(count) })), h("button.link", { "data-key": "done", onclick: () => this.toggle() }, t("library.select_done"))),
      h("button.plain", { "data-key": "all", onclick: () => (all ? this.clear() : this.chooseAll(shown)) }, t(all ? "library.select_none" : "library.select_shown")),
      all && !this.everything && library.total > shown.length && h("button.plain", { "data-key": "everything", onclick: () => ((this.everything = true), this.changed()) }, t("library.select_everything", { n: library.total, count: number(library.total) })),
      h("button.plain", { "data-key": "collect", disabled: idle, title: t("collection.put"), onclick: then(() => collect(found, library)) }, t("collection.pick")),
      asked.collection && h("button.plain", { "data-key": "take-out", disabled: idle, onclick: then(() => api.changeMany({ do: "take_out", into: asked.collection, ...found })) }, t("collection.take_out")),
      h("button.plain", { "data-key": "analyse", disabled: idle || count > ANALYSED, title: t(count > ANALYSED ? "bulk.limit" : "bulk.title", { n: ANALYSED }), onclick: then(() => this.analyse(found)) }, t("bulk.analyse")),
      h("button.plain", { "data-key": "export", disabled: idle || (!this.everything && count > EXPORTED), onclick: () => exportGames(this.everything ? asked : {}, [...this.games]) }, t("library.export_selected")),
      h("button.plain", { "data-key": "delete", disabled: idle, onclick: then(() => remove(found, again)) }, t("library.delete")),
    );
  }
}

/**
 * @param {object} found
 * @param {Library} library
 */
async function collect(found, { collections }) {
  const name = await askCollection(collections);
  if (!name) return false;
  const into = await collectionNamed(name, collections);
  const { games } = await api.changeMany({ do: "collect", into, ...found });
  toast(t("collection.added", { n: games, count: number(games), name }));
  return true;
}

/**
 * Delete games; for a while that can be undone.
 * @param {object} found
 * @param {() => Promise<unknown>} again
 */
export async function remove(found, again) {
  const { games, moment } = await api.changeMany({ do: "delete", ...found });
  toast(t("library.deleted", { n: games, count: number(games) }), {
    action: t("library.undo"),
    run: () => api.changeMany({ do: "restore", moment }).then(again).catch(complain),
  });
}

/**
 * Save games as a file: those named, or all that a search finds.
 * @param {Asked} asked
 * @param {string[]} [games]
 */
export function exportGames(asked, games = []) {
  const named = games.map((game) => `&id=${game}`).join("");
  download(`api/v1/${withQuery("export", { format: "sgf", ...asked })}${named}`, "");
}
