// What things of a game are called: players, results, openings, scores. One convention: discs, and the side named.

import { specName } from "../play/opponents.js";
import { has, language, number, signed, t } from "./i18n.js";

/** @typedef {import("./types").Color} Color */

/**
 * A level's name: the six of old have names in every language.
 * @param {string} level
 */
export function levelName(level) {
  const key = `level.${level.replace("+", "_plus")}`;
  return has(key) ? t(key) : level;
}

/**
 * What a machine is called.
 * @param {Omit<import("./types").PlayerView, "label">} player
 */
export function playerWords(player) {
  return player.kind === "level" ? levelName(player.level ?? "") : player.name || specName(player.spec ?? "");
}

/**
 * @param {import("./types").PlayerView} player
 * @param {Color} color
 * @param {Record<Color, import("./types").PlayerView>} players both, as "you" only makes sense against a machine
 */
export function playerName(player, color, players) {
  if (player.kind !== "human") return playerWords(player);
  if (player.name) return player.name;
  const other = players[color === "black" ? "white" : "black"];
  return other.kind === "human" ? t(`player.${color}`) : t("player.you");
}

/**
 * An accuracy, rounded down: only a game without loss has 100.
 * @param {number | null | undefined} value
 */
export function accuracyWords(value) {
  return value === null || value === undefined ? "–" : number(Math.floor(value));
}

/**
 * The rating of a level. It is known to some twenty points: tens say enough, and the first is 0 and not -1.
 * @param {number} rating
 */
export function levelRating(rating) {
  return number(10 * Math.round(rating / 10) + 0);
}

/** @param {Color} color */
export function otherColor(color) {
  return color === "black" ? "white" : "black";
}

/**
 * The colour of the one person who plays a machine; null where there are two, or none.
 * @param {import("./types").GameState | null} game
 * @returns {Color | null}
 */
export function person(game) {
  if (!game || (game.players.black.kind === "human") === (game.players.white.kind === "human")) return null;
  return game.players.black.kind === "human" ? "black" : "white";
}

/**
 * Who sits at the bottom: the one person at this board, else Black.
 * @param {import("./types").GameState} game
 */
export function bottom(game) {
  return person(game) ?? "black";
}

/**
 * A score as seen from the side it favours: "Black +3.5", "even".
 * @param {number} black
 * @param {boolean} [exact]
 */
export function scoreWords(black, exact = false) {
  const rounded = Number(black.toFixed(exact ? 0 : 1));
  if (rounded === 0) return exact ? t("score.draw") : t("score.even");
  return `${sideName(rounded > 0 ? "black" : "white")} ${signed(Math.abs(rounded))}${exact ? "." : ""}`;
}

/**
 * How a game ended, in a few words: by how much, unless it was given up or lost on time.
 * @param {import("./types").ResultView} result
 */
export function resultWords(result) {
  const why = has(`result.${result.reason}`) ? result.reason : "";
  if (!result.winner) return t(why ? `result.draw_${why}` : "result.draw");
  return t(why ? `result.${why}` : "result.won", { color: sideName(result.winner), n: Math.abs(result.black) });
}

/**
 * How a game ended, with both sides' discs: "You win 38–26". Squares left empty are the winner's.
 * @param {import("./types").GameState} game
 * @param {Color | null} [you] the person's colour, where there is one person
 */
export function finalWords(game, you = null) {
  const { result, size } = game;
  if (!result) return "";
  if (result.reason === "resigned" || result.reason === "time") return resultWords(result);
  const squares = size.rows * size.columns;
  const [more, less] = [(squares + Math.abs(result.black)) / 2, (squares - Math.abs(result.black)) / 2];
  const why = result.reason && has(`final.${result.reason}`) ? ` ${t(`final.${result.reason}`)}` : "";
  if (!result.winner) return t("final.draw", { more, less }) + why;
  if (you) return t(result.winner === you ? "final.win" : "final.loss", { more, less }) + why;
  return t("final.won", { color: sideName(result.winner), more, less }) + why;
}

/**
 * A side by its name, "Black": the colour of a disc is "black".
 * @param {Color} color
 */
export function sideName(color) {
  return t(color === "black" ? "color.Black" : "color.White");
}

/** @param {import("./types").OpeningView | null | undefined} opening */
export function openingName(opening) {
  if (!opening) return "";
  const { en, fr, id } = opening;
  return /** @type {Record<string, string>} */ ({ en, fr })[language()] || en || fr || id;
}

/** @param {string} text ISO 8601 */
export function dateWords(text) {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : date.toLocaleDateString(language(), { dateStyle: "medium" });
}

/** @param {string} text ISO 8601 */
export function dateTimeWords(text) {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : date.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} each with its seconds, and the largest first */
const UNITS = [["year", 365 * 86400], ["month", 30 * 86400], ["week", 7 * 86400], ["day", 86400], ["hour", 3600], ["minute", 60]];

/**
 * How long ago something was: "3 days ago", "yesterday", "now".
 * @param {string} text ISO 8601
 */
export function agoWords(text) {
  const seconds = (Date.now() - new Date(text).valueOf()) / 1000;
  if (Number.isNaN(seconds)) return text;
  const [unit, length] = UNITS.find(([, long]) => seconds >= long) ?? ["second", Infinity];
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}

/** @type {Record<string, string>} */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * The sign a label is written with: what is good needs none.
 * @param {string | null} [label]
 */
export function labelSign(label) {
  return SIGNS[label ?? ""] ?? "";
}

/**
 * Why a move is worse than the best one, in words.
 * @param {{code: string, data: Record<string, unknown>}} reason
 * @param {string} played
 * @param {string} best what to call the best move
 */
export function reasonWords({ code, data }, played, best) {
  const told = Object.entries(data).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : /** @type {string | number} */ (value);
    return [name, has(`${name}.${text}`) ? t(`${name}.${text}`) : text];
  });
  const words = t(`reasons.${code}`, { played, best_move: best, ...Object.fromEntries(told) });
  return /^[a-l]\d/.test(words) ? words : words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
