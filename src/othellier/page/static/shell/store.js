// What the page knows now: the game as the server last told it, and what is being shown of it. Views subscribe and
// draw; whoever changes something says so with `update`, and all drawing happens once, before the next frame. While
// discs turn only the board is drawn: what stands beside it is, once they lie still.

/**
 * @typedef {object} App
 * @property {import("../play/socket.js").Connection} connection
 * @property {import("./types").GameState | null} game
 * @property {import("./types").NodeView | null} tree
 * @property {Map<string, import("./types").NodeView>} nodes the tree by id
 * @property {import("./types").NodeView[]} line the main line, from the start to its end
 * @property {import("./types").ValuesView | null} values
 * @property {import("./types").HintView | null} hint
 * @property {import("./types").Thinking | null} thinking
 * @property {import("./types").AnalysisView | null} analysis
 * @property {number | null} progress of a running analysis, 0 to 1
 * @property {number | null} refining how far a deeper look in the background has come, 0 to 1
 * @property {{node: string, square: string} | null} pending a move drawn before the server has confirmed it
 * @property {import("../study/mistakes.js").Lesson | null} lesson learning from one's mistakes
 * @property {boolean} drawing whether clicks draw circles and arrows
 * @property {number} heard when the clocks were last told, by performance.now()
 */

/** @type {App} */
export const app = {
  connection: "connecting",
  game: null,
  tree: null,
  nodes: new Map(),
  line: [],
  values: null,
  hint: null,
  thinking: null,
  analysis: null,
  progress: null,
  refining: null,
  pending: null,
  lesson: null,
  drawing: false,
  heard: 0,
};

/** @type {Set<() => void>} */
const urgent = new Set();
/** @type {Set<() => void>} */
const views = new Set();
/** @type {(draw: () => void) => void} */
let whenStill = (draw) => draw();
let asked = false;
let done = false; // whether what is urgent knows of the last change
let stale = false; // whether the views show what was

/** @type {Set<() => void>} */
const postponed = new Set();

/**
 * What the server did not answer is done when the line to it is open again.
 * @param {() => void} run
 */
export function whenBack(run) {
  postponed.add(run);
}

/** @param {() => void} draw */
export function subscribe(draw) {
  views.add(draw);
}

/**
 * What waits for no disc to lie still: the board itself, and what is asked of the server.
 * @param {() => void} run
 */
export function subscribeAtOnce(run) {
  urgent.add(run);
}

/**
 * Whoever makes discs turn says when they lie still.
 * @param {(draw: () => void) => void} waits
 */
export function drawViewsWhen(waits) {
  whenStill = waits;
}

/** @param {Partial<App>} [changes] */
export function update(changes = {}) {
  Object.assign(app, changes);
  if (changes.connection === "open") {
    const runs = [...postponed];
    postponed.clear();
    for (const run of runs) run();
  }
  done = false;
  if (asked) return;
  asked = true;
  // A hidden tab has no frames, but its title and its announcements still count.
  if (document.hidden) setTimeout(drawAll);
  else requestAnimationFrame(drawAll);
}

/**
 * The same, with the board drawn at once: one's own move does not wait for the next frame.
 * @param {Partial<App>} changes
 */
export function updateAtOnce(changes) {
  update(changes);
  runUrgent();
}

function runUrgent() {
  if (done) return;
  done = true;
  for (const run of urgent) run();
}

function drawAll() {
  asked = false;
  stale = true;
  runUrgent();
  whenStill(drawViews);
}

function drawViews() {
  if (!stale) return;
  stale = false;
  for (const draw of views) draw();
}

/**
 * Take in a state the server sent.
 * @param {import("./types").GameState} game
 */
export function setGame(game) {
  const other = game.game !== app.game?.game;
  /** @type {Partial<App>} */
  const changes = { game: { ...game, marks: Object.assign({ circles: [], arrows: [] }, game.marks) }, pending: null, thinking: game.thinking, heard: performance.now() };
  if (game.tree) {
    changes.tree = game.tree;
    changes.nodes = new Map();
    const left = [game.tree];
    for (let node = left.pop(); node; node = left.pop()) {
      changes.nodes.set(node.id, node);
      left.push(...(node.children ?? []));
    }
    changes.line = [game.tree];
    for (let next = game.tree.children?.[0]; next; next = next.children?.[0]) changes.line.push(next);
  }
  if (other) Object.assign(changes, { values: null, hint: null, analysis: null, progress: null, refining: null, lesson: null });
  else if (app.hint && app.hint.node !== game.node) changes.hint = null;
  if (game.analysis !== undefined) changes.analysis = game.analysis; // it comes with the tree, when either has changed
  update(changes);
}

/** The node one looks at. */
export function here() {
  return app.game ? app.nodes.get(app.game.node) ?? null : null;
}

/** The values of the squares to play where one looks, as far as they are known. */
export function valuesHere() {
  return app.game && app.values?.node === app.game.node ? app.values : null;
}

/** Empty squares where one looks. */
export function empties() {
  const game = app.game;
  return game ? game.size.rows * game.size.columns - game.discs.black - game.discs.white : 0;
}
