// Making elements, and little else: the only place that knows how. Text is always set as text.

import { drawing } from "./icons.js";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element by tag and classes ("button.primary"), with properties, listeners (`onclick`) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T | `${T}.${string}`} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = /** @type {HTMLElementTagNameMap[T]} */ (document.createElement(/** @type {T} */ (tag)));
  element.className = classes.join(" ");
  if (tag === "button") element.setAttribute("type", "button");
  setAttributes(element, attributes);
  element.append(...kept(children.flat()));
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} attributes
 */
function setAttributes(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key === "value") /** @type {HTMLInputElement} */ (element).value = String(value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  element.append(...kept(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function kept(children) {
  const there = children.filter((child) => child !== null && child !== undefined && child !== false);
  return there.map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child)));
}

/**
 * One of the pictures of icons.js.
 * @param {string} name
 */
export function icon(name) {
  return s("svg", { "aria-hidden": "true", viewBox: "0 0 20 20" }, s("path", drawing(name)));
}

/**
 * A disc as a sign in a text.
 * @param {import("./types").Color} color
 */
export function dot(color) {
  return h(`span.dot.${color}`, { "aria-hidden": "true" });
}

/**
 * The element with an id, which index.html promises.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no #${id}`);
  return element;
}

/** What is pressed now: a button that is replaced or moved away between being pressed and let go is never clicked. */
let pressed = /** @type {Node | null} */ (null);
let releasing = 0;
const LONGEST_PRESS = 2000; // ms, should nobody tell of its end
const CLICK = 100; // ms that a touch's click may come after its end
const waiting = /** @type {Map<Element, () => void>} */ (new Map());

function release() {
  pressed = null;
  const later = [...waiting];
  waiting.clear();
  for (const [, draw] of later) draw();
}

/**
 * Draw an element's content, once nothing in it is pressed any more; of several times the last.
 * @param {Element} parent
 * @param {() => void} draw
 */
function drawWhenFree(parent, draw) {
  waiting.delete(parent);
  if (pressed && parent.contains(pressed)) waiting.set(parent, draw);
  else draw();
}

/** @param {number} wait */
function releaseLater(wait) {
  clearTimeout(releasing);
  releasing = setTimeout(release, wait);
}

document.addEventListener("pointerdown", (event) => ((pressed = /** @type {Node} */ (event.target)), releaseLater(LONGEST_PRESS)), true);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => releaseLater(CLICK), true);
// A click finds its button though that is replaced now: it is on its way there already.
document.addEventListener("click", () => (clearTimeout(releasing), release()), true);

/**
 * Replace the children of an element, keeping the focus where an equal `data-key` had it. Where nothing would look
 * different nothing is touched; what is being pressed is replaced when it is let go.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  drawWhenFree(parent, () => replace(parent, children));
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function replace(parent, children) {
  const made = h("div", {}, ...children);
  const same = made.childNodes.length === parent.childNodes.length;
  if (same && [...made.childNodes].every((child, index) => child.isEqualNode(parent.childNodes[index] ?? null))) return;
  const active = document.activeElement;
  const key = active instanceof HTMLElement && parent.contains(active) ? active.dataset.key : undefined;
  parent.replaceChildren(...made.childNodes);
  if (key) /** @type {HTMLElement | null} */ (parent.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
}

/**
 * Bring an element's children up to date in place: what stays keeps its focus and its motion. Elements keep their
 * listeners: these must not depend on what changes. While something in it is pressed it waits, as `fill` does.
 * @param {Element} parent
 * @param {...Child} children
 */
export function patch(parent, ...children) {
  drawWhenFree(parent, () => align(parent, h("div", {}, ...children)));
}

/**
 * What has a key is found again and keeps its focus, though something goes or comes before it.
 * @param {Element} old
 * @param {Element} made
 */
function align(old, made) {
  const wanted = [...made.childNodes];
  wanted.forEach((child, index) => {
    const first = old.childNodes[index];
    if (first && hasKey(child) && !isSame(first, child)) {
      const rest = [...old.childNodes].slice(index);
      const at = rest.findIndex((each) => isSame(each, child));
      for (const gone of rest.slice(0, Math.max(0, at))) gone.remove();
    }
    const there = old.childNodes[index];
    if (!there) old.append(child);
    else if (there.isEqualNode(child)) return;
    else if (child instanceof HTMLElement && isSame(there, child)) {
      for (const { name } of [...there.attributes]) if (!child.hasAttribute(name)) there.removeAttribute(name);
      for (const { name, value } of child.attributes) there.setAttribute(name, value);
      align(there, child);
    } else if (hasKey(there) && wanted.slice(index).some((each) => isSame(there, each))) there.before(child);
    else there.replaceWith(child);
  });
  while (old.childNodes.length > wanted.length) old.lastChild?.remove();
}

/** @param {Node} node */
const hasKey = (node) => node instanceof HTMLElement && node.dataset.key !== undefined;

/**
 * Whether two elements are the same thing at two times.
 * @template {Node} T
 * @param {T} a
 * @param {Node} b
 * @returns {a is T & HTMLElement}
 */
function isSame(a, b) {
  return a instanceof HTMLElement && b instanceof HTMLElement && a.tagName === b.tagName && a.dataset.key === b.dataset.key;
}
