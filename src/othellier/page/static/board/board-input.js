// What hands and keys do to a board: click, right click, drag, arrows and Enter, wheel; and what shows the move before it
// is made: the mouse over a square, a long touch, the focus.

/** @typedef {import("./board.js").Board} Board */
/**
 * @typedef {object} Handlers
 * @property {(square: number) => void} pick a click, or Enter
 * @property {(square: number) => void} [study] a right click, or Shift-Enter
 * @property {(from: number, to: number) => void} [shape] a drag with the right button, or any drag while drawing
 * @property {() => boolean} [drawing] whether clicks draw
 * @property {(direction: 1 | -1) => void} [wheel]
 */

const LONG_TOUCH = 350; // milliseconds
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const WHEEL_STEP = 40; // of a wheel's delta, for one move

/**
 * @param {Board} board
 * @param {Handlers} handlers
 */
export function listen(board, handlers) {
  listenPointer(board, handlers);
  listenKeys(board, handlers);
  if (handlers.wheel) listenWheel(board, handlers.wheel);
}

/**
 * @param {Board} board
 * @param {Handlers} handlers
 */
function listenPointer(board, handlers) {
  const { felt } = board;
  let start = -1;
  let timer = 0;
  let spent = false; // a shape was drawn or a move looked at: the click that follows must not play

  const drawing = () => handlers.drawing?.() === true;

  felt.addEventListener("pointerdown", (event) => {
    start = board.squareAt(event.clientX, event.clientY);
    spent = false;
    clearTimeout(timer);
    if (start < 0) return;
    // Keys belong to the board only as long as the keyboard is what brought the focus here. After a click they are the
    // page's again: arrows walk through the game, letters are shortcuts. The browser must not focus the square either.
    if (event.pointerType === "mouse") event.preventDefault();
    if (document.activeElement instanceof HTMLElement && felt.contains(document.activeElement)) document.activeElement.blur();
    board.focusable(start);
    if (event.pointerType !== "mouse" && !drawing()) {
      timer = setTimeout(() => {
        spent = true;
        board.aim(start);
      }, LONG_TOUCH);
    }
  });
  felt.addEventListener("mousedown", (event) => event.preventDefault());
  for (const name of ["pointercancel", "pointerleave"]) {
    felt.addEventListener(name, () => {
      clearTimeout(timer);
      board.aim(-1);
    });
  }
  felt.addEventListener("pointermove", (event) => {
    const at = board.squareAt(event.clientX, event.clientY);
    if (start >= 0 && at !== start) clearTimeout(timer);
    // A mouse shows what it is over; a finger only once it has lain still for a while, and then wherever it goes.
    if ((event.pointerType === "mouse" ? !drawing() : spent) && at !== board.aimed) board.aim(at);
  });
  felt.addEventListener("pointerup", (event) => {
    clearTimeout(timer);
    if (event.pointerType !== "mouse") board.aim(-1);
    const end = board.squareAt(event.clientX, event.clientY);
    if (start < 0 || end < 0 || spent) return;
    if (handlers.shape && (drawing() || (event.button === 2 && (end !== start || event.shiftKey)))) {
      handlers.shape(start, end);
      spent = true;
    } else if (event.button === 2 && handlers.study) {
      handlers.study(end);
    }
  });
  felt.addEventListener("contextmenu", (event) => event.preventDefault());
  felt.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest(".square");
    if (!(button instanceof HTMLElement) || spent) return;
    const square = Number(button.dataset.square);
    if (event.detail === 0 && drawing()) handlers.shape?.(square, square);
    else if (!drawing()) handlers.pick(square);
  });
}

/**
 * @param {Board} board
 * @param {Handlers} handlers
 */
function listenKeys(board, handlers) {
  board.felt.addEventListener("focusin", (event) => {
    const button = /** @type {HTMLElement} */ (event.target);
    if (!button.dataset.square) return;
    board.focusable(Number(button.dataset.square));
    if (button.matches(":focus-visible")) board.aim(board.focused);
  });
  board.felt.addEventListener("focusout", () => board.aim(-1));
  board.felt.addEventListener("keydown", (event) => {
    const picture = board.picture;
    if (!picture || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.shiftKey && handlers.study) {
      event.preventDefault();
      handlers.study(board.focused);
      return;
    }
    const { rows, columns } = picture;
    if (listenTyped(board, event, handlers)) {
      event.preventDefault();
      event.stopPropagation(); // in the board a letter names a column, not a shortcut
      return;
    }
    const [row, column] = [Math.floor(board.focused / columns), board.focused % columns];
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const [r, c] = [row + step[0], column + step[1]];
    if (r < 0 || r >= rows || c < 0 || c >= columns) return;
    board.focusable(r * columns + c);
    board.squares[board.focused]?.focus();
  });
}

let typed = ""; // the column of a square whose row is still to be typed

/**
 * Squares typed by name, "f5", are gone to and played.
 * @param {Board} board
 * @param {KeyboardEvent} event
 * @param {Handlers} handlers
 */
function listenTyped(board, event, handlers) {
  const { rows = 0, columns = 0 } = board.picture ?? {};
  const key = event.key.toLowerCase();
  const column = key.length === 1 ? key.charCodeAt(0) - 97 : -1;
  if (!event.shiftKey && column >= 0 && column < columns) {
    typed = key;
    return true;
  }
  const row = Number(key) - 1;
  const named = typed !== "" && row >= 0 && row < rows;
  const square = named ? row * columns + typed.charCodeAt(0) - 97 : -1;
  typed = "";
  if (square < 0) return false;
  board.focusable(square);
  board.squares[square]?.focus();
  handlers.pick(square);
  return true;
}

/**
 * @param {Board} board
 * @param {(direction: 1 | -1) => void} wheel
 */
function listenWheel(board, wheel) {
  let turned = 0;
  board.element.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey) return; // the browser's zoom
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < WHEEL_STEP) return;
      wheel(turned > 0 ? 1 : -1);
      turned = 0;
    },
    { passive: false },
  );
}
