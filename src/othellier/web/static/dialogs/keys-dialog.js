// The sheet of all keys.

import { KEYS, keyWords } from "../shell/keys.js";
import { h } from "../shell/dom.js";
import { openDialog } from "./dialog.js";
import { t } from "../shell/i18n.js";

const BOARD = ["tab", "arrows", "enter", "typed", "shift_enter", "right", "right_drag", "hold", "wheel"];

export function openKeys() {
  openDialog(
    t("keys.title"),
    () => [
      h(
        "div.keys",
        {},
        h("dl", {}, Object.keys(KEYS).map((action) => h("div", {}, h("dt", {}, keyWords(action, true).split(" · ").map((key) => h("kbd", {}, key))), h("dd", {}, t(`do.${action}`))))),
        h("h3", {}, t("keys.board")),
        h("dl", {}, BOARD.map((name) => h("div", {}, h("dt", {}, h("kbd", {}, t(`keys.${name}`))), h("dd", {}, t(`keys.${name}_does`))))),
      ),
    ],
    { wide: true, name: "keys" },
  );
}
