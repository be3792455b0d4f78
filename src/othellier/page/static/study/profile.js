// The profile: what one's games against machines say. The server counts; here it is drawn, with ways on to what helps.

import { accuracyWords, agoWords, dateTimeWords, dateWords, levelName, levelRating, openingName } from "../shell/words.js";
import { api, wordsOf } from "../shell/api.js";
import { act } from "../shell/actions.js";
import { h, s } from "../shell/dom.js";
import { number, t } from "../shell/i18n.js";
import { open } from "../play/game.js";
import { openDialog } from "../dialogs/dialog.js";
import { serverWords } from "../shell/reasons.js";
import { star } from "./stars.js";

/** @typedef {import("../shell/types").ProfileView} Profile */

const WIDE = 640; // of the graph's own units
const HIGH = 180;
const STEP = 200; // rating points between its lines

/** Reasons that belong together, and the theme of puzzles or the page of the help that is about them. */
const GROUPS = {
  corners: { codes: ["corner_given", "corner_missed", "corner_lost_access", "corner_threat_missed", "corner_soon", "corner_later"], puzzles: "corners" },
  beside: { codes: ["x_square", "c_square"], puzzles: "x_squares" },
  mobility: { codes: ["mobility", "own_mobility", "balance", "mobility_soon", "own_mobility_soon", "balance_soon", "passed", "pass_soon", "safe_moves", "own_safe_moves"], help: "mobility" },
  quiet: { codes: ["frontier", "frontier_soon", "greedy"], puzzles: "quiet" },
  edges: { codes: ["edge", "wedge_missed", "stable", "stable_soon", "their_stable", "their_stable_soon"], help: "edges" },
  parity: { codes: ["parity"], puzzles: "parity" },
  end: { codes: ["ending", "wipeout"], puzzles: "win8" },
  squares: { codes: ["square_taken", "answer_given", "move_lost"], help: "mobility" },
};

export async function openProfile() {
  const page = h("div.profile");
  const dialog = openDialog(t("profile.title"), () => [page], { wide: true, name: "profile" });
  try {
    page.replaceChildren(...content(await api.profile(), () => dialog.close()));
  } catch (error) {
    page.replaceChildren(h("p.problem", { role: "alert" }, wordsOf(error)));
  }
}

/**
 * @param {Profile} profile
 * @param {() => void} close
 */
function content(profile, close) {
  const trouble = profile.message ? [h("p.problem", { role: "alert" }, t("profile.trouble", { reason: serverWords(profile.message) }))] : [];
  if (!profile.results.games) {
    return [...trouble, h("p.lead", {}, t("profile.none")), h("div.row", {}, button("profile.play", close, () => act("new")), button("do.puzzles", close, () => act("puzzles")))];
  }
  return [...trouble, headline(profile), graph(profile), h("div.columns", {}, h("div", {}, levels(profile), openings(profile)), h("div", {}, phases(profile, close), reasons(profile, close))), recent(profile, close)];
}

/**
 * A way on, which closes this page.
 * @param {string} key
 * @param {() => void} close
 * @param {() => unknown} run
 */
function button(key, close, run) {
  return h("button.plain", { onclick: () => (close(), run()) }, t(key));
}

/** @param {Profile} profile */
function headline({ results, rating, accuracy, solved, stars }) {
  const facts = [
    [rating === null ? "–" : number(rating), t("profile.rating")],
    [number(results.games), t("profile.games", { n: results.games, wins: results.wins, draws: results.draws, losses: results.losses })],
    [accuracy === null ? "–" : t("profile.percent", { accuracy: accuracyWords(accuracy) }), t("profile.accuracy")],
    [h("span.nowrap", {}, star(stars > 0), ` ${number(stars)}`), t("profile.puzzles", { n: solved })],
  ];
  return h("dl.headline", {}, facts.map(([value, words]) => h("div", {}, h("dt", {}, words), h("dd", {}, value))));
}

/**
 * The rating after every game that counted.
 * @param {Profile} profile
 */
function graph({ history }) {
  const points = history.flatMap(({ rating, date, level, points: won }) => (rating === null ? [] : [{ rating, date, level, won }]));
  if (points.length < 2) return h("p.muted.small", {}, t("profile.few"));
  const values = points.map(({ rating }) => rating);
  const [low, high] = [Math.floor((Math.min(...values) - 20) / STEP) * STEP, Math.ceil((Math.max(...values) + 20) / STEP) * STEP];
  const wide = Math.min(WIDE, Math.max(300, innerWidth - 70)); // so that its words are no smaller on a phone
  const x = (/** @type {number} */ index) => 44 + (index * (wide - 56)) / (points.length - 1);
  const y = (/** @type {number} */ rating) => HIGH - 10 - ((rating - low) * (HIGH - 20)) / (high - low);
  const lines = [];
  for (let value = low; value <= high; value += STEP) {
    lines.push(s("line", { class: "grid", x1: 40, x2: wide, y1: y(value), y2: y(value) }), s("text", { x: 34, y: y(value) + 4, "text-anchor": "end" }, number(value)));
  }
  const path = points.map(({ rating }, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(rating).toFixed(1)}`).join("");
  const dots = points.map(({ rating, date, level, won }, index) => {
    const words = t("colon", { name: `${dateWords(date)}, ${levelName(level)}`, words: `${t(won === 1 ? "profile.won" : won === 0 ? "profile.lost" : "profile.drawn")}, ${number(rating)}` });
    return s("circle", { class: won === 1 ? "won" : won === 0 ? "lost" : "", cx: x(index), cy: y(rating), r: points.length > 60 ? 2.2 : 4 }, s("title", {}, words));
  });
  const label = t("profile.graph", { n: points.length, first: number(values[0] ?? 0), last: number(values.at(-1) ?? 0) });
  return h("figure.rating", {}, h("figcaption", {}, t("profile.over_time")), s("svg", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": label }, ...lines, s("path", { class: "line", d: path }), ...dots));
}

/**
 * Wins, draws and losses as a bar, and in figures.
 * @param {import("../shell/types").ResultCount} record
 */
function results({ wins, draws, losses }) {
  const bar = h("span.outcomes", { "aria-hidden": "true" });
  for (const [name, count] of /** @type {[string, number][]} */ ([["won", wins], ["drawn", draws], ["lost", losses]])) {
    const part = h(`span.${name}`);
    part.style.flexGrow = String(count);
    bar.append(part);
  }
  return [h("td", {}, bar), h("td.figures", {}, `${number(wins)} – ${number(draws)} – ${number(losses)}`)];
}

/** @param {Profile} profile */
function levels({ levels: played }) {
  const rows = [...played].reverse().map((record) => h("tr", {}, h("th", { scope: "row" }, levelName(record.level), record.rating !== null && h("span.muted.small", {}, ` ${levelRating(record.rating)}`)), ...results(record)));
  return section("profile.levels", table(rows));
}

/** @param {Profile} profile */
function openings({ openings: played }) {
  if (!played.length) return "";
  return section("profile.openings", table(played.map((record) => h("tr", {}, h("th", { scope: "row" }, openingName(record.opening)), ...results(record)))));
}

/** @param {HTMLElement[]} rows */
function table(rows) {
  const head = ["profile.what", "profile.bar", "profile.figures"].map((key) => h("th", { scope: "col" }, t(key)));
  return h("table.records", {}, h("thead.hidden", {}, h("tr", {}, head)), h("tbody", {}, rows));
}

/**
 * @param {Profile} profile
 * @param {() => void} close
 */
function phases({ phases: parts, weakest, analysed }, close) {
  if (!analysed) return section("profile.phases", h("p.muted", {}, t("profile.not_analysed")));
  const rows = parts.map(({ phase, accuracy, loss, moves }) => {
    const filled = h("span");
    filled.style.width = `${Math.round(accuracy ?? 0)}%`;
    return h(
      `li.phase${phase === weakest ? ".weakest" : ""}`,
      {},
      h("span", {}, t(`phase.${phase}`), phase === weakest && h("span.label", {}, t("profile.weakest"))),
      h("span.progress", { "aria-hidden": "true" }, filled),
      h("span.muted.small", {}, moves ? t("profile.phase", { accuracy: accuracyWords(accuracy), loss: number(loss / moves, 1), n: Number((loss / moves).toFixed(1)) }) : "–"),
    );
  });
  const practise = weakest === "end" ? button("profile.practise_end", close, () => puzzles("win8")) : weakest === "opening" ? button("do.drill", close, () => act("drill")) : button("profile.practise_own", close, () => puzzles("own"));
  return section("profile.phases", h("ul.phases", {}, rows), weakest && practise);
}

/**
 * What mistakes are about, most frequent first.
 * @param {Profile} profile
 * @param {() => void} close
 */
function reasons({ reasons: counts }, close) {
  const grouped = Object.entries(GROUPS)
    .map(([name, { codes, ...way }]) => ({ name, way, count: counts.filter(({ code }) => codes.includes(code)).reduce((sum, { count }) => sum + count, 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  if (!grouped.length) return "";
  const most = grouped[0]?.count ?? 1;
  const rows = grouped.map(({ name, way, count }) => {
    const filled = h("span");
    filled.style.width = `${Math.round((100 * count) / most)}%`;
    const go = () => ("puzzles" in way && way.puzzles ? puzzles(way.puzzles) : help("help" in way && way.help ? way.help : "study"));
    return h("li.phase", {}, h("button.link", { onclick: () => (close(), go()) }, t(`about_mistakes.${name}`)), h("span.progress", { "aria-hidden": "true" }, filled), h("span.muted.small", {}, t("profile.times", { n: count })));
  });
  return section("profile.reasons", h("ul.phases", {}, rows));
}

/** @param {string} theme */
function puzzles(theme) {
  return import("./puzzles.js").then((module) => module.openPuzzles(theme));
}

/** @param {string} page */
function help(page) {
  return import("./lessons.js").then((module) => module.openLearn(page));
}

/**
 * The last games, to be opened.
 * @param {Profile} profile
 * @param {() => void} close
 */
function recent({ history }, close) {
  const rows = history.slice(-8).reverse().map(({ game, date, level, points, rating, accuracy }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button.link", { title: dateTimeWords(date), onclick: () => (close(), open(game)) }, agoWords(date))),
      h("td", {}, level ? levelName(level) : "–"),
      h("td", {}, t(points === 1 ? "profile.won" : points === 0 ? "profile.lost" : "profile.drawn")),
      h("td.figures", {}, accuracy === null ? "–" : t("profile.percent", { accuracy: accuracyWords(accuracy) })),
      h("td.figures", {}, rating === null ? "–" : number(rating)),
    ),
  );
  const head = ["profile.date", "profile.opponent", "profile.result", "profile.accuracy", "profile.rating"].map((key, at) => h(at < 3 ? "th" : "th.figures", { scope: "col" }, t(key)));
  return section("profile.recent", h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("profile.recent") }, h("table.records", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))));
}

/**
 * @param {string} key
 * @param {...import("../shell/dom.js").Child} parts
 */
function section(key, ...parts) {
  return h("section", {}, h("h3", {}, t(key)), ...parts);
}
