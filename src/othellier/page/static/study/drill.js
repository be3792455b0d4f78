// Learning openings by heart: a card is a position, the answer is played on its board. What is known well comes back
// late, what is not comes back soon; the server remembers.

import { api, turns, wordsOf } from "../shell/api.js";
import { announce } from "../shell/toast.js";
import { Board } from "../board/board.js";
import { daysUntil } from "./days.js";
import { field, openDialog, radios, select } from "../dialogs/dialog.js";
import { h } from "../shell/dom.js";
import { language, t } from "../shell/i18n.js";
import { listen } from "../board/board-input.js";
import { openingName, sideName } from "../shell/words.js";
import { options, setOptions } from "../shell/options.js";
import { squareIndex } from "../board/geometry.js";
import { whenBack } from "../shell/store.js";

const DEPTHS = ["6", "8", "10", "12", "16", "20"];
const SIDE = 8;

/** @param {string} square */
const index = (square) => squareIndex(square, SIDE, SIDE);

/** @param {string} [wanted] the opening to begin with */
export async function openDrill(wanted = "") {
  const { openings } = await api.openings();
  const [color = "black", last = "", depth = ""] = options.drill.split(" ");
  const first = wanted || last;
  const chosen = {
    color: color === "white" ? "white" : "black",
    opening: openings.some(({ id }) => id === first) ? first : "",
    plies: DEPTHS.includes(depth) ? Number(depth) : 12,
  };
  /** @type {import("../shell/types").DrillView | null} */
  let now = null;
  let discs = "";
  /** @type {"asked" | "right" | "wrong" | "done"} */
  let stage = "asked";
  let ahead = false;
  const turn = turns();
  /** @type {string[]} */
  let answers = [];

  const place = h("div.setup-board");
  const board = new Board(place, t("drill.board"));
  listen(board, { pick: answer });
  const name = h("p.big");
  const verdict = h("p.verdict", { role: "status" });
  const count = h("p.muted.small");
  const next = h("button.primary", { onclick: () => ask() }, t("lesson.next"));
  const more = h("button.plain", { onclick: () => ((ahead = true), ask()) }, t("drill.ahead"));
  const listed = /** @type {[string, string][]} */ (openings.map((each) => [each.id, openingName(each)])).sort((a, b) => a[1].localeCompare(b[1], language()));

  openDialog(
    t("drill.title"),
    () => [
      h(
        "div.setup",
        {},
        place,
        h(
          "div.setup-tools",
          {},
          name,
          verdict,
          h("div.row", {}, next, more),
          count,
          radios(t("drill.side"), "drill-side", [["black", t("color.Black")], ["white", t("color.White")]], chosen.color, (value) => choose({ color: value })),
          field(t("new.opening"), select([["", t("drill.all")], ...listed], chosen.opening, (value) => choose({ opening: value }))),
          field(t("drill.depth"), select(DEPTHS.map((each) => [each, t("drill.moves", { n: Number(each) })]), String(chosen.plies), (value) => choose({ plies: Number(value) }))),
        ),
      ),
    ],
    { wide: true, name: "drill" },
  );
  await ask();

  /** @param {Partial<typeof chosen>} changes */
  function choose(changes) {
    Object.assign(chosen, changes);
    setOptions({ drill: [chosen.color, chosen.opening, chosen.plies].join(" ") });
    ahead = false;
    now = null;
    ask();
  }

  async function ask() {
    const awaited = turn();
    try {
      const found = await api.drill({ ...chosen, ahead, last: now?.card?.card });
      if (!awaited()) return;
      now = found;
    } catch (error) {
      if (!awaited()) return;
      verdict.textContent = wordsOf(error);
      whenBack(() => awaited() && place.isConnected && ask());
      return;
    }
    const { card } = now;
    stage = card ? "asked" : "done";
    answers = [];
    discs = (card?.board ?? "-".repeat(SIDE * SIDE)).slice(0, SIDE * SIDE);
    verdict.textContent = card ? "" : t(now.cards ? "drill.done" : "drill.none");
    draw();
    if (card) announce(`${name.textContent} ${t("drill.ask", { color: sideName(card.turn) })}`);
  }

  /** @param {number} square */
  async function answer(square) {
    const card = now?.card;
    const tried = card?.legal.find((each) => index(each.square) === square);
    if (!card || !tried || stage !== "asked") return;
    try {
      const told = await api.answerDrill({ ...chosen, card: card.card, square: tried.square });
      stage = told.right ? "right" : "wrong";
      answers = told.answers;
      const known = answers.join(", ");
      verdict.textContent = told.right ? t("drill.right", { square: tried.square, n: daysUntil(told.due) }) : t("drill.wrong", { square: tried.square, answers: known });
      if (told.right) {
        const letters = [...discs];
        for (const each of [square, ...tried.flips.map(index)]) letters[each] = card.turn === "black" ? "X" : "O";
        discs = letters.join("");
      }
      draw(told.right ? square : undefined);
      next.focus();
    } catch (error) {
      verdict.textContent = wordsOf(error);
    }
  }

  /** @param {number} [played] */
  function draw(played) {
    const card = now?.card ?? null;
    const asked = stage === "asked" && card !== null;
    board.draw({
      rows: SIDE,
      columns: SIDE,
      discs,
      turn: card?.turn ?? "black",
      legal: new Map(asked ? card.legal.map(({ square, flips }) => [index(square), flips.map(index)]) : []),
      last: played ?? (card?.last ? index(card.last) : -1),
      open: asked,
      circles: stage === "wrong" ? answers.map(index) : [],
    });
    name.textContent = card ? openingName(card.opening) || t("reading.start") : "";
    verdict.className = `verdict ${stage}`;
    if (asked) verdict.textContent = t("drill.ask", { color: sideName(card.turn) });
    next.hidden = stage === "asked" || stage === "done";
    more.hidden = stage !== "done" || !now?.cards;
    count.textContent = now ? t("drill.count", { due: now.due, learnt: now.learnt, cards: now.cards }) : "";
  }
}
