// Games and pictures that leave the page or come into it: copied, saved, shared, imported.

import { act } from "./actions.js";
import { app } from "./store.js";
import { ApiError, api, download, withQuery, wordsOf } from "./api.js";
import { complain, toast } from "./toast.js";
import { countMoves } from "./reasons.js";
import { copyText, picture, saveBlob, share } from "./share.js";
import { lineHash } from "../play/shared-line.js";
import { goToTab } from "./panel.js";
import { followJob, rememberedJobs } from "./job-progress.js";
import { number, t } from "./i18n.js";
import { refreshLibrary, titleWords } from "../study/library.js";
import { look, newGame, send, transcript } from "../play/game.js";
import { asked } from "../play/opponents.js";
import { otherColor, person, playerWords } from "./words.js";

const NAMED = 5; // games that a message calls by their names

/** The game as a transcript to the clipboard: the main line, or up to here in a variation. */
export function copyMoves() {
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

export function saveSvg() {
  download(boardUrl(), `${fileName()}.svg`);
}

export async function savePng() {
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

/** @typedef {import("./types").RecordProblem & {file?: string}} Problem where there were several files: in which */
/** @typedef {Omit<import("./types").Imported, "errors"> & {errors: Problem[], stopped?: boolean}} Imported */

/**
 * What an import of some files brought, one after another; one that cannot be read is no reason to leave out the others.
 * @param {File[]} files
 * @param {string} [collection]
 * @param {() => void} [begun] is called when it goes on by itself
 * @returns {Promise<Imported>}
 */
async function importFiles(files, collection, begun) {
  if (files.length === 1 && files[0]) return importFile(files[0], collection, begun);
  /** @type {Imported} */
  const whole = { games: [], imported: 0, errors: [], failed: 0 };
  for (const source of files) {
    const file = source.name;
    try {
      const part = await importFile(source, collection, begun);
      whole.games.push(...part.games);
      whole.imported += part.imported;
      whole.failed += part.failed;
      whole.errors.push(...part.errors.map((problem) => ({ ...problem, file })));
      whole.stopped = part.stopped;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      whole.failed += 1;
      whole.errors.push({ file, where: "", reason: wordsOf(error), move: null });
    }
    if (whole.stopped) break;
  }
  return whole;
}

/**
 * What an import of a file brought; a long one shows how far it has come.
 * @param {File} file
 * @param {string} [collection]
 * @param {() => void} [begun] is called when it goes on by itself
 * @returns {Promise<Imported>}
 */
async function importFile(file, collection, begun) {
  const answer = await api.importFile(file, collection);
  if (!("job" in answer)) return answer;
  begun?.();
  return imported({ job: answer.job, kind: "import", file: file.name, total: 0 });
}

/**
 * What a long import brought.
 * @param {import("./job-progress.js").Job} job
 * @returns {Promise<Imported>}
 */
async function imported(job) {
  const { result, error, stopped } = await followJob(job);
  if (result) return { ...result, stopped };
  throw new ApiError(error ?? { code: "internal", message: "the import brought nothing" });
}

/** Show again what went on when the page was left, and tell of its end. */
export function resumeJobs() {
  for (const job of rememberedJobs()) (job.kind === "import" ? imported(job).then(tellImported) : analysed(job)).catch(complain);
}

/**
 * Analyse several games beside; their end is told.
 * @param {object} found which
 */
export async function analyseGames(found) {
  const { job, games } = await api.changeMany({ do: "analyse", ...found });
  if (job) analysed({ job, kind: "analysis", file: "", total: games }).catch(complain);
}

/** @param {import("./job-progress.js").Job} job */
async function analysed(job) {
  const { games, left_out: gone, error } = await followJob(job);
  if (error) throw new ApiError(error);
  const said = [t("bulk.analysed", { n: games, count: number(games) })];
  if (gone.length) said.push(t("bulk.left_out", { n: gone.length, count: number(gone.length), names: named(gone) }));
  toast(said.join(" "), { action: t("do.profile"), run: () => act("profile") });
  await refreshLibrary();
}

/**
 * The first few of some games by their names.
 * @param {import("./types").Summary[]} games
 */
function named(games) {
  return games.slice(0, NAMED).map(titleWords).join(", ") + (games.length > NAMED ? "…" : "");
}

/**
 * Take in a text that was pasted or dropped, or such files. The moves of one unfinished game go on against the opponent
 * there is; everything else is imported. Errors are shown; where only the end of a text is wrong, what comes before it
 * is offered.
 * @param {string | File[]} source
 */
export async function takeIn(source) {
  try {
    if (typeof source !== "string" || !(await playOnFrom(source))) await importGames(source);
  } catch (error) {
    const good = goodPart(error);
    if (good) toast(wordsOf(error), { kind: "error", action: t("import.first", { n: countMoves(good) }), run: () => takeIn(good) });
    else complain(error);
  }
}

/**
 * Begin a game with the moves of a text, with the players of the game that is open. Returns false where that is no game
 * of a person against the program, the text is more than the moves of one game, or its game is over.
 * @param {string} text
 */
async function playOnFrom(text) {
  const color = person(app.game);
  const moves = bareMoves(text);
  if (!app.game || !color || !moves) return false;
  const { black, white } = app.game.players;
  try {
    const { node } = await newGame({ black: asked(black), white: asked(white), opening: { kind: "moves", moves } });
    toast(t("import.play_on", { name: playerWords(app.game.players[otherColor(color)]) }), { kind: "game", action: t("import.study"), run: () => studyOnly(node) });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "game_over") return false;
    throw error;
  }
}

/**
 * The moves of a text that holds those of one game and nothing else, without numbers and blanks; else "". No square is
 * played twice in a game.
 * @param {string} text
 */
function bareMoves(text) {
  const moves = text.replace(/\d{1,3}[.):]+|[\s,;]+/g, "");
  const squares = moves.toLowerCase().match(/[a-h][1-8]/g) ?? [];
  return /^([a-h][1-8]|pass|pa|ps|--)+$/i.test(moves) && new Set(squares).size === squares.length ? moves : "";
}

/**
 * Take the program out of the game, and look at a node.
 * @param {string} node
 */
async function studyOnly(node) {
  if (await send("players", { black: { kind: "human" }, white: { kind: "human" } })) look(node);
}

/**
 * The moves of a broken transcript up to the one that cannot be played.
 * @param {unknown} error
 */
export function goodPart(error) {
  return error instanceof ApiError && error.code === "bad_move" ? String(error.data.good ?? "") : "";
}

/**
 * Import a text or files, open what was in them, and tell what was wrong.
 * @param {string | File[]} source
 * @param {{collection?: string, begun?: () => void}} [more] where the games are put; called when a long import goes on by itself
 */
export async function importGames(source, { collection, begun } = {}) {
  const answer = typeof source === "string" ? await api.importText(source, collection) : await importFiles(source, collection, begun);
  const first = answer.games[0];
  if (answer.imported === 1 && first) location.hash = first.game;
  else goToTab("library", true);
  await tellImported(answer);
}

/** @param {Imported} answer */
async function tellImported(answer) {
  if (answer.errors.length) (await import("../dialogs/import-dialog.js")).tellImport(answer);
  else toast(t(answer.stopped ? "import.stopped" : "import.done", { n: answer.imported, count: number(answer.imported) }));
  await refreshLibrary();
}
