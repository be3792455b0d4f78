// The table of everything one can do on the page. It draws the buttons, the menu, the switches of the options and the
// sheet of keys, each in this order, and every click and key comes here. What an action is called: `do.NAME` in i18n/, on
// a button `short.NAME` where there is one, and `note.NAME` under a switch. Dialogs are fetched when they are first opened.

import { app, update } from "./store.js";
import { announce, complain, toast } from "./toast.js";
import { ask } from "../dialogs/dialog.js";
import { byId } from "./dom.js";
import { choose, has, languages, nextLanguage, speak, t } from "./i18n.js";
import { copyMoves, save, savePng, saveSvg, shareLink } from "./transfer.js";
import { focusLegal, renameBoard } from "../play/game-board.js";
import { isAdvised, isCoached, mode, showsValues } from "./mode.js";
import { backToGame, canWalk, newGame, send, walk } from "../play/game.js";
import { openMenu } from "../play/controls.js";
import { asked } from "../play/opponents.js";
import { isOn, options, setOptions } from "./options.js";
import { goToTab } from "./panel.js";
import { situation } from "../play/announcer.js";

/**
 * Where an action is shown: in the header as a word or a picture; on the bar below the board while one plays or studies;
 * in one of the three groups of its menu; in a part of the panel; among the options, as a switch.
 * @typedef {"nav" | "tools" | "play" | "study" | "menu game" | "menu board" | "menu files" | "explorer" | "library" | "options look" | "options game"} Place
 */

/**
 * @typedef {object} Action
 * @property {() => unknown} [run] left out where it only switches an option
 * @property {string} [option] the option it switches; while it is on, `html[data-on~="NAME"]` lets a style know
 * @property {(on: boolean) => unknown} [switched] what else to do after that
 * @property {Place[]} [places]
 * @property {string[]} [keys] `Ctrl+` is Command on a Mac
 * @property {string} [icon] of icons.js; the action's own name if left out
 * @property {() => string} [label] what it is called, where `do.NAME` has values to fill in
 * @property {() => string} [text] what the button shows instead of an icon
 * @property {() => boolean} [possible] when it can be done; always, if left out
 * @property {() => boolean} [shown] when it is on the bar, always if left out
 * @property {boolean} [fleeting] on the bar only while it can be done; others are shown in grey
 * @property {() => boolean} [pressed] whether it is switched on, for those that switch something else than an option
 * @property {() => Record<string, string>} [attributes] more of its button
 */

const going = () => app.game !== null && !app.game.over;

/** @type {Record<string, Action>} */
const ACTIONS = {
  new: { keys: ["Ctrl+N", "N"], places: ["nav"], run: () => import("../dialogs/new-game.js").then((module) => module.openNewGame()) },
  analyse: { keys: ["A"], places: ["nav"], run: () => (goToTab("analysis"), app.progress === null && !app.analysis?.done && send("analyse")) },
  library: { keys: ["L"], places: ["nav"], run: () => goToTab("library", true) },
  learn: { keys: ["F1", "K"], places: ["nav"], run: () => import("../study/lessons.js").then((module) => module.openLearn()) },
  puzzles: { keys: ["P"], places: ["nav"], run: () => import("../study/puzzles.js").then((module) => module.openPuzzles()) },
  profile: { keys: ["Z"], places: ["menu files", "library"], run: () => import("../study/profile.js").then((module) => module.openProfile()) },
  first_game: { places: ["menu game"], run: () => import("../study/first-game.js").then((module) => module.openFirstGame()) },
  laboratory: { keys: ["Y"], places: ["nav"], run: () => import("../laboratory/laboratory.js").then((module) => module.openLaboratory()), possible: () => app.game !== null },

  language: { places: ["tools"], text: nextLanguage, label: () => t("do.language", { code: nextLanguage(), name: languages()[nextLanguage()] ?? "" }), run: () => changeLanguage(nextLanguage()) },
  theme: { keys: ["T"], places: ["tools"], icon: "moon", run: changeTheme },
  options: { keys: ["O"], places: ["tools"], icon: "gear", run: () => import("../dialogs/options-dialog.js").then((module) => module.openOptions()) },
  keys: { keys: ["?"], places: ["tools"], text: () => "?", run: () => import("../dialogs/keys-dialog.js").then((module) => module.openKeys()) },
  menu: { places: ["tools"], run: togglePhoneMenu, attributes: () => ({ "aria-expanded": String(isMenuOpen()), "aria-controls": "nav" }) },

  result: { places: ["menu game"], run: () => import("../play/end-card.js").then((module) => module.openEndCard()), possible: () => app.game?.over === true && app.game.result !== null },
  level: { places: ["menu game"], run: changeLevel },
  swap: { keys: ["W"], places: ["menu game"], run: () => send("swap"), possible: () => app.game?.can.swap === true },
  undo: { keys: ["Ctrl+U", "U"], places: ["play", "menu game"], run: () => send("undo"), possible: () => app.game?.can.undo === true },
  redo: { keys: ["Shift+U"], places: ["menu game"], run: () => send("redo"), possible: () => app.game?.can.redo === true },
  coach: { option: "coach", keys: ["C"], places: ["play", "options game"] },
  hint: { keys: ["H"], places: ["play", "menu game"], run: () => isAdvised() ? send("hint") : offerCoach("hint"), possible: going, shown: isAdvised },
  start: { keys: ["Home"], places: ["study"], icon: "first", run: () => walk("start"), possible: () => canWalk("back") },
  back_turn: { keys: ["ArrowUp", "Shift+PageUp"], places: ["menu game"], icon: "turn", run: () => walk("back_turn"), possible: () => canWalk("back") },
  back: { keys: ["ArrowLeft", "PageUp"], places: ["play", "study"], run: () => walk("back"), possible: () => canWalk("back") },
  forward: { keys: ["ArrowRight", "PageDown"], places: ["play", "study"], run: () => walk("forward"), possible: () => canWalk("forward"), shown: () => !isCoached() },
  forward_turn: { keys: ["ArrowDown", "Shift+PageDown"], run: () => walk("forward_turn"), possible: () => canWalk("forward") },
  end: { keys: ["End"], places: ["study"], icon: "last", run: () => walk("end"), possible: () => canWalk("forward") },
  values: { keys: ["V"], places: ["play", "study", "menu game"], run: toggleValues, pressed: showsValues, shown: () => mode() === "study" || isCoached() },
  live: { keys: ["J"], places: ["menu game"], icon: "last", run: backToGame, possible: () => app.game !== null && app.game.node !== app.game.live },
  go: { keys: ["G"], places: ["study", "menu game"], icon: "play", run: () => send("go"), possible: () => going() && (app.game?.your_turn === false || app.game?.node !== app.game?.live), shown: () => app.game?.node === app.game?.live, fleeting: true },
  stop: { keys: ["Escape", "S"], run: stop, possible: () => app.thinking !== null || app.progress !== null },
  agree: { places: ["menu game"], run: agree, possible: () => going() && bothHuman() },
  resign: { places: ["play", "menu game"], icon: "flag", run: resign, possible: () => app.game?.can.resign === true },
  more: { places: ["play", "study"], run: openMenu, attributes: () => ({ "aria-haspopup": "menu" }) },

  symmetry_central: { places: ["menu board"], run: () => send("symmetry", { kind: "central" }) },
  symmetry_falling: { places: ["menu board"], run: () => send("symmetry", { kind: "falling" }) },
  symmetry_rising: { places: ["menu board"], run: () => send("symmetry", { kind: "rising" }) },
  draw: { keys: ["D"], places: ["menu board"], run: toggleDrawing, pressed: () => app.drawing },
  erase: { places: ["menu board"], run: erase, possible: () => (app.game?.marks.circles.length ?? 0) + (app.game?.marks.arrows.length ?? 0) > 0 },
  next_legal: { keys: ["."], run: () => focusLegal(1) },
  previous_legal: { keys: [","], run: () => focusLegal(-1) },
  lines: { option: "lines", keys: ["B"], places: ["menu board", "options look"] },
  follow: { keys: ["F"], places: ["menu board"], run: () => send("follow", { on: !app.game?.follows }), pressed: () => app.game?.follows === true },
  read: { keys: ["R"], run: () => announce(situation()) },

  drill: { keys: ["M"], places: ["menu files", "explorer"], run: () => import("../study/drill.js").then((module) => module.openDrill(app.game?.opening?.id)) },
  setup: { keys: ["E"], places: ["menu files"], run: () => import("../dialogs/setup.js").then((module) => module.openSetup()) },
  balanced: { keys: ["Ctrl+X", "X"], places: ["menu files"], run: startBalanced },
  import: { keys: ["Ctrl+V", "I"], places: ["menu files", "library"], run: () => import("../dialogs/import-dialog.js").then((module) => module.openImport()) },
  copy: { keys: ["Ctrl+C"], places: ["menu files"], run: copyMoves },
  link: { places: ["menu files"], run: shareLink },
  trace: { keys: ["Ctrl+S"], places: ["menu files"], run: () => save("trace") },
  save: { places: ["menu files"], run: () => import("../dialogs/export-dialog.js").then((module) => module.openExport()) },
  svg: { places: ["menu files"], run: saveSvg },
  png: { places: ["menu files"], run: savePng },

  dots: { option: "dots", places: ["options look"] },
  coordinates: { option: "coordinates", places: ["options look"] },
  info: { option: "info", places: ["options look"] },
  letters: { option: "letters", places: ["options look"] },
  hints: { option: "hints", places: ["options game"], switched: (on) => on && app.game?.your_turn && !app.game.over && send("hint") },
  ponder: { option: "ponder", places: ["options game"], switched: (on) => app.game && send("players", { ponder: on }) },
  book: { option: "book", places: ["options game"], switched: (on) => app.game && send("players", { book: on }) },
  traces: { option: "trace", places: ["options game"] },
  trace_host: { option: "traceHost", places: ["options game"] },
};

/**
 * An action by its name. (Functions, not the table itself, for this file and those that draw buttons import each other.)
 * @param {string} name
 * @returns {Action | undefined}
 */
export function actionOf(name) {
  return ACTIONS[name];
}

/** The names of all actions, in the order of the table. */
export function actionNames() {
  return Object.keys(ACTIONS);
}

/**
 * The names of those shown at a place.
 * @param {Place} place
 */
export function actionsAt(place) {
  return actionNames().filter((name) => ACTIONS[name]?.places?.includes(place));
}

/** @param {string} name */
export function act(name) {
  const action = ACTIONS[name];
  if (!action || !isPossible(name)) return;
  const doing = action.option === undefined ? action.run?.() : toggle(action.option, action.switched);
  Promise.resolve(doing).catch(complain);
}

/** @param {string} name */
export function isPossible(name) {
  return ACTIONS[name]?.possible?.() !== false;
}

/**
 * Whether it is switched on; undefined for what is done once.
 * @param {string} name
 */
export function isPressed(name) {
  const action = ACTIONS[name];
  return action?.option === undefined ? action?.pressed?.() : isOn(action.option);
}

/**
 * What a button is called that has little room.
 * @param {string} name
 */
export function shortWord(name) {
  return has(`short.${name}`) ? t(`short.${name}`) : t(`do.${name}`);
}

/** The names of the options that are switched on, for styles. */
export function switchedOn() {
  return actionNames().flatMap((name) => (ACTIONS[name]?.option !== undefined && isPressed(name) ? [name] : []));
}

/**
 * @param {string} option
 * @param {Action["switched"]} switched
 */
function toggle(option, switched) {
  const on = !isOn(option);
  setOptions({ [option]: on });
  update();
  return switched?.(on);
}

/** Show or hide the values of the squares. */
function toggleValues() {
  if (!isAdvised()) return offerCoach("values");
  setOptions({ values: !options.values });
  update();
}

/**
 * One plays: help comes from the coach, who is switched off.
 * @param {string} wanted the action asked for
 */
function offerCoach(wanted) {
  toast(t("coach.off"), { kind: "game", action: t("coach.on"), run: () => (act("coach"), act(wanted)) });
}

function stop() {
  if (app.progress !== null) send("analyse_stop");
  if (app.thinking) send("stop");
}

/** Change the machine's level; between people, who plays White. */
async function changeLevel() {
  const { choosePlayer } = await import("../dialogs/player-dialog.js");
  await choosePlayer(app.game?.players.white.kind === "human" && !bothHuman() ? "black" : "white");
}

function bothHuman() {
  return app.game?.players.black.kind === "human" && app.game.players.white.kind === "human";
}

async function agree() {
  if (await ask(t("ask.agree"), t("do.agree"))) send("agree");
}

async function resign() {
  if (await ask(t("ask.resign"), t("do.resign"))) send("resign");
}

function toggleDrawing() {
  update({ drawing: !app.drawing });
  toast(t(app.drawing ? "draw.on" : "draw.off"));
}

function erase() {
  if (app.game) send("marks", { node: app.game.node, circles: [], arrows: [] });
}

const USUAL = 5; // minutes on a clock nobody chose here

/**
 * The same game again: with the sides swapped, or against another level, if wanted.
 * @param {{swap?: boolean, level?: string}} changes
 */
export function changePlayers({ swap = false, level = "" }) {
  const game = app.game;
  if (!game) return;
  const raised = (/** @type {import("./types").PlayerView} */ player) => (level && player.kind === "level" ? { kind: "level", level } : asked(player));
  const [black, white] = [raised(game.players.black), raised(game.players.white)];
  const { rows, columns } = game.size;
  if (level) setOptions({ lastGame: options.lastGame.split(" ").toSpliced(1, 1, level).join(" ") }); // and at the next visit
  // The state tells what is left of the time, the dialog's answer how much there was.
  const minutes = Number.parseFloat(options.lastGame.split(" ")[3] ?? "") || USUAL;
  newGame({
    black: swap ? white : black,
    white: swap ? black : white,
    size: rows === columns ? String(rows) : `${columns}x${rows}`,
    clock: game.clock && { minutes, increment: game.clock.increment },
  }).catch(complain);
}

/** A balanced start at once, with the players there are. */
async function startBalanced() {
  const players = app.game && { black: asked(app.game.players.black), white: asked(app.game.players.white) };
  await newGame({ ...players, opening: { kind: "balanced" } });
  toast(t("new.balanced_drawn"));
}

/** @param {string} name */
export async function changeLanguage(name) {
  await speak(choose(name));
  setOptions({ language: name });
  renameBoard();
  update();
}

function changeTheme() {
  setOptions({ theme: isDark() ? "light" : "dark" });
}

/** Whether the page is dark now, by choice or because the system is. */
export function isDark() {
  return options.theme ? options.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function isMenuOpen() {
  return byId("nav").classList.contains("open");
}

function togglePhoneMenu() {
  byId("nav").classList.toggle("open");
  update();
}
