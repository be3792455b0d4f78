// Names and places of squares. No rules: what may be played, and what it turns, is told by the server.

/**
 * @param {number} square
 * @param {number} columns
 */
export function squareName(square, columns) {
  return String.fromCharCode(97 + (square % columns)) + (Math.floor(square / columns) + 1);
}

/**
 * The square of a name such as "f5", or -1 where it names none.
 * @param {string} name
 * @param {number} rows
 * @param {number} columns
 */
export function squareIndex(name, rows, columns) {
  const column = name.toLowerCase().charCodeAt(0) - 97;
  const row = Number(name.slice(1)) - 1;
  return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
}

/**
 * The four corners of a board.
 * @param {{rows: number, columns: number}} size
 */
export function corners({ rows, columns }) {
  return [0, columns - 1, (rows - 1) * columns, rows * columns - 1];
}

/**
 * How many squares apart two squares are, as a king walks: flips wait for their turn by it.
 * @param {number} a
 * @param {number} b
 * @param {number} columns
 */
export function distance(a, b, columns) {
  const rows = Math.abs(Math.floor(a / columns) - Math.floor(b / columns));
  return Math.max(rows, Math.abs((a % columns) - (b % columns)));
}

/**
 * The direction from one square to another, in degrees; 0 is to the right, 90 down.
 * @param {number} from
 * @param {number} to
 * @param {number} columns
 */
export function angleBetween(from, to, columns) {
  const [x1, y1] = center(from, columns);
  const [x2, y2] = center(to, columns);
  return Math.round((Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI);
}

/**
 * The middle of a square, in squares.
 * @param {number} square
 * @param {number} columns
 * @returns {[number, number]}
 */
export function center(square, columns) {
  return [(square % columns) + 0.5, Math.floor(square / columns) + 0.5];
}

/**
 * The outline of an arrow between two squares, as an SVG path.
 * @param {number} from
 * @param {number} to
 * @param {number} columns
 */
export function arrowPath(from, to, columns) {
  const [x1, y1] = center(from, columns);
  const [x2, y2] = center(to, columns);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  /** @param {number} along @param {number} aside */
  const at = (along, aside) =>
    `${(x1 + along * ux - aside * uy).toFixed(3)} ${(y1 + along * uy + aside * ux).toFixed(3)}`;
  const neck = length - 0.4;
  const outline = [at(0.3, 0.07), at(neck, 0.07), at(neck, 0.22), at(length, 0)];
  return `M${outline.join("L")}L${[at(neck, -0.22), at(neck, -0.07), at(0.3, -0.07)].join("L")}Z`;
}
