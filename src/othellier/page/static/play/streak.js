// How it went of late against one opponent, and whom one has beaten: after two wins in a row the next step is offered,
// after two losses the one before. This device remembers it; nothing changes unless it is wanted.

const KEY = "othellier.streak";
const ENOUGH = 2; // games in a row that say something

/**
 * @typedef {object} Streak
 * @property {string} level against whom
 * @property {number} run wins in a row, or losses below zero
 * @property {string} game the last one counted: none counts twice
 * @property {string[]} beaten whom one has won against
 * @property {boolean} first whether that game was the first win against its level
 */

/** @returns {Streak} */
function read() {
  try {
    const { level, run, game, beaten = [], first = false } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const whole = typeof level === "string" && Number.isInteger(run) && typeof game === "string" && Array.isArray(beaten);
    if (whole) return { level, run, game, beaten, first: first === true };
  } catch {
    // Damaged, or storage is forbidden here: then it begins anew.
  }
  return { level: "", run: 0, game: "", beaten: [], first: false };
}

/**
 * Count a game that has ended.
 * @param {string} game
 * @param {string} level
 * @param {number} score above zero where the person has won, below where the opponent has
 */
export function countGame(game, level, score) {
  const before = read();
  if (before.game === game) return;
  const run = before.level === level ? before.run : 0;
  const now = score > 0 ? Math.max(run, 0) + 1 : score < 0 ? Math.min(run, 0) - 1 : 0;
  const first = score > 0 && !before.beaten.includes(level);
  const beaten = first ? [...before.beaten, level] : before.beaten;
  try {
    localStorage.setItem(KEY, JSON.stringify({ level, run: now, game, beaten, first }));
  } catch {
    // Then nothing is offered.
  }
}

/**
 * Whether a level has been won against on this device.
 * @param {string} level
 */
export function isBeaten(level) {
  return read().beaten.includes(level);
}

/**
 * Which way to go from an opponent: 1 up, -1 down, 0 where one stands.
 * @param {string} level
 */
export function step(level) {
  const { level: met, run } = read();
  return met === level && Math.abs(run) >= ENOUGH ? Math.sign(run) : 0;
}

/**
 * Whether a game that was counted last is the first win against its level.
 * @param {string} game
 */
export function isFirstWin(game) {
  const last = read();
  return last.game === game && last.first;
}

/**
 * How many games in a row have been won with a game that was counted last; below zero where they were lost.
 * @param {string} game
 */
export function gamesInRow(game) {
  const last = read();
  return last.game === game ? last.run : 0;
}
