// The lessons: rules and strategy with diagrams one can play on, and what there is to know about the program.

import { act } from "../shell/actions.js";
import { api, wordsOf } from "../shell/api.js";
import { Board } from "../board/board.js";
import { complain } from "../shell/toast.js";
import { DIAGRAMS } from "./diagrams.js";
import { h, s } from "../shell/dom.js";
import { has, number, percent, signed, t } from "../shell/i18n.js";
import { listen } from "../board/board-input.js";
import { newGame } from "../play/game.js";
import { openDialog } from "../dialogs/dialog.js";
import { otherColor } from "../shell/words.js";
import { squareIndex } from "../board/geometry.js";

const CHAPTERS = ["rules", "corners", "danger", "mobility", "frontier", "edges", "tempo", "parity", "end", "openings", "tournament", "study", "glossary"];
const DOORS = ["first_game", "puzzles", "drill", "profile"]; // actions that teach by doing
const FACTS = ["network", "book", "program"];

/** @param {string} [first] */
export function openLearn(first = "rules") {
  const page = h("article.lesson", { tabindex: "0" });
  const list = h("nav.chapters", { "aria-label": t("learn.chapters") });
  const buttons = [...CHAPTERS, ...FACTS].map((name) => h("button", { onclick: () => show(name) }, t(`learn.${name}`)));
  const search = h("input", { type: "search", placeholder: t("learn.search"), "aria-label": t("learn.search"), oninput: () => (search.value.trim() ? find(search.value) : show(shown)) });
  list.append(search, ...buttons);
  let shown = first;

  /** @param {string} name */
  function show(name) {
    shown = name;
    buttons.forEach((button, index) => button.setAttribute("aria-current", String([...CHAPTERS, ...FACTS][index] === name)));
    page.setAttribute("aria-label", t(`learn.${name}`));
    page.replaceChildren(h("h3", {}, t(`learn.${name}`)));
    page.scrollTop = 0;
    if (FACTS.includes(name)) facts(page, name).catch(complain);
    else page.append(...paragraphs(t(`learn.${name}_text`), name, follow));
    if (name === "rules") page.append(h("div.row", {}, DOORS.map((door) => h("button.plain", { onclick: () => (dialog.close(), act(door)) }, t(`do.${door}`)))));
  }

  /**
   * Go where a link leads, and begin to read there.
   * @param {string} name
   */
  function follow(name) {
    search.value = "";
    show(name);
    page.focus();
  }

  /**
   * Every paragraph that has all the words, under the title of its page.
   * @param {string} asked
   */
  function find(asked) {
    const words = folded(asked).split(/\s+/).filter(Boolean);
    const found = CHAPTERS.flatMap((name) => {
      const lines = [t(`learn.${name}`), ...t(`learn.${name}_text`).split("\n")].map(plain);
      const told = lines.filter((line) => words.every((word) => folded(line).includes(word)));
      return told.length ? [h("section", {}, h("p", {}, h("button.link", { onclick: () => follow(name) }, t(`learn.${name}`))), told.slice(0, 3).map((line) => h("p.small", {}, line)))] : [];
    });
    page.setAttribute("aria-label", t("learn.search"));
    page.replaceChildren(h("h3", {}, h("span", { role: "status" }, t("learn.found", { n: found.length }))), ...found);
  }

  const dialog = openDialog(t("learn.title"), () => [h("div.learn", {}, list, page)], { wide: true, name: "learn" });
  show(first);
}

/**
 * A chapter's text: a paragraph a line, `[1]` alone on a line is its first diagram, `- ` begins a point of a list,
 * `[[corners|words]]` is a link to a page.
 * @param {string} text
 * @param {string} chapter
 * @param {(name: string) => void} follow
 */
function paragraphs(text, chapter, follow) {
  return text.split("\n").map((line) => {
    const figure = /^\[(\d)\]$/.exec(line);
    if (figure) return diagram(`${chapter}_${figure[1]}`);
    return line.startsWith("- ") ? h("p.point", {}, linked(line.slice(2), follow)) : h("p", {}, linked(line, follow));
  });
}

const LINK = /\[\[(\w+)\|([^\]]+)\]\]/;

/**
 * @param {string} line
 * @param {(name: string) => void} follow
 * @returns {(Node | string)[]}
 */
function linked(line, follow) {
  const [before = "", name, words = ""] = line.split(LINK);
  if (name === undefined) return [before];
  return [before, h("button.link", { onclick: () => follow(name) }, words), ...linked(line.slice(before.length + name.length + words.length + "[[|]]".length), follow)];
}

/**
 * A line without its links and signs.
 * @param {string} line
 */
function plain(line) {
  return line.replace(new RegExp(LINK, "g"), "$2").replace(/^- |^\[\d\]$/, "");
}

/**
 * Words as they are compared: small letters, no accents.
 * @param {string} text
 */
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** @param {string} name */
function diagram(name) {
  const told = /** @type {import("./diagrams.js").Diagram} */ (DIAGRAMS[name]);
  const side = Math.sqrt(told.board.length - 2);
  const place = h("div.diagram-board");
  const board = new Board(place, t("learn.diagram"));
  const note = h("p.muted.small", { role: "status" });
  const again = h("button.plain", { onclick: () => show(told.board) }, t("learn.again"));
  const from = h("button.plain", { onclick: () => playFrom() }, t("learn.play_from"));
  /** @type {import("../shell/types").PositionView | null} */
  let now = null;
  let shown = told.board;
  let last = -1;

  listen(board, { pick: move });

  function draw() {
    const first = shown === told.board;
    const index = (/** @type {string} */ square) => squareIndex(square, side, side);
    board.draw({
      rows: side,
      columns: side,
      discs: shown.slice(0, side * side),
      turn: shown.endsWith("X") ? "black" : "white",
      legal: new Map(now?.legal.map(({ square, flips }) => [index(square), flips.map(index)])),
      last,
      open: true,
      circles: first ? (told.circles ?? []).map(index) : [],
      arrows: first ? (told.arrows ?? []).map(([a, b]) => [index(a), index(b)]) : [],
    });
    note.textContent = !now || now.over ? (now ? t("said.over") : "") : t("learn.to_move", { color: t(`color.${shown.endsWith("X") ? "Black" : "White"}`) });
  }

  /** @param {string} text the position to show */
  async function show(text) {
    shown = text;
    if (text === told.board) last = -1;
    now = null;
    draw();
    try {
      const answer = await api.check(text, String(side));
      if (shown !== text) return;
      if (answer.pass) return void show(text.slice(0, -1) + (text.endsWith("X") ? "O" : "X"));
      now = answer;
      draw();
    } catch (error) {
      note.textContent = wordsOf(error);
    }
  }

  /** @param {number} square */
  function move(square) {
    const turned = now?.legal.find((each) => squareIndex(each.square, side, side) === square);
    if (!now || !turned) return;
    const letter = now.turn === "black" ? "X" : "O";
    const discs = [...shown.slice(0, side * side)];
    for (const each of [square, ...turned.flips.map((name) => squareIndex(name, side, side))]) discs[each] = letter;
    last = square;
    show(`${discs.join("")} ${otherColor(now.turn) === "black" ? "X" : "O"}`);
  }

  async function playFrom() {
    const white = shown.endsWith("O");
    const sides = white ? { black: { kind: "level", level: "amateur" }, white: { kind: "human" } } : {};
    await newGame({ ...sides, size: String(side), opening: { kind: "position", board: shown } });
    /** @type {HTMLDialogElement | null} */ (place.closest("dialog"))?.close();
  }

  show(told.board);
  return h("figure.diagram", {}, place, h("figcaption", {}, h("p", {}, t(`learn.${name}`)), note, h("div.row", {}, again, from)));
}

/**
 * What the server says about itself.
 * @param {HTMLElement} page
 * @param {string} name
 */
async function facts(page, name) {
  const info = await api.info();
  page.append(h("p", {}, t(`about.${name}`)));
  /** @type {Record<string, unknown>} */
  let known = {};
  if (name === "program") known = { ...info.program, ...info.engine };
  else if (name === "network") known = info.network.name ? { name: info.network.name, ...info.network.facts } : {};
  else if (info.book.present) known = info.book.facts;
  if (!Object.keys(known).length) page.append(h("p.empty", {}, t(`about.no_${name}`)));
  page.append(h("dl.facts", {}, Object.entries(known).map(([key, value]) => h("div", {}, h("dt", {}, has(`fact.${key}`) ? t(`fact.${key}`) : key), h("dd", {}, factWords(value))))));
  if (name === "book") page.append(...table(["moves", "positions", "exact", "values"], info.book.by_moves.map((row) => [row.moves, row.positions, row.exact, `${signed(row.least)} … ${signed(row.greatest)}`])));
  if (name === "network") page.append(...networkFacts(info.network));
}

/**
 * What the model card says: patterns as little boards, errors, matches, what it learnt from.
 * @param {import("../shell/types").Info["network"]} network
 */
function networkFacts({ patterns, errors, matches, data, recipe }) {
  const parts = [];
  if (patterns.length) parts.push(h("h4", {}, t("fact.patterns")), h("div.patterns", {}, patterns.map(miniature)));
  const both = errors.some((row) => row.network !== null);
  const shown = errors.map((row) => [row.empties, row.mae, ...(both ? [row.network ?? "–", row.policy === null ? "–" : percent(row.policy)] : [])]);
  if (shown.length) parts.push(h("h4", {}, t("fact.errors")));
  parts.push(...table(both ? ["empties", "mae", "network_mae", "policy"] : ["empties", "mae"], shown));
  parts.push(...table(["match", "games", "elo"], matches.map((row) => [`${row.new} – ${row.old}`, row.games, row.elo === null ? "–" : signed(row.elo, 0)])));
  parts.push(...table(["source", "games"], data.map((row) => [row.source, row.games])));
  if (recipe) parts.push(h("p.muted.small", { lang: "en" }, recipe));
  return parts;
}

/**
 * A pattern's squares on a little board.
 * @param {string} squares
 */
function miniature(squares) {
  const cells = squares.split(" ").map((name) => squareIndex(name, 8, 8));
  const marks = cells.map((cell) => s("rect", { x: cell % 8, y: Math.floor(cell / 8), width: 1, height: 1 }));
  return s("svg", { class: "miniature", viewBox: "0 0 8 8", role: "img", "aria-label": squares }, ...marks);
}

/**
 * A table, or nothing where there are no rows.
 * @param {string[]} columns
 * @param {(string | number)[][]} rows
 */
function table(columns, rows) {
  if (!rows.length) return [];
  const head = h("thead", {}, h("tr", {}, columns.map((key) => h("th", { scope: "col" }, t(`fact.${key}`)))));
  return [h("table.facts", {}, head, h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, factWords(cell)))))))];
}

/** @param {unknown} value */
function factWords(value) {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  const plain = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof plain === "number" ? number(plain, 1) : String(value);
}
