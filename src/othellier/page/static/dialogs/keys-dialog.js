// The sheet of all keys.

import { actionNames, actionOf } from "../shell/actions.js";
import { keyWords } from "../shell/keys.js";
import { h } from "../shell/dom.js";
import { openDialog } from "./dialog.js";
import { t } from "../shell/i18n.js";

const BOARD = ["tab", "arrows", "enter", "typed", "shift_enter", "right", "right_drag", "hold", "wheel"];

export function openKeys() {
  const names = actionNames().filter((name) => actionOf(name)?.keys);
  openDialog(
    t("keys.title"),
    () => [
      h(
        "div.keys",
        {},
        h("dl", {}, names.map((action) => h("div", {}, h("dt", {}, keyWords(action, true).split(" · ").map((key) => h("kbd", {}, key))), h("dd", {}, t(`do.${action}`))))),
        h("h3", {}, t("keys.board")),
        h("dl", {}, BOARD.map((name) => h("div", {}, h("dt", {}, h("kbd", {}, t(`keys.${name}`))), h("dd", {}, t(`keys.${name}_does`))))),
      ),
    ],
    { wide: true, name: "keys" },
  );
}
