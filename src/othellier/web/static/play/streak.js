// How it went of late against one opponent: after two wins in a row the next step is offered, after two losses the one
// before. This device remembers it; nothing changes unless it is wanted.

const KEY = "othellier.streak";
const ENOUGH = 2; // games in a row that say something

/**
 * @typedef {object} Streak
 * @property {string} level against whom
 * @property {number} run wins in a row, or losses below zero
 * @property {string} game the last one counted: none counts twice
 */

/** @returns {Streak} */
function read() {
  try {
    const { level, run, game } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof level === "string" && Number.isInteger(run) && typeof game === "string") return { level, run, game };
  } catch {
    // Damaged, or storage is forbidden here: then it begins anew.
  }
  return { level: "", run: 0, game: "" };
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
  try {
    localStorage.setItem(KEY, JSON.stringify({ level, run: now, game }));
  } catch {
    // Then nothing is offered.
  }
}

/**
 * Which way to go from an opponent: 1 up, -1 down, 0 where one stands.
 * @param {string} level
 */
export function step(level) {
  const { level: met, run } = read();
  return met === level && Math.abs(run) >= ENOUGH ? Math.sign(run) : 0;
}
