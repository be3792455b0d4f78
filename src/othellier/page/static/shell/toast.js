// Short messages: toasts for those who look, announcements for those who listen.

import { byId, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { wordsOf } from "./api.js";

const SHOWN = 5000; // milliseconds; longer for those that offer something
const OFFERED = 10000;
const CLASSES = { info: "", error: ".error", game: ".of-game" }; // "info" is a part of the page, which hides at times

/**
 * @param {string} text
 * @param {{kind?: "info" | "error" | "game", action?: string, run?: () => void}} [more] a button to go with it; what is
 *   about one game goes with it
 */
export function toast(text, { kind = "info", action, run } = {}) {
  const close = () => box.remove();
  const box = h(
    `div.toast${CLASSES[kind]}`,
    { role: kind === "error" ? "alert" : "status" },
    h("p", {}, text),
    action && h("button.link", { onclick: () => (close(), run?.()) }, action),
    h("button.icon", { "aria-label": t("close"), title: t("close"), onclick: close }, icon("close")),
  );
  const place = byId("toasts");
  // The same words twice are one message; more than three hide the board.
  for (const old of place.querySelectorAll(".toast")) if (old.querySelector("p")?.textContent === text) old.remove();
  while (place.children.length >= 3) place.firstElementChild?.remove();
  place.append(box);
  // Over an open dialog too: the top layer belongs to it alone.
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  (dialog ?? document.body).append(place);
  setTimeout(close, action ? OFFERED : SHOWN);
}

/** Another game is looked at: what was said about the last one is of no use. */
export function forgetGame() {
  for (const old of document.querySelectorAll(".toast.of-game")) old.remove();
}

/** @param {unknown} error */
export function complain(error) {
  toast(wordsOf(error), { kind: "error" });
}

/**
 * Say something to a screen reader.
 * @param {string} text
 */
export function announce(text) {
  const live = byId("live");
  // The same words again must be heard again: a changed text node is what readers notice.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}
