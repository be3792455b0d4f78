// The buttons of the game, each with its word, and the menu of what is wanted less often.

import { subscribe } from "../shell/store.js";
import { byId, h, icon, patch } from "../shell/dom.js";
import { act, actionOf } from "../shell/actions.js";
import { keyWords } from "../shell/keys.js";
import { mode } from "../shell/mode.js";
import { t } from "../shell/i18n.js";

/** What one needs at hand, playing and studying. */
const SETS = {
  play: ["undo", "hint", "back", "forward", "resign", "more"],
  study: ["start", "back", "forward", "end", "values", "more"],
};
const MENU = [
  ["result", "level", "swap", "go", "live", "back_turn", "redo", "agree", "hint", "values", "undo", "resign"],
  ["symmetry_central", "symmetry_falling", "symmetry_rising", "draw", "erase"],
  ["drill", "setup", "balanced", "import", "copy", "link", "trace", "save", "svg", "png"],
];

export function setUpControls() {
  subscribe(draw);
  draw();
}

/** @param {string} name */
function button(name) {
  const action = /** @type {import("../shell/actions.js").Action} */ (actionOf(name));
  const keys = keyWords(name);
  const label = t(`do.${name}`);
  const pressed = action.pressed?.();
  return h(
    "button.control",
    {
      "data-key": name,
      "aria-label": label,
      title: keys ? `${label} (${keys})` : label,
      "aria-pressed": pressed === undefined ? undefined : String(pressed),
      "aria-haspopup": name === "more" ? "menu" : undefined,
      disabled: action.possible?.() === false,
      onclick: () => act(name),
    },
    icon(action.icon ?? name),
    h("span", {}, t(`short.${name}`)),
  );
}

function draw() {
  const names = [...SETS[mode()]];
  // On the way back to the game, or to let a machine that rests go on.
  for (const name of ["live", "go"]) {
    if (!names.includes(name) && mode() === "study" && actionOf(name)?.possible?.()) names.splice(-1, 0, name);
  }
  patch(byId("controls"), ...names.map(button));
}

/** Open the menu above its button. */
export function openMenu() {
  document.getElementById("more-menu")?.remove();
  const menu = h("div.menu", { id: "more-menu", popover: "auto", role: "menu", "aria-label": t("do.more") });
  const shown = [...byId("controls").children].map((each) => /** @type {HTMLElement} */ (each).dataset.key ?? "");
  for (const group of MENU) {
    const items = group.filter((name) => actionOf(name)?.possible?.() !== false && !shown.includes(name));
    if (items.length && menu.children.length) menu.append(h("hr"));
    for (const name of items) {
      const pressed = actionOf(name)?.pressed?.();
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
