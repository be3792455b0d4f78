// A recorded search, step by step: which cards are there, what they say, where we are. The tree is drawn by
// othellier.search.trees.drawing, and so is every word; here it is only shown and hidden.

/**
 * @typedef {[number, string, string, string, number, number, string]} Step
 * Node, value, window, remark, best child or -1, whether moves were cut, what happened in words.
 *
 * @typedef {object} Recorded
 * @property {string[]} title
 * @property {string} svg
 * @property {Record<string, string>} labels
 * @property {string} before
 * @property {number[]} line
 * @property {Step[]} [steps]
 * @property {[number[], number][]} [iterations]
 * @property {number} [c]
 * @property {Record<string, string>} [names]
 * @property {Record<string, number>} [parents]
 * @property {string} [caption]
 * @property {string[]} [points]
 *
 * @typedef {object} Card
 * @property {Element} card
 * @property {Element | undefined} edge
 * @property {Element | undefined} stub
 * @property {Record<string, Element>} texts
 * @property {string[]} last
 */

const PLAY_MS = 450;
const [ZOOM, SMALLEST, LARGEST] = [1.3, 0.2, 2];
/** A tree is shown whole in its width if it can still be read then. */
const READABLE = 0.6;
const MARGIN = 14;

/**
 * The tree with its buttons.
 * @param {Recorded} recorded
 * @returns {HTMLElement}
 */
export function stepper(recorded) {
  const root = document.createElement("section");
  root.className = "stepper";
  const header = root.appendChild(document.createElement("header"));
  recorded.title.forEach((words, index) => {
    header.appendChild(document.createElement(index ? "p" : "h2")).textContent = words;
  });
  const controls = header.appendChild(document.createElement("div"));
  controls.className = "controls";
  const now = header.appendChild(document.createElement("p"));
  now.className = "now";
  now.setAttribute("aria-live", "polite");
  const picture = root.appendChild(document.createElement("div"));
  picture.className = "picture";
  picture.tabIndex = 0; // so that keys can scroll it
  picture.setAttribute("role", "region");
  picture.setAttribute("aria-label", recorded.title[0] ?? "");
  // Parsed, not written as HTML: the page around may forbid scripts and styles in what it is handed.
  const drawn = new DOMParser().parseFromString(recorded.svg, "image/svg+xml").documentElement;
  picture.append(document.importNode(drawn, true));

  const cards = findCards(picture);
  const total = (recorded.steps ?? recorded.iterations ?? []).length;
  let at = total;
  let timer = 0;

  /** @param {string} name @param {string} sign @param {() => void} act */
  const button = (name, sign, act) => {
    const made = controls.appendChild(document.createElement("button"));
    made.type = "button";
    made.textContent = sign;
    made.title = recorded.labels[name] ?? name;
    made.setAttribute("aria-label", made.title);
    made.addEventListener("click", act);
    return made;
  };
  const first = button("first", "|◀", () => go(0));
  const back = button("back", "◀", () => go(at - 1));
  const play = button("play", "▶▶", () => (timer ? pause() : start()));
  const forward = button("forward", "▶", () => go(at + 1));
  const last = button("last", "▶|", () => go(total));
  const slider = controls.appendChild(document.createElement("input"));
  slider.type = "range";
  slider.max = String(total);
  slider.setAttribute("aria-label", (recorded.labels.step ?? "").replace(/[ ]*\{.*$/, ""));
  slider.addEventListener("input", () => go(Number(slider.value)));
  button("best", "★", () => {
    go(total);
    // Its first move last, which so is in sight if not all of them can be.
    for (const node of recorded.line.slice(1).reverse()) {
      const found = cards.get(node);
      if (found) intoView(picture, found.card);
    }
  });
  const svg = /** @type {SVGSVGElement} */ (picture.querySelector("svg"));
  const natural = { width: svg.width.baseVal.value, height: svg.height.baseVal.value };
  let scale = 1;
  const smaller = button("smaller", "−", () => zoom(scale / ZOOM));
  const larger = button("larger", "+", () => zoom(scale * ZOOM));
  document.addEventListener("keydown", onKey);

  /**
   * The arrow keys step wherever the focus is, unless it is on something that has a use for them or in another dialog.
   * @param {KeyboardEvent} event
   */
  function onKey(event) {
    if (!root.isConnected) return document.removeEventListener("keydown", onKey);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !root.getClientRects().length) return;
    const target = /** @type {Element} */ (event.target);
    if (target !== document.body && target.closest("dialog") !== root.closest("dialog")) return;
    const own = target.closest(".stepper");
    if (own ? own !== root : target.closest("input, select, textarea")) return;
    if (target === slider || (target === picture && picture.scrollWidth > picture.clientWidth)) return;
    if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft") go(at - 1);
    else return;
    if (own) event.preventDefault();
  }

  /** Whole trees fit a screen when they are small enough. @param {number} wanted */
  function zoom(wanted) {
    scale = Math.max(SMALLEST, Math.min(LARGEST, wanted));
    smaller.disabled = scale === SMALLEST;
    larger.disabled = scale === LARGEST;
    svg.setAttribute("width", String(natural.width * scale));
    svg.setAttribute("height", String(natural.height * scale));
  }

  function start() {
    if (at >= total) show(0);
    play.textContent = "❚❚";
    play.title = recorded.labels.pause ?? "";
    timer = window.setInterval(() => (at < total && root.isConnected ? show(at + 1) : pause()), PLAY_MS);
  }

  function pause() {
    window.clearInterval(timer);
    timer = 0;
    play.textContent = "▶▶";
    play.title = recorded.labels.play ?? "";
  }

  /** @param {number} step */
  function go(step) {
    pause();
    show(step);
  }

  /** @param {number} step */
  function show(step) {
    at = Math.max(0, Math.min(total, step));
    slider.value = String(at);
    first.disabled = back.disabled = at === 0;
    forward.disabled = last.disabled = at === total;
    root.classList.toggle("walking", at < total);
    const told = recorded.iterations ? showIterations(recorded, cards, at) : showSteps(recorded, cards, at);
    const counted = (recorded.labels.step ?? "").replace("{step}", String(at)).replace("{steps}", String(total));
    now.textContent = `${counted} · ${told}`;
    const here = picture.querySelector(".card.now");
    if (here && at > 0 && at < total) intoView(picture, here);
  }

  show(total);
  requestAnimationFrame(() => {
    const fits = (picture.clientWidth - 2 * MARGIN) / natural.width;
    if (fits < 1 && fits >= READABLE) zoom(fits);
  });
  return root;
}

/**
 * @param {Element} picture
 * @returns {Map<number, Card>}
 */
function findCards(picture) {
  /** @type {Map<number, Card>} */
  const cards = new Map();
  for (const card of picture.querySelectorAll(".card")) {
    /** @type {Record<string, Element>} */
    const texts = {};
    for (const text of card.querySelectorAll("text")) texts[text.getAttribute("class") ?? ""] = text;
    const last = ["v", "w", "s"].map((name) => texts[name]?.textContent ?? "");
    cards.set(Number(card.getAttribute("data-n")), { card, edge: undefined, stub: undefined, texts, last });
  }
  for (const name of /** @type {const} */ (["edge", "stub"])) {
    for (const element of picture.querySelectorAll(`.${name}`)) {
      const card = cards.get(Number(element.getAttribute("data-n")));
      if (card) card[name] = element;
    }
  }
  return cards;
}

/** @param {Card} card @param {string[]} lines */
function write(card, lines) {
  ["v", "w", "s"].forEach((name, index) => {
    const text = card.texts[name];
    if (text && text.textContent !== lines[index]) text.textContent = lines[index] ?? "";
  });
}

/** @param {Map<number, Card>} cards @param {Set<number>} there @param {Set<number>} best @param {Set<number>} cut @param {number} now */
function mark(cards, there, best, cut, now) {
  for (const [index, card] of cards) {
    for (const element of [card.card, card.edge]) {
      element?.classList.toggle("later", !there.has(index));
      element?.classList.toggle("best", best.has(index));
    }
    card.card.classList.toggle("now", index === now);
    card.stub?.classList.toggle("later", !cut.has(index));
  }
}

/**
 * @param {Recorded} recorded @param {Map<number, Card>} cards @param {number} at
 * @returns {string}
 */
function showSteps(recorded, cards, at) {
  const steps = recorded.steps ?? [];
  const there = /** @type {Set<number>} */ (new Set());
  const cut = /** @type {Set<number>} */ (new Set());
  const favourite = /** @type {Map<number, number>} */ (new Map());
  for (const [node, value, window, remark, best, cuts] of steps.slice(0, at)) {
    there.add(node);
    if (cuts) cut.add(node);
    if (best >= 0) favourite.set(node, best);
    const card = cards.get(node);
    if (card) write(card, [value, window, remark]);
  }
  for (const [index, card] of cards) if (!there.has(index)) write(card, card.last);
  const best = /** @type {Set<number>} */ (new Set());
  for (let node = at ? 0 : undefined; node !== undefined && !best.has(node); node = favourite.get(node)) best.add(node);
  const step = steps[at - 1];
  mark(cards, there, best, cut, at < steps.length ? (step?.[0] ?? -1) : -1);
  return step ? step[6] : recorded.before;
}

/**
 * @param {Recorded} recorded @param {Map<number, Card>} cards @param {number} at
 * @returns {string}
 */
function showIterations(recorded, cards, at) {
  const iterations = recorded.iterations ?? [];
  const { names = {}, parents = {}, c = 0, labels } = recorded;
  const visits = /** @type {Map<number, number>} */ (new Map());
  const wins = /** @type {Map<number, number>} */ (new Map());
  for (const [way, points] of iterations.slice(0, at)) {
    way.forEach((node, depth) => {
      visits.set(node, (visits.get(node) ?? 0) + 1);
      wins.set(node, (wins.get(node) ?? 0) + (depth % 2 ? points : 2 - points));
    });
  }
  /** @type {Map<number, number>} */
  const favourite = new Map();
  for (const [node, count] of visits) {
    const parent = parents[node];
    if (parent === undefined) continue;
    const rival = favourite.get(parent);
    const score = count + (wins.get(node) ?? 0) / (4 * count);
    const other = rival === undefined ? -1 : (visits.get(rival) ?? 0) + (wins.get(rival) ?? 0) / (4 * (visits.get(rival) ?? 1));
    if (score > other) favourite.set(parent, node);
  }
  for (const [index, card] of cards) {
    const count = visits.get(index);
    if (!count) {
      write(card, card.last);
      continue;
    }
    const won = (wins.get(index) ?? 0) / (2 * count);
    const above = visits.get(parents[index] ?? -1);
    const ucb = above ? `UCB1 ${(won + c * Math.sqrt(Math.log(above) / count)).toFixed(2)}`.replace(".", labels.decimal ?? ".") : "";
    const told = count === 1 ? (labels.visit ?? "") : (labels.visits ?? "").replace("{count}", String(count));
    write(card, [`${names[index] ?? ""}  ${Math.round(100 * won)} %`, told, at === iterations.length ? (card.last[2] ?? "") : ucb]);
  }
  const best = /** @type {Set<number>} */ (new Set());
  for (let node = at ? 0 : undefined; node !== undefined && !best.has(node); node = favourite.get(node)) best.add(node);
  const [way, points] = iterations[at - 1] ?? [[], 0];
  mark(cards, new Set(visits.keys()), best, new Set(), at < iterations.length ? (way.at(-1) ?? -1) : -1);
  for (const [index, card] of cards) card.card.classList.toggle("touched", at < iterations.length && way.includes(index));
  if (!at) return recorded.before;
  const moves = way.slice(1).map((node) => names[node] ?? "").join(" ");
  return (recorded.caption ?? "")
    .replace("{number}", String(at))
    .replace("{path}", moves || (names[0] ?? ""))
    .replace("{points}", recorded.points?.[points] ?? "");
}

/** Scroll the picture, and nothing else, until a card is seen. @param {Element} picture @param {Element} card */
function intoView(picture, card) {
  const [frame, box] = [picture.getBoundingClientRect(), card.getBoundingClientRect()];
  const margin = 24;
  const above = Math.min(120, frame.height / 4); // with its neighbours
  if (box.top < frame.top + above) picture.scrollTop -= frame.top + above - box.top;
  else if (box.bottom > frame.bottom - above) picture.scrollTop += box.bottom - frame.bottom + above;
  if (box.left < frame.left + margin) picture.scrollLeft -= frame.left + margin - box.left;
  else if (box.right > frame.right - margin) picture.scrollLeft += box.right - frame.right + margin;
}
