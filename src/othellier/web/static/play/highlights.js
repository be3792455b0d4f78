// What is worth remembering of a game that was analysed: its turning point, the best moves and the worst.

/** @typedef {import("../shell/types").Color} Color */
/** @typedef {import("../shell/types").MoveView} AnalysedMove */

const SHOWN = 3;
const NOTABLE = 0.05; // chances given away from which a move can turn a game
const SLIPS = ["inaccuracy", "mistake", "blunder"];

/**
 * @param {AnalysedMove[]} moves of the game, in order
 * @param {Color | null} who whose best and worst moves, null for both sides'
 * @returns {{best: AnalysedMove[], worst: AnalysedMove[], turning: AnalysedMove | null}}
 */
export function highlights(moves, who) {
  const own = moves.filter((move) => !who || move.color === who);
  const worst = own.filter((move) => SLIPS.includes(move.label)).sort(byCost);
  // A move is good where there was something to miss: the right answer to a slip counts most, then the late ones.
  const chance = new Map(moves.map((move, at) => [move, at ? /** @type {AnalysedMove} */ (moves[at - 1]).chance_loss : 0]));
  const best = own.filter((move) => move.label === "best");
  best.sort((a, b) => (chance.get(b) ?? 0) - (chance.get(a) ?? 0) || b.node.length - a.node.length);
  const [turning] = moves.filter((move) => move.chance_loss >= NOTABLE).sort(byCost);
  return { best: best.slice(0, SHOWN).sort(inOrder), worst: worst.slice(0, SHOWN).sort(inOrder), turning: turning ?? null };
}

/** @param {AnalysedMove} a @param {AnalysedMove} b */
const byCost = (a, b) => b.chance_loss - a.chance_loss || b.loss - a.loss;

/** @param {AnalysedMove} a @param {AnalysedMove} b */
const inOrder = (a, b) => a.node.length - b.node.length;
