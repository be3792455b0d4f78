// Choosing a player: a person, a level of the engine, or any player of the laboratory by its string.

import { api } from "../shell/api.js";
import { app } from "../shell/store.js";
import { complain } from "../shell/toast.js";
import { field, openDialog } from "./dialog.js";
import { h } from "../shell/dom.js";
import { levelName } from "../shell/words.js";
import { options } from "../shell/options.js";
import { send } from "../play/game.js";
import { has, t } from "../shell/i18n.js";

/** @typedef {Omit<import("../shell/types").PlayerView, "label">} PlayerSpec */

/** @type {Promise<import("../shell/types").PlayersView> | null} */
let asked = null;

/** The levels and players the server has; asked for once. */
export function players() {
  asked ??= api.players().catch((error) => ((asked = null), Promise.reject(error)));
  return asked;
}

/**
 * A list of players to choose from, and the line to type another one in.
 * @param {import("../shell/types").PlayersView} known
 * @param {PlayerSpec} chosen
 * @param {boolean} human whether a person may be chosen
 */
export function playerField(known, chosen, human) {
  const list = h("select", { onchange: () => show() });
  if (human) list.append(h("option", { value: "human", selected: chosen.kind === "human" }, t("player.human")));
  for (const { level } of known.levels) {
    list.append(h("option", { value: `level:${level}`, selected: chosen.kind === "level" && chosen.level === level }, levelName(level)));
  }
  list.append(h("option", { value: "other", selected: chosen.kind === "player" }, t("player.other")));
  const examples = h("datalist", { id: `specs-${Math.random().toString(36).slice(2)}` }, known.players.map((player) => h("option", { value: player.example }, player.summary)));
  const spec = h("input", { value: chosen.spec ?? "", list: examples.id, placeholder: known.players[0]?.example ?? "", "aria-label": t("player.spec"), autocomplete: "off", spellcheck: "false" });
  const note = h("p.muted.small", { lang: "en" });
  spec.addEventListener("input", () => {
    const player = known.players.find((each) => each.name === spec.value.split(":")[0]?.trim());
    note.textContent = player ? `${player.summary} ${player.options.map((each) => each.name).join(", ")}` : "";
  });
  const name = h("input", { value: chosen.kind === "human" ? chosen.name ?? "" : options.name, placeholder: t("player.name"), "aria-label": t("player.name"), maxlength: 60, autocomplete: "off" });
  const strength = h("p.muted.small");
  const show = () => {
    spec.hidden = note.hidden = list.value !== "other";
    name.hidden = list.value !== "human";
    const level = known.levels.find((each) => `level:${each.level}` === list.value);
    strength.hidden = !level;
    strength.textContent = level ? strengthWords(level) : "";
  };
  show();
  return {
    list,
    element: h("div.player-field", {}, list, strength, spec, note, name, examples),
    /** @returns {PlayerSpec} */
    value: () => {
      if (list.value === "human") return { kind: "human", name: name.value.trim() };
      if (list.value === "other") return { kind: "player", spec: spec.value.trim() };
      return { kind: "level", level: list.value.slice("level:".length) };
    },
  };
}

/**
 * What a level does.
 * @param {import("../shell/types").LevelView} level
 */
function strengthWords({ level, depth, win_empties: win, exact_empties: exact, book_moves: book }) {
  if (has(`person.${level}`)) return t(`person.${level}`);
  if (depth < 2) return t(depth ? "strength.ahead" : "strength.thought");
  return depth < 60 ? t("strength.search", { depth, win, exact, book: book ?? 0 }) : t("strength.clock");
}

/**
 * Change a player, or its level, during the game.
 * @param {import("../shell/types").Color} color
 */
export async function choosePlayer(color) {
  const game = app.game;
  if (!game) return;
  try {
    const known = await players();
    openDialog(
      t("player.change", { color: t(`color.${color}`) }),
      (close) => {
        const chosen = playerField(known, game.players[color], true);
        chosen.list.autofocus = true;
        const submit = async (/** @type {Event} */ event) => {
          event.preventDefault();
          if (await send("players", { [color]: chosen.value() })) close();
        };
        return [
          h(
            "form",
            { onsubmit: submit },
            field(t("player.label"), chosen.element),
            h("div.row.end", {}, h("button.plain", { onclick: close }, t("cancel")), h("button.primary", { type: "submit" }, t("ok"))),
          ),
        ];
      },
      { name: "player" },
    );
  } catch (error) {
    complain(error);
  }
}
