// Saving the game in any format that can be written.

import { api } from "../shell/api.js";
import { h } from "../shell/dom.js";
import { has, t } from "../shell/i18n.js";
import { openDialog } from "./dialog.js";
import { save } from "../shell/transfer.js";

export async function openExport() {
  const { formats } = await api.info();
  openDialog(
    t("do.save"),
    (close) => [
      h(
        "div.formats",
        {},
        formats
          .filter((format) => format.writes)
          .map((format) =>
            h(
              "button.plain",
              { onclick: () => (save(format.name), close()) },
              h("strong", {}, format.name),
              h("span.muted.small", {}, has(`format.${format.name}`) ? t(`format.${format.name}`) : format.endings.join(" ")),
            ),
          ),
      ),
    ],
    { name: "export" },
  );
}
