// The new-game dialog: who plays, how strong, from where, on what board, how fast. Enter starts what was played last.

import { api, wordsOf } from "../shell/api.js";
import { complain } from "../shell/toast.js";
import { field, openDialog, radios, select } from "./dialog.js";
import { h } from "../shell/dom.js";
import { language, t } from "../shell/i18n.js";
import { newGame } from "../play/game.js";
import { openingName } from "../shell/words.js";
import { options, setOptions } from "../shell/options.js";
import { playerField, players } from "./player-dialog.js";

const CLOCKS = ["", "1+0", "3+2", "5+3", "10+5", "25+10"];
const OPENINGS = ["any", "balanced", "named", "moves", "position", "corners"];

/** What was chosen last time, as far as it still makes sense. */
function remembered() {
  const [side = "black", level = "", size = "8", clock = ""] = options.lastGame.split(" ");
  return {
    side: ["black", "white", "both", "none"].includes(side) ? side : "black",
    level,
    size: ["8", "6", "4"].includes(size) ? size : "8",
    clock: CLOCKS.includes(clock) ? clock : "",
  };
}

/**
 * @param {string} [position] a position to start from, of the set-up editor
 * @param {string} [size] its board
 */
export async function openNewGame(position, size) {
  try {
    const [known, openings] = await Promise.all([players(), api.openings()]);
    showDialog(known, openings, position ?? "", size);
  } catch (error) {
    complain(error);
  }
}

/**
 * @param {import("../shell/types").PlayersView} known
 * @param {import("../shell/types").OpeningList} openings
 * @param {string} position
 * @param {string} [boardSize]
 */
function showDialog(known, openings, position, boardSize) {
  const last = remembered();
  const choice = { ...last, size: boardSize ?? last.size, opening: position ? "position" : "any" };
  const level = known.levels.some((each) => each.level === last.level) ? last.level : known.default;
  const mine = playerField(known, { kind: "level", level }, false);
  const opponent = playerField(known, { kind: "level", level }, false);
  mine.list.setAttribute("aria-label", t("color.Black"));
  opponent.list.setAttribute("aria-label", t("new.opponent"));

  const named = select(
    [...openings.openings].map((each) => /** @type {[string, string]} */ ([each.id, openingName(each)])).sort((a, b) => a[1].localeCompare(b[1], language())),
    openings.openings[0]?.id ?? "",
  );
  const moves = h("input", { placeholder: "f5d6c3", spellcheck: "false", autocomplete: "off" });
  const board = h("textarea", { rows: 3, spellcheck: "false", placeholder: t("new.position_hint") });
  board.value = position;
  const corners = select(["1", "2", "3", "4"].map((n) => [n, n]), "1");
  const cornersTo = select([["black", t("color.Black")], ["white", t("color.White")]], "black");
  const details = {
    named: field(t("new.named"), named),
    moves: field(t("new.moves"), moves),
    position: field(t("new.position"), board),
    corners: h("div.row", {}, field(t("new.corners"), corners), field(t("new.corners_to"), cornersTo)),
  };
  const first = h("div.field", {}, h("span", {}, t("color.Black")), mine.element);
  const second = h("div.field", {}, h("span.opponent", {}, t("new.opponent")), opponent.element);
  const show = () => {
    for (const [name, element] of Object.entries(details)) element.hidden = choice.opening !== name;
    first.hidden = choice.side !== "none";
    second.hidden = choice.side === "both";
    const label = /** @type {HTMLElement} */ (second.firstElementChild);
    label.textContent = choice.side === "none" ? t("color.White") : t("new.opponent");
  };
  const offered = OPENINGS.filter((name) => (name === "balanced" ? openings.balanced : name !== "named" || openings.openings.length));
  const message = h("p.problem", { role: "alert" });

  const dialog = openDialog(
    t("new.title"),
    () => [
      h(
        "form",
        { onsubmit: submit },
        radios(t("new.side"), "side", ["black", "white", "both", "none"].map((name) => [name, t(`new.side_${name}`)]), choice.side, (value) => ((choice.side = value), show())),
        first,
        second,
        field(t("new.opening"), select(offered.map((name) => [name, t(`new.opening_${name}`)]), choice.opening, (value) => ((choice.opening = value), show()))),
        ...Object.values(details),
        h(
          "div.row",
          {},
          radios(t("new.size"), "size", ["8", "6", "4"].map((each) => [each, `${each}×${each}`]), choice.size, (value) => (choice.size = value)),
          field(t("new.clock"), select(CLOCKS.map((clock) => [clock, clock ? t("new.clock_of", { minutes: clock.split("+")[0] ?? "", increment: clock.split("+")[1] ?? "" }) : t("new.clock_none")]), choice.clock, (value) => (choice.clock = value))),
        ),
        message,
        h("div.row.end", {}, h("button.primary.large", { type: "submit", autofocus: true }, t("new.start"))),
      ),
    ],
    { name: "new" },
  );
  show();

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    message.textContent = "";
    const human = { kind: "human", name: options.name };
    const machine = opponent.value();
    const sides = {
      black: { black: human, white: machine },
      white: { black: machine, white: human },
      both: { black: { kind: "human" }, white: { kind: "human" } },
      none: { black: mine.value(), white: machine },
    }[choice.side];
    const [minutes, increment] = choice.clock.split("+").map(Number);
    try {
      await newGame({
        ...sides,
        size: choice.size,
        opening: opening(),
        clock: choice.clock ? { minutes, increment } : null,
      });
      setOptions({ lastGame: [choice.side, machine.level ?? level, choice.size, choice.clock].join(" ") });
      dialog.close();
    } catch (error) {
      message.textContent = wordsOf(error);
    }
  }

  function opening() {
    switch (choice.opening) {
      case "named":
        return { kind: "named", id: named.value };
      case "moves":
        return { kind: "moves", moves: moves.value.trim() };
      case "position":
        return { kind: "position", board: board.value.trim() };
      case "corners":
        return { kind: "corners", corners: Number(corners.value), to: cornersTo.value };
      default:
        return { kind: choice.opening };
    }
  }
}
