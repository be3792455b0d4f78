// The book in use, which the explorer shows and the levels play from: choosing another, handing one in.

import { api } from "../shell/api.js";
import { complain, toast } from "../shell/toast.js";
import { h } from "../shell/dom.js";
import { number, t } from "../shell/i18n.js";
import { select } from "../dialogs/dialog.js";

/** @type {import("../shell/types").BooksView | null} */
let known = null;
let asked = false;
let changes = 0;
let changed = () => {};

/**
 * Be told when there is something new to show.
 * @param {() => void} listener
 */
export function onBooks(listener) {
  changed = listener;
}

/** What is shown, as a word that changes with it. */
export function booksMark() {
  return `${changes} ${known?.books.length}`;
}

/**
 * Ask for the books, or for another one of them; where that fails, all stays as it was.
 * @param {Promise<import("../shell/types").BooksView>} answer
 */
async function receive(answer) {
  try {
    known = await answer;
  } catch (error) {
    complain(error);
  }
  changes++;
  changed();
}

/** @param {string} name */
const nameOf = (name) => name.replace(/\.bib$/i, "") || t("books.built_in");

/** @param {Promise<import("../shell/types").BooksView>} answer */
async function use(answer) {
  const before = known;
  await receive(answer);
  const chosen = known?.books.find((each) => each.chosen);
  if (known !== before && chosen) toast(t("books.used", { name: nameOf(chosen.name), n: known?.positions ?? 0, count: number(known?.positions ?? 0) }));
}

/** The book in use, with what one can do about it. */
export function bookLine() {
  if (!asked) {
    asked = true;
    receive(api.books());
  }
  if (!known) return [];
  const { books, message, may_change: free } = known;
  const chosen = books.find((each) => each.chosen)?.name ?? "";
  const list = select(books.map(({ name }) => [name, nameOf(name)]), chosen, (name) => use(api.chooseBook(name)));
  list.dataset.key = "books";
  list.disabled = !free || books.length < 2;
  const input = h("input", { type: "file", hidden: true, accept: ".bib", onchange: () => input.files?.[0] && use(api.addBook(input.files[0])) });
  return [
    message && h("p.muted.small", { role: "status" }, message),
    books.length > 0 && h("label.book", {}, t("books.label"), list),
    free && input,
    free && h("button.plain", { "data-key": "add-book", title: t("books.add_note"), onclick: () => input.click() }, t("books.add")),
  ];
}
