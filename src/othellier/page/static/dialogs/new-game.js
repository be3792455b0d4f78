// The new-game dialog: who plays, how strong, from where, on what board, how fast. Enter starts what was played last.

import { api, wordsOf } from "../shell/api.js";
import { app } from "../shell/store.js";
import { complain } from "../shell/toast.js";
import { field, openDialog, radios, select } from "./dialog.js";
import { h } from "../shell/dom.js";
import { language, t } from "../shell/i18n.js";
import { newGame } from "../play/game.js";
import { openingName, playerWords } from "../shell/words.js";
import { options, setOptions } from "../shell/options.js";
import { opponentCards, players } from "./opponent-cards.js";
import { countMoves } from "../shell/reasons.js";
import { focusTable } from "../play/game-board.js";
import { goodPart } from "../shell/transfer.js";
import { playerOf, playerText } from "../play/opponents.js";

const CLOCKS = ["", "1+0", "3+2", "5+3", "10+5", "25+10"];
const OPENINGS = ["any", "balanced", "named", "moves", "position", "corners"];

/** What was chosen last time, as far as it still makes sense; else whoever is played against now. */
function remembered() {
  const [side = "black", opponent = "", size = "8", clock = "", first = ""] = options.lastGame.split(" ");
  const { black, white } = app.game?.players ?? {};
  const now = [white, black].find((player) => player && player.kind !== "human");
  return {
    side: ["black", "white", "both", "none"].includes(side) ? side : "black",
    opponent: opponent || !now ? playerOf(opponent) : now,
    first: playerOf(first || opponent),
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
  const mine = opponentCards(known, last.first, { legend: t("color.Black"), onchange: () => show() });
  const opponent = opponentCards(known, last.opponent, { legend: t("new.opponent"), onchange: () => show() });
  let shown = "black"; // of two machines, the one whose cards are shown
  const machineRadios = radios(t("new.machines"), "machine", [["black", ""], ["white", ""]], shown, (value) => ((shown = value), show(), (value === "black" ? mine : opponent).reveal()));

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
  const show = () => {
    for (const [name, element] of Object.entries(details)) element.hidden = choice.opening !== name;
    const machines = choice.side === "none";
    machineRadios.hidden = !machines;
    board.required = choice.opening === "position";
    mine.element.hidden = !machines || shown !== "black";
    opponent.element.hidden = choice.side === "both" || (machines && shown !== "white");
    /** @type {HTMLElement} */ (opponent.element.firstElementChild).textContent = machines ? t("color.White") : t("new.opponent");
    machineRadios.querySelectorAll("label > span").forEach((label, index) => {
      const [color, cards] = index ? [t("color.White"), opponent] : [t("color.Black"), mine];
      label.textContent = t("new.player_of", { color, name: playerWords(cards.value()) });
    });
  };
  machineRadios.classList.add("machines");
  const offered = OPENINGS.filter((name) => (name === "balanced" ? openings.balanced : name !== "named" || openings.openings.length));
  const message = h("p.problem", { role: "alert" });

  const dialog = openDialog(
    t("new.title"),
    () => [
      h(
        "form.new-game",
        { onsubmit: submit },
        h(
          "div.who",
          {},
          radios(t("new.side"), "side", ["black", "white", "both", "none"].map((name) => [name, t(`new.side_${name}`)]), choice.side, (value) => ((choice.side = value), show(), reveal())),
          machineRadios,
          mine.element,
          opponent.element,
        ),
        h(
          "div.how",
          {},
          field(t("new.opening"), select(offered.map((name) => [name, t(`new.opening_${name}`)]), choice.opening, (value) => ((choice.opening = value), show()))),
          ...Object.values(details),
          radios(t("new.size"), "size", ["8", "6", "4"].map((each) => [each, `${each}×${each}`]), choice.size, (value) => (choice.size = value)),
          field(t("new.clock"), select(CLOCKS.map((clock) => [clock, clock ? t("new.clock_of", { minutes: clock.split("+")[0] ?? "", increment: clock.split("+")[1] ?? "" }) : t("new.clock_none")]), choice.clock, (value) => (choice.clock = value))),
          h("div.foot", {}, message, h("button.primary.large", { type: "submit", autofocus: true }, t("new.start"))),
        ),
      ),
    ],
    { name: "new", wide: true },
  );
  show();
  reveal();

  function reveal() {
    for (const cards of [mine, opponent]) cards.reveal();
    dialog.scrollTop = 0;
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    message.textContent = "";
    const byKeys = dialog.querySelector(":focus-visible") !== null;
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
      setOptions({ lastGame: [choice.side, playerText(machine), choice.size, choice.clock, playerText(mine.value())].join(" ") });
      dialog.close();
      if (byKeys) focusTable(); // where one goes on
    } catch (error) {
      message.textContent = wordsOf(error);
      const good = goodPart(error);
      const load = () => ((moves.value = good), (message.textContent = ""), moves.focus());
      if (good && choice.opening === "moves") message.append(" ", h("button.plain", { onclick: load }, t("import.first", { n: countMoves(good) })));
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
