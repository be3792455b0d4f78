// The positions of the lessons' diagrams: discs by rows from a1, then the side to move; squares to look at.

/** @typedef {{board: string, circles?: string[], arrows?: [string, string][]}} Diagram */

/** @type {Record<string, Diagram>} */
export const DIAGRAMS = {
  rules_1: { board: "---------------------------OX------XO--------------------------- X" },
  rules_2: { board: "-------------------X-----X-OX-----OOO-------OX------------------ X", circles: ["d6"] },
  corners_1: { board: "-XXXXXX--OOOOOO-OOOOOO--OOOXO-X-XOXOO---XXOO----XOO-----XO------ X", circles: ["h1"] },
  danger_1: { board: "X--------XO-------OOO-----OOXO----OXXO--OOOXXO----OXXO---------- X", circles: ["g7"], arrows: [["g7", "h8"]] },
  mobility_1: { board: "X--------XO-------OOO---OOOOOO---OXOXO--OOOOXO----OOOO-----O---- X" },
  frontier_1: { board: "-XXXX----OOOOO----OXXO----OOXO----OOOOOO-----O------------------ X", circles: ["f1", "c6"] },
  edges_1: { board: "-------------------OX-----XOXO----XXOO---XXOOXX---OXXOO--OOOOO-O X", circles: ["g8"], arrows: [["g8", "a8"]] },
  parity_1: { board: "OOOOOOOOXXXOXOOOXXOXOXX-OOXXXOX-OOOXXOOXXOOXOOOOXXXOXX-OXXXXXXXX X", circles: ["g7"] },
};
