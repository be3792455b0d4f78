// The bar of the game, each button with its word, and the menu of what is wanted less often: all from the table of actions.

import { subscribe } from "../shell/store.js";
import { byId, h, icon, patch } from "../shell/dom.js";
import { act, actionOf, actionsAt, isPossible, isPressed, shortWord } from "../shell/actions.js";
import { keyWords } from "../shell/keys.js";
import { mode } from "../shell/mode.js";
import { t } from "../shell/i18n.js";

const GROUPS = /** @type {const} */ (["menu game", "menu board", "menu files"]);

export function setUpControls() {
  subscribe(draw);
  draw();
}

/** @param {string} name */
function button(name) {
  const action = actionOf(name);
  const keys = keyWords(name);
  const label = t(`do.${name}`);
  const pressed = isPressed(name);
  const off = !isPossible(name);
  // A disabled button would lose the focus: the one that has it is only called so.
  const held = document.activeElement?.matches(`#controls [data-key="${name}"]`);
  return h(
    "button.control",
    {
      "data-key": name,
      "aria-label": label,
      title: keys ? `${label} (${keys})` : label,
      "aria-pressed": pressed === undefined ? undefined : String(pressed),
      ...action?.attributes?.(),
      disabled: off && !held,
      "aria-disabled": off && held && "true",
      onclick: () => act(name),
    },
    icon(action?.icon ?? name),
    h("span", {}, shortWord(name)),
  );
}

function draw() {
  const names = actionsAt(mode()).filter((name) => (!actionOf(name)?.fleeting || isPossible(name)) && actionOf(name)?.shown?.() !== false);
  patch(byId("controls"), ...names.map(button));
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#more-menu [aria-checked]"))) {
    item.setAttribute("aria-checked", String(isPressed(item.dataset.do ?? "") === true));
  }
}

/** Open the menu above its button. */
export function openMenu() {
  document.getElementById("more-menu")?.remove();
  const menu = h("div.menu", { id: "more-menu", popover: "auto", role: "menu", "aria-label": t("do.more") });
  const shown = [...byId("controls").children].map((each) => /** @type {HTMLElement} */ (each).dataset.key ?? "");
  for (const group of GROUPS) {
    const items = actionsAt(group).filter((name) => isPossible(name) && !shown.includes(name));
    if (items.length && menu.children.length) menu.append(h("hr"));
    for (const name of items) {
      const pressed = isPressed(name);
      menu.append(
        h(
          "button",
          {
            role: pressed === undefined ? "menuitem" : "menuitemcheckbox",
            "aria-checked": pressed === undefined ? undefined : String(pressed),
            "data-do": name,
            onclick: () => (menu.hidePopover(), act(name)),
          },
          t(`do.${name}`),
          h("kbd", { "aria-hidden": "true" }, keyWords(name)),
        ),
      );
    }
  }
  menu.addEventListener("keydown", walkMenu);
  menu.addEventListener("toggle", (event) => /** @type {ToggleEvent} */ (event).newState === "closed" && menu.remove());
  byId("controls").parentElement?.append(menu);
  menu.showPopover();
  const at = byId("controls").querySelector('[data-key="more"]')?.getBoundingClientRect();
  if (at) {
    menu.style.left = `${Math.max(8, Math.min(at.right, innerWidth - 8) - menu.offsetWidth)}px`;
    menu.style.top = `${Math.max(8, at.top - menu.offsetHeight - 6)}px`;
  }
  /** @type {HTMLElement | null} */ (menu.querySelector("button"))?.focus();
}

/** @param {KeyboardEvent} event */
function walkMenu(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  event.stopPropagation();
  const menu = /** @type {HTMLElement} */ (event.currentTarget);
  const items = [...menu.querySelectorAll("button")];
  const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  items.at((at + (event.key === "ArrowDown" ? 1 : -1)) % items.length)?.focus();
}
