// Importing: paste a text or choose files of any format; afterwards, which games were good and which were not.

import { complain } from "../shell/toast.js";
import { field, openDialog } from "./dialog.js";
import { h } from "../shell/dom.js";
import { badMoveWords, countMoves, placeWords, serverWords } from "../shell/reasons.js";
import { goodPart, importGames } from "../shell/transfer.js";
import { number, t } from "../shell/i18n.js";
import { api, wordsOf } from "../shell/api.js";
import { collectionField, collectionNamed } from "../study/collections.js";

export function openImport() {
  const text = h("textarea", { rows: 7, spellcheck: "false", placeholder: "F5D6C3D3C4…", autofocus: true });
  const file = h("input", { type: "file", multiple: true });
  const message = h("p.problem", { role: "alert" });
  const { input: collection, list } = collectionField([]);
  /** @type {import("../shell/types").CollectionView[]} */
  let known = [];
  api
    .collections()
    .then((answer) => ((known = answer.collections), list.replaceChildren(...known.map(({ name }) => h("option", { value: name })))))
    .catch(complain);
  const run = h("button.primary", { type: "submit" }, t("import.run"));
  const dialog = openDialog(
    t("import.title"),
    () => [
      h(
        "form",
        { onsubmit: submit },
        field(t("import.text"), text, t("import.formats")),
        field(t("import.file"), file),
        field(t("import.collection"), collection, t("collection.name_note")),
        list,
        message,
        h("div.row.end", {}, run),
      ),
    ],
    { name: "import" },
  );

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    message.textContent = "";
    const source = file.files?.length ? [...file.files] : text.value;
    if (!source.length) {
      message.textContent = t("import.nothing");
      return;
    }
    run.disabled = true;
    try {
      const name = collection.value.trim();
      const chosen = name ? await collectionNamed(name, known) : "";
      await importGames(source, { collection: chosen, begun: () => dialog.close() });
      dialog.close();
    } catch (error) {
      if (!dialog.open) return complain(error); // a long import, told while one plays
      message.textContent = wordsOf(error);
      const good = goodPart(error);
      if (good) message.append(" ", firstMoves(good, () => dialog.close()));
    }
    run.disabled = false;
  }
}

/**
 * The button that loads the good part of a broken transcript.
 * @param {string} good
 * @param {() => void} done
 */
function firstMoves(good, done) {
  const load = () => importGames(good).then(done, complain);
  return h("button.plain", { onclick: load }, t("import.first", { n: countMoves(good) }));
}

/** @param {import("../shell/transfer.js").Problem} problem */
function problemWords({ file, where, reason, move }) {
  const place = [file, where && placeWords(where)].filter(Boolean).join(", ");
  return t("colon", { name: place, words: move ? badMoveWords(move) : serverWords(reason) });
}

/**
 * Tell what came of an import.
 * @param {import("../shell/transfer.js").Imported} answer
 */
export function tellImport(answer) {
  const all = answer.errors.map(problemWords).join("\n");
  openDialog(
    t("import.partly"),
    (close) => [
      h("p", {}, t("import.done", { n: answer.imported, count: number(answer.imported) })),
      h("p", {}, t("import.failed", { n: answer.failed, count: number(answer.failed) })),
      h("ul.errors", { tabindex: "0" }, answer.errors.map((problem) => h("li", {}, problemWords(problem), " ", problem.move?.good && firstMoves(problem.move.good, close)))),
      h(
        "div.row.end",
        {},
        h("button.plain", { onclick: () => navigator.clipboard.writeText(all).catch(complain) }, t("import.copy")),
        h("button.primary", { onclick: close, autofocus: true }, t("ok")),
      ),
    ],
    { name: "imported" },
  );
}
