// A position in an address, for a friend who has Othellier too: `#moves=F5D6…`, or `#position=…&size=6` where a game
// began elsewhere than at the start.

const FIRST = 4; // discs at the usual start

/**
 * What a new game is asked for to show what an address holds; null where it holds no position.
 * @param {string} hash
 * @returns {{size: string, opening: object} | null}
 */
export function sharedLine(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const size = given.get("size") ?? "8";
  const moves = given.get("moves");
  const position = given.get("position");
  if (moves !== null) return { size, opening: moves ? { kind: "moves", moves } : { kind: "any" } };
  return position === null ? null : { size, opening: { kind: "position", board: position.replaceAll("_", " ") } };
}

/**
 * The part of an address that holds the position one looks at: by its moves where it began as usual, else by its discs.
 * @param {import("../shell/types").GameState} game
 */
export function lineHash(game) {
  const { rows, columns } = game.size;
  const size = rows === 8 && columns === 8 ? "" : `&size=${rows === columns ? rows : `${columns}x${rows}`}`;
  const moves = game.node.match(/[a-l]\d+/g) ?? [];
  const usual = game.discs.black + game.discs.white === FIRST + moves.length;
  return usual ? `#moves=${moves.join("").toUpperCase()}${size}` : `#position=${game.board.replaceAll(" ", "_")}${size}`;
}
