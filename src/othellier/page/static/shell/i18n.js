// Words in the player's language. Each file of i18n/ is a language and holds every text of the page, under the same keys;
// the page says which there are.

/** @typedef {Record<string, string | number>} Params */

/** @type {Record<string, string>} */
let words = {};
const ENGLISH = "en";
let current = ENGLISH;
let plurals = new Intl.PluralRules(ENGLISH);

/**
 * The languages there are by their codes, and what each calls itself.
 * @returns {Record<string, string>}
 */
export function languages() {
  return JSON.parse(document.documentElement.dataset.languages ?? '{"en": "English"}');
}

/** The language after this one, which a button offers. */
export function nextLanguage() {
  const codes = Object.keys(languages());
  return codes[(codes.indexOf(current) + 1) % codes.length] ?? ENGLISH;
}

/**
 * The language asked for, else the browser's, else English.
 * @param {string} wanted
 */
export function choose(wanted) {
  const asked = [wanted, ...navigator.languages].map((name) => name.slice(0, 2).toLowerCase());
  return asked.find((name) => name in languages()) ?? ENGLISH;
}

export function language() {
  return current;
}

/**
 * Speak a language from now on; the texts in the HTML follow at once.
 * @param {string} name
 */
export async function speak(name) {
  words = { ...(await wordsIn(ENGLISH)), ...(name === ENGLISH ? {} : await wordsIn(name)) };
  current = name;
  plurals = new Intl.PluralRules(name);
  document.documentElement.lang = name;
  translate(document.body);
}

/**
 * The words of a language: they come with the page, unless it is sent in parts.
 * @param {string} name
 * @returns {Promise<Record<string, string>>}
 */
async function wordsIn(name) {
  const come = /** @type {{othellierWords?: Record<string, Record<string, string>>}} */ (globalThis).othellierWords?.[name];
  if (come) return come;
  const answer = await fetch(`api/v1/languages/${name}`);
  if (!answer.ok) throw new Error(`i18n/${name}.json: ${answer.status}`);
  return answer.json();
}

/**
 * The text of a key. `{name}` is filled in; `{name:disc|discs}` is the form that suits the number of that name.
 * @param {string} key
 * @param {Params} [params]
 */
export function t(key, params = {}) {
  return (words[key] ?? key).replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in params)) return whole;
    if (one === undefined) return String(params[name]);
    return plurals.select(Math.abs(Number(params[name]))) === "one" ? one : many;
  });
}

/**
 * Whether a key has a text: for words that come from the server.
 * @param {string} key
 */
export function has(key) {
  return key in words;
}

/**
 * Fill in the texts that an element's HTML names: `data-t` its words, `data-t-label` its name and title.
 * @param {Element} root
 */
function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) {
    element.textContent = t(/** @type {HTMLElement} */ (element).dataset.t ?? "");
  }
  for (const element of root.querySelectorAll("[data-t-label]")) {
    const label = t(/** @type {HTMLElement} */ (element).dataset.tLabel ?? "");
    element.setAttribute("aria-label", label);
    if (element.tagName === "BUTTON") element.setAttribute("title", label);
  }
}

/**
 * A signed number with a true minus sign and at most one decimal: +3, −2.5, 0 (in French with a comma).
 * @param {number} value
 * @param {number} [decimals]
 */
export function signed(value, decimals = 1) {
  const rounded = Number(value.toFixed(decimals));
  if (rounded === 0) return "0";
  return (rounded > 0 ? "+" : "−") + number(Math.abs(rounded), decimals);
}

/**
 * @param {number} value
 * @param {number} [decimals]
 */
export function number(value, decimals = 0) {
  return value.toLocaleString(current, { maximumFractionDigits: decimals }).replace("-", "−");
}

/** @param {number} share between 0 and 1 */
export function percent(share) {
  return share.toLocaleString(current, { style: "percent", maximumFractionDigits: 0 });
}
