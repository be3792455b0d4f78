// The options: how the page looks and what the game does by itself.

import { changeLanguage } from "../shell/actions.js";
import { complain } from "../shell/toast.js";
import { field, openDialog, select } from "./dialog.js";
import { h } from "../shell/dom.js";
import { language, languages, percent, t } from "../shell/i18n.js";
import { moveSound } from "../play/sound.js";
import { optionSwitches } from "../shell/buttons.js";
import { options, setOptions } from "../shell/options.js";
import { SPEEDS } from "../play/motion.js";

/** As theme.css has them. */
const BOARDS = ["green", "walnut", "blue", "slate", "plum"];
const DISCS = ["classic", "flat", "ivory", "contrast"];

export function openOptions() {
  const dialog = openDialog(
    t("options.title"),
    () => [
      h(
        "div.options",
        {},
        h(
          "div.row",
          {},
          field(t("options.theme"), select(["", "light", "dark"].map((name) => [name, t(`theme.${name || "system"}`)]), options.theme, (value) => setOptions({ theme: /** @type {"light"} */ (value) }))),
          field(t("options.language"), select(Object.entries(languages()), language(), (value) => changeLanguage(value).then(() => (dialog.close(), openOptions())).catch(complain))),
        ),
        h(
          "div.row",
          {},
          field(t("options.board"), select(BOARDS.map((name) => [name, t(`look.${name}`)]), options.board, (value) => setOptions({ board: value }))),
          field(t("options.discs"), select(DISCS.map((name) => [name, t(`look.${name}`)]), options.discs, (value) => setOptions({ discs: value }))),
        ),
        h(
          "div.row",
          {},
          field(t("options.speed"), select(SPEEDS.map((name) => [name, t(`speed.${name}`)]), SPEEDS.includes(options.speed) ? options.speed : "normal", (value) => setOptions({ speed: value })), t("options.speed_note")),
          field(t("options.volume"), volumeInput()),
        ),
        field(t("options.name"), nameInput()),
        h("fieldset", {}, h("legend", {}, t("options.look")), optionSwitches("options look")),
        h("fieldset", {}, h("legend", {}, t("options.game")), optionSwitches("options game")),
      ),
    ],
    { name: "options" },
  );
}

function nameInput() {
  const input = h("input", { value: options.name, maxlength: 60, autocomplete: "name", onchange: () => setOptions({ name: input.value.trim() }) });
  return input;
}

function volumeInput() {
  const input = h("input", { type: "range", min: 0, max: 1, step: 0.1, value: options.volume, "aria-valuetext": percent(options.volume), onchange: change });
  function change() {
    setOptions({ volume: Number(input.value) });
    input.setAttribute("aria-valuetext", percent(options.volume));
    moveSound([], null); // to hear how loud that is
  }
  return input;
}
