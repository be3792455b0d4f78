// The Laboratory: the search of a classical player of the position on the board, to be stepped through.

import { app } from "../shell/store.js";
import { api, wordsOf } from "../shell/api.js";
import { field, openDialog, select } from "../dialogs/dialog.js";
import { h } from "../shell/dom.js";
import { language, t } from "../shell/i18n.js";
import { stepper } from "./stepper.js";

const ALGORITHMS = ["alphabeta", "minimax", "negamax", "nega-alphabeta", "pvs", "mcts"];
const EVALUATIONS = ["positional", "absolute", "mobility", "mixed", "criteria", "patterns", "classifier"];
const ORDERS = ["none", "squares", "discs", "killers", "history", "evaluator", "random"];
const STYLE = "static/laboratory/stepper.css";

/** What was chosen last, kept while the page is open. */
const chosen = {
  first: { algorithm: "alphabeta", depth: "3", iterations: "200", c: "1.5", eval: "positional", order: "none", table: false },
  second: { algorithm: "", depth: "3", iterations: "200", c: "1.5", eval: "positional", order: "none", table: false },
};

/** @typedef {typeof chosen.first} Choice */

export function openLaboratory() {
  const game = app.game;
  if (!game) return;
  style();
  const place = h("div.trees");
  const told = h("p.muted", { role: "status" });
  const run = h("button.primary", { type: "submit" }, t("laboratory.run"));
  const form = h(
    "form.laboratory",
    { onsubmit: search },
    side("laboratory.first", chosen.first, false),
    side("laboratory.second", chosen.second, true),
    h("div.go", {}, run, told),
  );

  /** @param {Event} event */
  async function search(event) {
    event.preventDefault();
    if (!game || run.ariaDisabled) return;
    run.ariaDisabled = "true"; // not disabled: it keeps the focus
    told.textContent = t("laboratory.running");
    const players = [chosen.first, chosen.second].filter((choice) => choice.algorithm).map(spec);
    try {
      const { trees } = await api.trees({ game: game.game, node: game.node, players, language: language() });
      place.replaceChildren(...trees.map(stepper));
      told.textContent = "";
    } catch (error) {
      told.textContent = wordsOf(error);
    } finally {
      run.ariaDisabled = null;
    }
  }

  openDialog(t("laboratory.title"), () => [h("p.muted", {}, t("laboratory.intro")), form, place], { wide: true, name: "laboratory" });
  form.requestSubmit();
}

/** The looks of the trees are fetched with the first of them. */
function style() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  document.head.append(h("link", { rel: "stylesheet", href: STYLE }));
}

/**
 * The choices of one search.
 * @param {string} title
 * @param {Choice} choice
 * @param {boolean} optional
 */
function side(title, choice, optional) {
  const names = /** @type {[string, string][]} */ (ALGORITHMS.map((name) => [name, name]));
  const more = h("span.choices");
  const draw = () => more.replaceChildren(...details(choice));
  const algorithm = select(optional ? [["", t("laboratory.none")], ...names] : names, choice.algorithm, (value) => {
    choice.algorithm = value;
    draw();
  });
  draw();
  return h("div.search", { role: "group", "aria-label": t(title) }, field(t(title), algorithm), more);
}

/** @param {Choice} choice */
function details(choice) {
  if (!choice.algorithm) return [];
  if (choice.algorithm === "mcts") {
    return [
      field(t("laboratory.iterations"), number(choice, "iterations", 1, 3000, 1)),
      field(t("laboratory.constant"), number(choice, "c", 0, 10, 0.1)),
    ];
  }
  const table = h("input", { type: "checkbox", checked: choice.table, onchange: () => (choice.table = table.checked) });
  return [
    field(t("laboratory.depth"), number(choice, "depth", 1, 8, 1)),
    field(t("laboratory.eval"), list(choice, "eval", EVALUATIONS)),
    field(t("laboratory.order"), list(choice, "order", ORDERS)),
    h("label.check", {}, table, h("span", {}, t("laboratory.table"))),
  ];
}

/**
 * @param {Choice} choice
 * @param {"depth" | "iterations" | "c"} key
 * @param {number} min
 * @param {number} max
 * @param {number} step
 */
function number(choice, key, min, max, step) {
  const input = h("input", { type: "number", min, max, step, required: true, value: choice[key], oninput: () => (choice[key] = input.value) });
  return input;
}

/**
 * @param {Choice} choice
 * @param {"eval" | "order"} key
 * @param {string[]} names
 */
function list(choice, key, names) {
  return select(/** @type {[string, string][]} */ (names.map((name) => [name, t(`laboratory.${key}.${name}`)])), choice[key], (value) => (choice[key] = value));
}

/**
 * A choice as a player string.
 * @param {Choice} choice
 */
function spec(choice) {
  if (choice.algorithm === "mcts") return `mcts:iterations=${choice.iterations},c=${choice.c},seed=1`;
  const table = choice.table ? ",table=yes,table_depth=1" : "";
  return `${choice.algorithm}:depth=${choice.depth},eval=${choice.eval},order=${choice.order}${table}`;
}
