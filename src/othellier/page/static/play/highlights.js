// What is worth remembering of a game that was analysed: its turning point, the best moves and the worst. The server says
// which they are, so that they are the same everywhere.

/** @typedef {import("../shell/types").MoveView} AnalysedMove */

/**
 * @param {import("../shell/types").AnalysisView} analysis
 * @param {import("../shell/types").Color | null} who whose best and worst moves, null for both sides'
 * @returns {{best: AnalysedMove[], worst: AnalysedMove[], turning: AnalysedMove | null}}
 */
export function highlights(analysis, who) {
  const { best_moves, worst_moves } = (who && analysis.players[who]) || analysis;
  const inOrder = (/** @type {string[]} */ nodes) => analysis.moves.filter(({ node }) => nodes.includes(node));
  return { best: inOrder(best_moves), worst: inOrder(worst_moves), turning: inOrder([analysis.turning_point ?? ""])[0] ?? null };
}
