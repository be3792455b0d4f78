// Whom one may play: the first one met, the classical algorithms with what can be chosen about them, and how a choice
// is remembered.

import { has, number, t } from "../shell/i18n.js";

/** @typedef {Omit<import("../shell/types").PlayerView, "label">} PlayerSpec */

/** Who is met on the first visit. */
const EASY = "nora";

/**
 * The algorithms a card is made of, in the order they are taught, and what can be chosen: the values of every option,
 * the usual one first where it is not the first to be shown.
 * @typedef {{name: string, choices: string[], usual: string}} Choice
 */
const STRATEGIES = ["positional", "absolute", "mobility", "mixed", "criteria"];
const DEPTHS = ["1", "2", "3", "4", "5", "6", "7", "8"];
/** @type {Choice[]} */
const SEARCH = [
  { name: "depth", choices: DEPTHS, usual: "4" },
  { name: "eval", choices: STRATEGIES, usual: "positional" },
];
/** @type {Choice[]} */
const PLAYOUTS = [
  { name: "iterations", choices: ["100", "500", "2000", "10000", "50000"], usual: "2000" },
  { name: "rollout", choices: ["random", "weighted", "greedy"], usual: "random" },
];

/** @type {Record<string, Choice[]>} */
const ALGORITHMS = {
  random: [],
  minimax: SEARCH,
  negamax: SEARCH,
  alphabeta: SEARCH,
  "nega-alphabeta": SEARCH,
  pvs: SEARCH,
  mcts: PLAYOUTS,
  policy: [],
};

/** The names of the algorithms. */
export function algorithms() {
  return Object.keys(ALGORITHMS);
}

/**
 * What can be chosen about an algorithm.
 * @param {string} name
 */
export function choicesOf(name) {
  return ALGORITHMS[name] ?? [];
}

/**
 * A player string in its parts: `mcts:iterations=500` is mcts with 500 iterations.
 * @param {string} spec
 */
export function parseSpec(spec) {
  const [name = "", rest = ""] = spec.split(/:(.*)/s);
  const pairs = rest.split(",").filter(Boolean).map((pair) => /** @type {[string, string]} */ (pair.split(/=(.*)/s).slice(0, 2)));
  return { name: name.trim(), options: /** @type {Record<string, string>} */ (Object.fromEntries(pairs)) };
}

/**
 * The player string of an algorithm and what was chosen about it.
 * @param {string} name
 * @param {Record<string, string>} options
 */
export function specOf(name, options) {
  const chosen = choicesOf(name).map((choice) => `${choice.name}=${options[choice.name] ?? choice.usual}`);
  return chosen.length ? `${name}:${chosen.join(",")}` : name;
}

/**
 * Whether a player string says no more than a card can.
 * @param {string} spec
 */
export function isCard(spec) {
  const { name, options } = parseSpec(spec);
  if (!(name in ALGORITHMS)) return false;
  return Object.entries(options).every(([key, value]) => choicesOf(name).some((choice) => choice.name === key && choice.choices.includes(value)));
}

/**
 * What a player string is called: "Alpha-beta, depth 4, mobility"; the usual strategy goes without saying.
 * @param {string} spec
 */
export function specName(spec) {
  if (!isCard(spec)) return spec;
  const { name, options } = parseSpec(spec);
  const told = choicesOf(name).filter((choice) => has(`choice.${choice.name}`) || (options[choice.name] ?? choice.usual) !== choice.usual);
  const details = told.map((choice) => choiceWords(choice.name, options[choice.name] ?? choice.usual));
  return [t(`algorithm.${name}`), ...details].join(", ");
}

/**
 * A value of an option in words: "depth 4", "2,000 games", "mobility".
 * @param {string} option
 * @param {string} value
 */
export function choiceWords(option, value) {
  const key = `choice.${option}`;
  return has(key) ? t(key, { n: number(Number(value)) }) : t(`strategy.${value}`);
}

/**
 * A player of a game as a new game is asked for it: without the label that the server adds.
 * @param {import("../shell/types").PlayerView} player
 * @returns {PlayerSpec}
 */
export function asked({ label: _label, ...spec }) {
  return spec;
}

/**
 * A player in a word without blanks, as it is remembered.
 * @param {PlayerSpec} player
 */
export function playerText(player) {
  return player.kind === "player" ? `@${(player.spec ?? "").replaceAll(" ", "")}` : player.level ?? "";
}

/**
 * The player of such a word; the first one met where there is none.
 * @param {string} text
 * @returns {PlayerSpec}
 */
export function playerOf(text) {
  return text.startsWith("@") ? { kind: "player", spec: text.slice(1) } : { kind: "level", level: text || EASY };
}
