// Changing a player, or its level, during a game.

import { app } from "../shell/store.js";
import { complain } from "../shell/toast.js";
import { h } from "../shell/dom.js";
import { openDialog } from "./dialog.js";
import { opponentCards, players } from "./opponent-cards.js";
import { send } from "../play/game.js";
import { t } from "../shell/i18n.js";

/** @param {import("../shell/types").Color} color */
export async function choosePlayer(color) {
  const game = app.game;
  if (!game) return;
  try {
    const known = await players();
    const chosen = opponentCards(known, game.players[color], { legend: t("player.label"), human: true });
    openDialog(
      t("player.change", { color: t(`color.${color}`) }),
      (close) => {
        const submit = async (/** @type {Event} */ event) => {
          event.preventDefault();
          if (await send("players", { [color]: chosen.value() })) close();
        };
        return [
          h(
            "form",
            { onsubmit: submit },
            chosen.element,
            h("div.row.end.foot", {}, h("button.plain", { onclick: close }, t("cancel")), h("button.primary", { type: "submit" }, t("ok"))),
          ),
        ];
      },
      { name: "player", wide: true },
    );
    chosen.reveal();
    chosen.focus();
  } catch (error) {
    complain(error);
  }
}
