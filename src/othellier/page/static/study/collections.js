// Collections of games: asked for by name, made, renamed and deleted.

import { api } from "../shell/api.js";
import { ask, askText, field, openDialog } from "../dialogs/dialog.js";
import { h } from "../shell/dom.js";
import { t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").CollectionView} Collection */

/**
 * A field for the name of a collection, known or new.
 * @param {Collection[]} known
 */
export function collectionField(known) {
  const list = h("datalist", { id: "collections" }, known.map(({ name }) => h("option", { value: name })));
  const input = h("input", { list: list.id, maxlength: 80, autocomplete: "off" });
  return { input, list };
}

/**
 * The id of the collection with a name; it is made where there is none.
 * @param {string} name
 * @param {Collection[]} known
 */
export async function collectionNamed(name, known) {
  const found = known.find((each) => each.name === name) ?? (await api.makeCollection(name));
  return found.collection;
}

/**
 * Ask for a collection, known or new.
 * @param {Collection[]} known
 * @returns {Promise<string>} its name; nothing if the player thought better of it
 */
export function askCollection(known) {
  return new Promise((resolve) => {
    let answer = "";
    const { input, list } = collectionField(known);
    input.setAttribute("autofocus", "");
    const dialog = openDialog(
      t("collection.put"),
      (close) => [
        h(
          "form",
          { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), (answer = input.value.trim()), close()) },
          field(t("collection.name"), input, t("collection.name_note")),
          list,
          known.length > 0 && h("div.tags", {}, known.map(({ name }) => h("button.tag", { onclick: () => ((answer = name), close()) }, name))),
          h("div.row.end", {}, h("button.plain", { onclick: close }, t("cancel")), h("button.primary", { type: "submit" }, t("ok"))),
        ),
      ],
      { name: "collection" },
    );
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/** @returns {Promise<Collection | null>} the new one */
export async function makeCollection() {
  const name = (await askText(t("collection.new"), t("collection.name"), ""))?.trim();
  return name ? api.makeCollection(name) : null;
}

/** @param {Collection} collection */
export async function renameCollection({ collection, name }) {
  const wanted = (await askText(t("collection.rename"), t("collection.name"), name))?.trim();
  if (wanted && wanted !== name) await api.renameCollection(collection, wanted);
}

/**
 * @param {Collection} collection
 * @returns {Promise<boolean>} whether it is gone
 */
export async function deleteCollection({ collection, name }) {
  if (!(await ask(t("collection.ask_delete", { name }), t("collection.delete")))) return false;
  await api.deleteCollection(collection);
  return true;
}
