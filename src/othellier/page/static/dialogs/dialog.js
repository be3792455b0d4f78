// Dialogs: the browser's own, with a title, a way out, and the focus given back when they close.

import { h, icon } from "../shell/dom.js";
import { t } from "../shell/i18n.js";

/**
 * Open a modal dialog. It is gone from the page once it is closed.
 * @param {string} title
 * @param {(close: () => void) => (Node | string)[]} content
 * @param {{wide?: boolean, name?: string}} [more]
 */
export function openDialog(title, content, { wide = false, name = "" } = {}) {
  const dialog = h(`dialog${wide ? ".wide" : ""}`, { "aria-labelledby": "dialog-title", "data-dialog": name });
  const close = () => dialog.close();
  dialog.append(
    h(
      "header",
      {},
      h("h2", { id: "dialog-title", tabindex: -1 }, title),
      h("button.icon", { "aria-label": t("close"), title: t("close"), onclick: close }, icon("close")),
    ),
    ...content(close),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => {
    const toasts = dialog.querySelector(".toasts");
    if (toasts) document.body.append(toasts);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  // The browser would choose the way out: begin with what the dialog is for, else with its title.
  /** @type {HTMLElement | null} */ (dialog.querySelector("[autofocus]") ?? dialog.querySelector("h2"))?.focus();
  return dialog;
}

/**
 * Ask before doing what cannot be undone.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function ask(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(question, (close) => [
      h(
        "div.row.end",
        {},
        h("button.plain", { onclick: close }, t("cancel")),
        h("button.primary", { autofocus: true, onclick: () => ((answer = true), close()) }, yes),
      ),
    ]);
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/**
 * Ask for a line of text.
 * @param {string} title
 * @param {string} label
 * @param {string} value
 * @returns {Promise<string | null>} null if the player thought better of it
 */
export function askText(title, label, value) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let answer = null;
    const dialog = openDialog(title, (close) => {
      const input = h("input", { value, maxlength: 200, autofocus: true });
      return [
        h(
          "form",
          { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), (answer = input.value), close()) },
          field(label, input),
          h("div.row.end", {}, h("button.plain", { onclick: close }, t("cancel")), h("button.primary", { type: "submit" }, t("ok"))),
        ),
      ];
    });
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/**
 * A labelled input.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [note]
 */
export function field(label, input, note) {
  return h("label.field", {}, h("span", {}, label), input, note && h("span.muted.small", {}, note));
}

/**
 * A list to choose from.
 * @param {[string, string][]} choices value and words
 * @param {string} chosen
 * @param {(value: string) => void} [onchange]
 */
export function select(choices, chosen, onchange) {
  const list = h(
    "select",
    { onchange: () => onchange?.(list.value) },
    choices.map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );
  return list;
}

/**
 * A few choices side by side, one of them taken.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 */
export function radios(legend, name, choices, chosen, onchange) {
  return h(
    "fieldset.radios",
    {},
    h("legend", {}, legend),
    choices.map(([value, words]) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }), h("span", {}, words)),
    ),
  );
}
