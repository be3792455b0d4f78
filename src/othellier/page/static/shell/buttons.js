// The buttons of the header, of the panel and of the options, drawn from the table of actions. (Those of the game are in
// play/controls.js.)

import { act, actionOf, actionsAt, isPossible, isPressed, shortWord } from "./actions.js";
import { byId, h, icon, patch } from "./dom.js";
import { has, t } from "./i18n.js";
import { subscribe } from "./store.js";

export function setUpHeader() {
  subscribe(drawHeader);
  drawHeader();
  document.addEventListener("click", (event) => {
    // On a phone the header's words are a menu: whatever is clicked, it has done its duty.
    const onButton = event.target instanceof Element && event.target.closest('[data-do="menu"]');
    if (!onButton && byId("nav").classList.contains("open")) act("menu");
  });
}

function drawHeader() {
  patch(byId("nav"), ...actionsAt("nav").map((name) => h("button", attributes(name), shortWord(name))));
  patch(byId("tools"), ...actionsAt("tools").map(tool));
}

/** @param {string} name */
function tool(name) {
  const action = actionOf(name);
  const label = action?.label?.() ?? t(`do.${name}`);
  return h("button.icon", { ...attributes(name), "aria-label": label, title: label }, action?.text?.() ?? icon(action?.icon ?? name));
}

/**
 * The buttons of a part of the panel.
 * @param {import("./actions.js").Place} place
 */
export function panelButtons(place) {
  return actionsAt(place).map((name) => h("button.plain", { ...attributes(name), disabled: !isPossible(name) }, shortWord(name)));
}

/** @param {string} name */
function attributes(name) {
  const pressed = isPressed(name);
  return {
    "data-do": name,
    "data-key": name,
    "aria-pressed": pressed === undefined ? undefined : String(pressed),
    ...actionOf(name)?.attributes?.(),
    onclick: () => act(name),
  };
}

/**
 * The switches of a group of the options.
 * @param {import("./actions.js").Place} place
 */
export function optionSwitches(place) {
  return actionsAt(place).map((name) => {
    const box = h("input", { type: "checkbox", checked: isPressed(name), onchange: () => box.checked !== isPressed(name) && act(name) });
    return h("label.switch", {}, box, h("span", {}, t(`do.${name}`), has(`note.${name}`) && h("span.muted.small", {}, t(`note.${name}`))));
  });
}
