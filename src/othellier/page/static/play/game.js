// The game one looks at: opening it, the commands to it, the events from it. The rest of the page calls these
// functions and reads the store; only this file holds the socket.

import { app, here, setGame, update, updateAtOnce } from "../shell/store.js";
import { api, ApiError } from "../shell/api.js";
import { complain, forgetGame, toast } from "../shell/toast.js";
import { Socket } from "./socket.js";
import { options, setOptions } from "../shell/options.js";
import { beginMove, catchUp, forgetPace, hear, setPace } from "./pace.js";
import { squareIndex } from "../board/geometry.js";
import { playerOf } from "./opponents.js";
import { serverWords } from "../shell/reasons.js";
import { sharedLine } from "./shared-line.js";
import { isAdvised, showsValues } from "../shell/mode.js";
import { t } from "../shell/i18n.js";

/** @typedef {import("../shell/types").Command} Command */

const LAST = "othellier.game";
const GAME = /^[\w-]{1,40}$/; // an id as the server makes them: an address may hold anything

/** @type {Socket | null} */
let socket = null;
let fresh = true; // the next state is the first on this line

/** @type {Set<(event: import("../shell/types").ServerEvent) => void>} */
const hearers = new Set();

/**
 * Hear the events that pass by and leave nothing in the store: `passed`, `over`.
 * @param {(event: import("../shell/types").ServerEvent) => void} hearer
 */
export function onEvent(hearer) {
  hearers.add(hearer);
}

/** Go on with the game of the address, else the last one, else a new one. */
export async function resume() {
  const shared = sharedLine(location.hash);
  if (shared) {
    const people = { black: { kind: "human" }, white: { kind: "human" } };
    history.replaceState(null, "", location.pathname + location.search);
    try {
      return await newGame({ ...people, ...shared });
    } catch (error) {
      complain(error); // a link that was cut short, say: what is good of it is shown, and the page is there all the same
      if (error instanceof ApiError && error.code === "bad_move" && error.data.good) {
        return newGame({ ...people, ...shared, opening: { kind: "moves", moves: error.data.good } });
      }
    }
  }
  const wanted = location.hash.slice(1) || remembered();
  if (wanted) return open(wanted);
  const { games } = await api.library({ limit: 1 });
  const last = games[0];
  return last && last.source === "played" && !last.result ? open(last.game) : newGame(firstGame());
}

/** The game of a visit without one: against the opponent chosen last, or one that a newcomer can beat. */
function firstGame() {
  return { white: playerOf(options.lastGame.split(" ")[1] ?? "") };
}

function remembered() {
  try {
    return localStorage.getItem(LAST) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} game "" for none */
function remember(game) {
  try {
    localStorage.setItem(LAST, game);
  } catch {
    // Storage that is full or forbidden: the address remembers it.
  }
}

/**
 * Look at a game from now on.
 * @param {string} game
 * @param {string | null} [node] where to begin, if not where one looked last
 */
export function open(game, node = null) {
  if (!GAME.test(game)) return lose();
  if (socket?.game === game && !socket.closed) return void (node !== null && look(node));
  socket?.close();
  forgetPace();
  forgetGame();
  if (location.hash.slice(1) !== game) history.pushState(null, "", `#${game}`);
  remember(game);
  update({ connection: "connecting", drawing: false });
  socket = new Socket(game, hear, connected, lose, () => (app.game?.game === game ? app.game.node : node));
}

/** @param {import("./socket.js").Connection} connection */
function connected(connection) {
  catchUp();
  if (connection === "lost" && !app.game) recall();
  fresh = true;
  update({ connection, pending: null, thinking: connection === "open" ? app.thinking : null });
}

const STATE = "othellier.state";

/** Remember what is on the board, to be seen when the page is opened without a server. */
function keepState() {
  if (!app.game || !app.tree) return;
  try {
    localStorage.setItem(STATE, JSON.stringify({ ...app.game, tree: app.tree, analysis: null, thinking: null, clock: null }));
  } catch {
    // Storage that is full or forbidden: then there is nothing to see without a server.
  }
}

/** Show what was on the board last, as long as nobody answers. */
function recall() {
  try {
    const state = JSON.parse(localStorage.getItem(STATE) ?? "null");
    if (state?.game === socket?.game && state.board && state.legal && state.players) setGame(state);
  } catch {
    // Damaged: the server will tell.
  }
}

addEventListener("pagehide", keepState);
document.addEventListener("visibilitychange", () => document.hidden && keepState());

/** The server does not know the game any more: say so and go on with another. */
function lose() {
  toast(t("error.unknown_game"), { kind: "error" });
  history.replaceState(null, "", location.pathname + location.search);
  remember("");
  resume().catch(complain);
}

for (const name of ["hashchange", "popstate"]) {
  addEventListener(name, () => {
    if (sharedLine(location.hash)) resume().catch(complain);
    else if (location.hash.length > 1) open(location.hash.slice(1));
  });
}

/** @param {import("../shell/types").ServerEvent} event */
function show(event) {
  switch (event.event) {
    case "state": {
      const game = event.state;
      const elsewhere = fresh || game.node !== app.game?.node || game.game !== app.game.game;
      feel(game);
      setGame(game);
      if (elsewhere && options.hints && isAdvised() && game.your_turn && !game.over) send("hint");
      fresh = false;
      break;
    }
    case "thinking":
      update({ thinking: event.color ? event : null });
      break;
    case "values":
      update({ values: event });
      break;
    case "hint":
      update({ hint: event });
      break;
    case "analysis":
      update({ analysis: event.analysis, progress: event.done ? null : event.progress, refining: event.refining ?? null });
      break;
    case "saved":
      if (app.game) update({ game: { ...app.game, saved: event.saved } });
      if (event.error) complain(new ApiError(event.error));
      break;
    case "store":
      toast(t(event.ok ? "store.repaired" : "store.failed", { reason: serverWords(event.message) }), { kind: "error" });
      break;
    case "error":
      // Lines nobody asked for are not missed where there is no engine.
      if (event.error.data?.player && event.error.data.color) offerAnother(event.error);
      else if (event.error.code !== "no_engine" || showsValues() || options.tab === "analysis") complain(new ApiError(event.error));
      break;
  }
  for (const hearer of hearers) hearer(event);
}

/**
 * A machine gave no legal move: say which one and why, and offer another.
 * @param {import("../shell/types").ErrorView} error
 */
function offerAnother(error) {
  const color = error.data?.color === "black" ? "black" : "white";
  toast(t("error.machine_failed", { player: String(error.data?.player), reason: serverWords(error.message) }), {
    kind: "error",
    action: t("bar.other"),
    run: () => import("../dialogs/player-dialog.js").then((module) => module.choosePlayer(color)).catch(complain),
  });
}

setPace(show);

/**
 * A move of somebody else is about to be shown.
 * @param {import("../shell/types").GameState} game
 */
function feel(game) {
  const shown = app.pending ? app.pending.node + app.pending.square : app.game?.node ?? "";
  if (fresh || game.game !== app.game?.game || !game.last || !game.node.startsWith(shown)) return;
  if (game.node.slice(shown.length).replaceAll("--", "") !== game.last.square) return;
  beginMove(indexOf(game.last.square), game.last.flips.map(indexOf), false);
}

/**
 * Send a command; what the server refuses is shown. Resolves to whether it was done.
 * @template {Command["do"]} Name
 * @param {Name} name
 * @param {Partial<Extract<Command, {do: Name}>>} [fields]
 */
export async function send(name, fields = {}) {
  if (!socket) return false;
  catchUp();
  try {
    await socket.send(name, fields);
    return true;
  } catch (error) {
    if (app.pending && (name === "move" || name === "study")) update({ pending: null }); // that one was not made
    complain(error);
    return false;
  }
}

/**
 * Send a command that may as well not be done: nothing is shown where it is refused. Resolves to whether it was done.
 * @template {Command["do"]} Name
 * @param {Name} name
 * @param {Partial<Extract<Command, {do: Name}>>} [fields]
 */
export async function trySend(name, fields = {}) {
  try {
    await socket?.send(name, fields);
    return socket !== null;
  } catch {
    return false;
  }
}

/**
 * Play on a square as the player: machines answer, unless it is theirs to move and they rest; then it is a study move.
 * @param {string} square
 */
export function play(square) {
  const game = app.game;
  if (!game || app.pending) return;
  if (!game.legal.some((move) => move.square === square)) return;
  const inGame = game.node === game.live;
  if (!game.your_turn && game.playing && inGame) return; // the machine's move, which it will make
  send(game.your_turn && inGame ? "move" : "study", { square, node: game.node });
  begin(game, square);
}

/**
 * Play on a square for whoever is to move, without an answer.
 * @param {string} square
 */
export function study(square) {
  const game = app.game;
  if (!game || app.pending || !game.legal.some((move) => move.square === square)) return;
  send("study", { square, node: game.node });
  begin(game, square);
}

/**
 * Show a move that was sent before the server has confirmed it.
 * @param {import("../shell/types").GameState} game
 * @param {string} square
 */
function begin(game, square) {
  updateAtOnce({ pending: { node: game.node, square }, hint: null });
  const flips = game.legal.find((move) => move.square === square)?.flips ?? [];
  beginMove(indexOf(square), flips.map(indexOf), game.your_turn && game.node === game.live && game.players[game.turn === "black" ? "white" : "black"].kind !== "human");
}

/**
 * Put a line into the tree as a variation and look at one of its moves; the others can be walked to.
 * @param {string[]} moves
 * @param {number} at how many of them
 * @param {string} [node] where it begins, if not where one looks
 */
export function showLine(moves, at, node = app.game?.node ?? "") {
  return send("line", { node, moves, at });
}

let steps = 0; // that the server has not answered yet

/**
 * Look elsewhere in the game.
 * @param {NonNullable<import("../shell/types").Goto["to"]>} to
 */
export async function walk(to) {
  if (!canWalk(to)) return;
  steps++;
  await send("goto", { to });
  steps--;
  update();
}

/**
 * Whether there is anywhere to go. While a step is under way nobody knows: then the server does what it can.
 * @param {NonNullable<import("../shell/types").Goto["to"]>} to
 */
export function canWalk(to) {
  const can = app.game?.can;
  if (!can || steps) return can !== undefined;
  if (to === "start" || to.startsWith("back")) return can.back;
  return to === "live" || can.forward;
}

/** Back to where the game goes on; from a line beside one that has ended, to where the line left it. */
export function backToGame() {
  const game = app.game;
  if (!game) return;
  const left = game.result && !game.main ? app.line.findLast((node) => game.node.startsWith(node.id)) : undefined;
  if (left) look(left.id);
  else walk("live");
}

/** @param {string} node */
export function look(node) {
  if (app.game && app.game.node !== node) send("goto", { node });
}

/** @type {Map<string, Promise<import("../shell/types").GameState>>} */
const making = new Map(); // new games that were asked for and are not there yet

/**
 * A new game, as POST /games describes it. Whoever asks twice for the same, by a double click say, gets one.
 * @param {object} choices
 */
export function newGame(choices) {
  const wanted = JSON.stringify(choices);
  const made = making.get(wanted) ?? makeGame(choices).finally(() => making.delete(wanted));
  making.set(wanted, made);
  return made;
}

/**
 * @param {object} choices
 * @returns {Promise<import("../shell/types").GameState>}
 */
async function makeGame(choices) {
  if (options.tab !== "moves") setOptions({ tab: "moves" }); // one plays now, whatever was studied before
  const game = await api.newGame({ ponder: options.ponder, book: options.book, ...choices });
  open(game.game);
  return game;
}

/**
 * Draw a circle (both squares the same) or an arrow on the position, or take it away.
 * @param {string} from
 * @param {string} to
 */
export function toggleShape(from, to) {
  const game = app.game;
  if (!game) return;
  const { circles, arrows } = game.marks;
  const without = arrows.filter(([a, b]) => a !== from || b !== to);
  const marks =
    from === to
      ? { circles: circles.includes(from) ? circles.filter((square) => square !== from) : [...circles, from], arrows }
      : { circles, arrows: without.length < arrows.length ? without : [...arrows, /** @type {[string, string]} */ ([from, to])] };
  send("marks", { node: game.node, ...marks });
}

/**
 * The squares of names, as numbers of the board one looks at.
 * @param {string} name
 */
export function indexOf(name) {
  const size = app.game?.size;
  return size && name ? squareIndex(name, size.rows, size.columns) : -1;
}

/** The moves played up to where one looks, as a transcript without passes. */
export function transcript() {
  return (here()?.id ?? "").replaceAll("--", "").toUpperCase();
}
