// Everything one can do on the page, by name. Buttons, menu entries and keys all come here, so each does the same.
// Dialogs are fetched when they are first opened.

import { app, update } from "./store.js";
import { newGame, send, toggleValues, transcript, walk } from "../play/game.js";
import { announce, complain, toast } from "./toast.js";
import { ApiError, api, download, withQuery } from "./api.js";
import { ask } from "../dialogs/dialog.js";
import { choose, language, speak, t } from "./i18n.js";
import { options, setOptions } from "./options.js";
import { copyText, picture, saveBlob, share } from "./share.js";
import { lineHash } from "../play/shared-line.js";
import { openMenu } from "../play/controls.js";
import { focusLegal, renameTable } from "../play/game-board.js";
import { selectTab } from "./panel.js";
import { situation } from "../play/announcer.js";

/**
 * @typedef {object} Action
 * @property {() => unknown} run
 * @property {() => boolean} [possible]
 * @property {() => boolean} [pressed] whether it is switched on, for those that switch
 * @property {string} [icon] of index.html; the action's own name if left out
 */

const going = () => app.game !== null && !app.game.over;

/** @type {Record<string, Action>} */
const ACTIONS = {
  new: { run: () => import("../dialogs/new-game.js").then((module) => module.openNewGame()) },
  analyse: { run: () => (selectTab("analysis"), app.progress === null && !app.analysis?.done && send("analyse")) },
  library: { run: () => selectTab("library", true) },
  learn: { run: () => import("../study/lessons.js").then((module) => module.openLearn()) },
  laboratory: { run: () => import("../laboratory/laboratory.js").then((module) => module.openLaboratory()), possible: () => app.game !== null },
  language: { run: () => changeLanguage(language() === "en" ? "fr" : "en") },
  theme: { run: changeTheme },
  options: { run: () => import("../dialogs/options-dialog.js").then((module) => module.openOptions()) },
  keys: { run: () => import("../dialogs/keys-dialog.js").then((module) => module.openKeys()) },
  menu: { run: togglePhoneMenu },
  more: { run: openMenu },

  start: { icon: "first", run: () => walk("start"), possible: () => app.game?.can.back === true },
  back_turn: { icon: "turn", run: () => walk("back_turn"), possible: () => app.game?.can.back === true },
  back: { run: () => walk("back"), possible: () => app.game?.can.back === true },
  forward: { run: () => walk("forward"), possible: () => app.game?.can.forward === true },
  forward_turn: { run: () => walk("forward_turn"), possible: () => app.game?.can.forward === true },
  end: { icon: "last", run: () => walk("end"), possible: () => app.game?.can.forward === true },
  live: { icon: "last", run: () => walk("live"), possible: () => app.game !== null && app.game.node !== app.game.live },

  undo: { run: () => send("undo"), possible: () => app.game?.can.undo === true },
  redo: { run: () => send("redo"), possible: () => app.game?.can.redo === true },
  hint: { run: () => send("hint"), possible: going },
  values: { run: toggleValues, pressed: () => app.game?.values_on === true },
  stop: { run: stop, possible: () => app.thinking !== null || app.progress !== null },
  go: { icon: "play", run: () => send("go"), possible: () => going() && app.game?.your_turn === false },
  swap: { run: () => send("swap"), possible: () => app.game?.can.swap === true },
  level: { run: changeLevel },
  agree: { run: agree, possible: () => going() && bothHuman() },
  resign: { icon: "flag", run: resign, possible: () => app.game?.can.resign === true },

  symmetry_central: { run: () => send("symmetry", { kind: "central" }) },
  symmetry_falling: { run: () => send("symmetry", { kind: "falling" }) },
  symmetry_rising: { run: () => send("symmetry", { kind: "rising" }) },
  draw: { run: toggleDrawing, pressed: () => app.drawing },
  erase: { run: erase, possible: () => (app.game?.marks.circles.length ?? 0) + (app.game?.marks.arrows.length ?? 0) > 0 },

  drill: { run: () => import("../study/drill.js").then((module) => module.openDrill(app.game?.opening?.id)) },
  setup: { run: () => import("../dialogs/setup.js").then((module) => module.openSetup()) },
  balanced: { run: startBalanced },
  import: { run: () => import("../dialogs/import-dialog.js").then((module) => module.openImport()) },
  copy: { run: () => copy() },
  trace: { run: () => save("trace") },
  save: { run: () => import("../dialogs/export-dialog.js").then((module) => module.openExport()) },
  result: { run: () => import("../play/end-card.js").then((module) => module.openEndCard()), possible: () => app.game?.over === true && app.game.result !== null },
  link: { run: shareLink },
  svg: { run: () => download(boardUrl(), `${fileName()}.svg`) },
  png: { run: savePng },
  next_legal: { run: () => focusLegal(1) },
  previous_legal: { run: () => focusLegal(-1) },
  read: { run: () => announce(situation()) },
};

/**
 * An action by its name. (A function, for this file and those that draw buttons import each other.)
 * @param {string} name
 * @returns {Action | undefined}
 */
export function actionOf(name) {
  return ACTIONS[name];
}

/** @param {string} name */
export function act(name) {
  const action = ACTIONS[name];
  if (!action || action.possible?.() === false) return;
  Promise.resolve(action.run()).catch(complain);
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
export function changeSeats({ swap = false, level = "" }) {
  const game = app.game;
  if (!game) return;
  const raised = (/** @type {import("./types").Player} */ player) => (level && player.kind === "level" ? { kind: "level", level } : seat(player));
  const [black, white] = [raised(game.players.black), raised(game.players.white)];
  const { rows, columns } = game.size;
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
  const players = app.game && { black: seat(app.game.players.black), white: seat(app.game.players.white) };
  await newGame({ ...players, opening: { kind: "balanced" } });
  toast(t("new.balanced_drawn"));
}

/**
 * A player as one asks for it: without what the server says about it.
 * @param {import("./types").Player} player
 * @returns {import("./types").PlayerSpec}
 */
function seat({ label: _label, ...spec }) {
  return spec;
}

/** @param {"en" | "fr"} name */
export async function changeLanguage(name) {
  await speak(choose(name));
  setOptions({ language: name });
  renameTable();
  update();
}

function changeTheme() {
  setOptions({ theme: isDark() ? "light" : "dark" });
}

/** Whether the page is dark now, by choice or because the system is. */
export function isDark() {
  return options.theme ? options.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function togglePhoneMenu() {
  const open = document.getElementById("nav")?.classList.toggle("open");
  document.querySelector('[data-do="menu"]')?.setAttribute("aria-expanded", String(open));
}

/** The game as a transcript to the clipboard: the main line, or up to here in a variation. */
function copy() {
  return copyText(lineText());
}

/** The transcript that Ctrl-C takes. */
export function lineText() {
  if (!app.game?.main) return transcript();
  return (app.line.at(-1)?.id ?? "").replaceAll("--", "").toUpperCase();
}

function fileName() {
  return `othellier-${(app.game?.created ?? "").slice(0, 10)}-${app.game?.ply ?? 0}`;
}

/**
 * Save the game in a format.
 * @param {string} format
 */
export function save(format) {
  if (app.game) download(`api/v1/${withQuery(`games/${app.game.game}/export`, { format })}`, "");
}

/** The picture of the board as it is shown. */
function boardUrl() {
  const game = app.game;
  if (!game) return "";
  return `api/v1/${withQuery(`games/${game.game}/board.svg`, {
    node: game.node,
    values: game.values_on,
    circles: game.marks.circles.join(""),
    arrows: game.marks.arrows.flat().join(""),
  })}`;
}

async function savePng() {
  saveBlob(await picture(boardUrl()), `${fileName()}.png`);
}

/** The picture to another program, where the system can do that, else as a file. */
export async function sharePicture() {
  try {
    const blob = await picture(boardUrl());
    const name = `${fileName()}.png`;
    share({ files: [new File([blob], name, { type: "image/png" })] }, () => saveBlob(blob, name));
  } catch (error) {
    complain(error);
  }
}

export function shareMoves() {
  const text = lineText();
  share({ text }, () => copyText(text));
}

/** A link to the position one looks at, which any Othellier opens. */
export function shareLink() {
  const game = app.game;
  if (!game) return;
  const url = new URL(lineHash(game), document.baseURI).href;
  share({ url }, () => copyText(url));
}

const ASK = 500; // milliseconds between questions how far an import has come

/**
 * What an import of a file brought; a long one is asked about until it has ended.
 * @param {File} file
 * @param {(games: number) => void} tell
 * @returns {Promise<import("./types").Imported>}
 */
async function importFile(file, tell) {
  let answer = await api.importFile(file);
  while ("job" in answer && !answer.done) {
    tell(answer.games);
    await new Promise((resolve) => setTimeout(resolve, ASK));
    answer = await api.job(answer.job);
  }
  if (!("job" in answer)) return answer;
  if (answer.result) return answer.result;
  throw new ApiError(answer.error ?? { code: "internal", message: "the import brought nothing" });
}

/**
 * Import a text or a file, open what was in it, and tell what was wrong.
 * @param {string | File} source
 * @param {(games: number) => void} [tell] how many games there are so far
 */
export async function importGames(source, tell = () => {}) {
  const answer = typeof source === "string" ? await api.importText(source) : await importFile(source, tell);
  if (answer.errors.length) (await import("../dialogs/import-dialog.js")).tellImport(answer);
  else toast(t("import.done", { n: answer.imported }));
  const first = answer.games[0];
  if (answer.imported === 1 && first) location.hash = first.game;
  else selectTab("library", true);
}
