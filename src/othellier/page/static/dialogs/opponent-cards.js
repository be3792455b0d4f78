// Choosing a player by its card: the ladder of those who play as people do and of the levels, then the classical
// algorithms with what can be chosen about them. To a screen reader it is one group of radio buttons.

import { algorithms, choicesOf, choiceWords, isCard, parseSpec, playerText, specName, specOf } from "../play/opponents.js";
import { api } from "../shell/api.js";
import { face } from "../play/faces.js";
import { field, select } from "./dialog.js";
import { h } from "../shell/dom.js";
import { has, t } from "../shell/i18n.js";
import { isBeaten } from "../play/streak.js";
import { levelName, levelRating } from "../shell/words.js";
import { options } from "../shell/options.js";

/** @typedef {Omit<import("../shell/types").PlayerView, "label">} PlayerSpec */
/** @typedef {import("../shell/types").LevelView} Level */

/** @type {Promise<import("../shell/types").PlayersView> | null} */
let asked = null;

/** The levels and players the server has; asked for once. */
export function players() {
  asked ??= api.players().catch((error) => ((asked = null), Promise.reject(error)));
  return asked;
}

let groups = 0; // of cards on the page so far: each has names of its own

/**
 * The cards, one of them chosen.
 * @param {import("../shell/types").PlayersView} known
 * @param {PlayerSpec} chosen
 * @param {{legend: string, human?: boolean, onchange?: () => void}} more whether a person may be chosen
 */
export function opponentCards(known, chosen, { legend, human = false, onchange = () => {} }) {
  const group = `cards-${(groups += 1)}`;
  /** @type {Map<string, () => PlayerSpec>} what every card stands for, by its value */
  const meanings = new Map();
  const first = chosen.kind === "human" ? "human" : playerText(chosen);
  const start = chosen.kind === "player" && isCard(chosen.spec ?? "") ? `@${parseSpec(chosen.spec ?? "").name}` : first;

  /**
   * @param {string} value
   * @param {PlayerSpec} shown whose face it has
   * @param {string} name
   * @param {string} strength
   * @param {string} note
   * @param {() => PlayerSpec} [meaning]
   */
  const card = (value, shown, name, strength, note, meaning = () => shown) => {
    const id = `${group}-${meanings.size}`;
    meanings.set(value, meaning);
    return h(
      "label.card",
      {},
      h("input", { type: "radio", name: group, value, checked: value === start, "aria-labelledby": `${id}-name`, "aria-describedby": `${id}-note`, onchange: changed }),
      h(isBeaten(value) ? "span.starred" : "span", {}, face(shown)),
      h("span.card-name", { id: `${id}-name` }, h("strong", {}, name), " ", strength && h("span.muted", {}, strength), isBeaten(value) && h("span.hidden", {}, t("card.beaten"))),
      h("span.card-note", { id: `${id}-note` }, note),
    );
  };

  const person = h("input", { value: chosen.kind === "human" ? chosen.name ?? "" : options.name, maxlength: 60, autocomplete: "off" });
  const ladder = known.levels.map((level) => {
    const strength = level.rating === null ? "" : t("card.rating", { n: levelRating(level.rating) });
    return card(level.level, { kind: "level", level: level.level }, levelName(level.level), strength, characterWords(level));
  });
  const there = algorithms().filter((name) => known.players.some((player) => player.name === name));
  const details = new Map(there.map((name) => [name, algorithmChoices(name, chosen, changed)]));
  const searches = there.map((name) =>
    card(`@${name}`, { kind: "player", spec: name }, t(`algorithm.${name}`), "", t(`about.${name}`), () => ({ kind: "player", spec: specOf(name, details.get(name)?.options ?? {}) })),
  );
  // Whoever sits there already and has no card, such as a player of the laboratory, gets one.
  if (!meanings.has(start) && chosen.kind === "player") searches.push(card(start, chosen, specName(chosen.spec ?? ""), "", t("card.other")));

  const own = field(t("player.name"), person);
  const places = [...details].map(([, { element }]) => element);
  const element = h(
    "fieldset.cards",
    {},
    h("legend", {}, legend),
    h("div.card-row", {}, human && card("human", { kind: "human" }, t("player.human"), "", t("card.human"), () => ({ kind: "human", name: person.value.trim() })), ladder),
    own,
    h("p.row-title", {}, t("card.algorithms")),
    h("div.card-row", {}, searches),
    ...places,
  );
  if (!picked()) element.querySelector("input")?.click();
  show();

  function picked() {
    return /** @type {HTMLInputElement | null} */ (element.querySelector(`input[name="${group}"]:checked`));
  }

  function show() {
    const value = picked()?.value ?? "";
    own.hidden = value !== "human";
    for (const [name, { element: place }] of details) place.hidden = value !== `@${name}` || !choicesOf(name).length;
  }

  function changed() {
    show();
    onchange();
    places.find((place) => !place.hidden)?.scrollIntoView({ block: "nearest" });
  }

  return {
    element,
    /** @returns {PlayerSpec} */
    value: () => meanings.get(picked()?.value ?? "")?.() ?? chosen,
    /** Bring the chosen card into sight, once the cards are on the page. */
    reveal: () => picked()?.closest(".card")?.scrollIntoView({ block: "nearest", inline: "center" }),
    focus: () => picked()?.focus(),
  };
}

/**
 * The few things to choose about an algorithm.
 * @param {string} name
 * @param {PlayerSpec} chosen
 * @param {() => void} changed
 */
function algorithmChoices(name, chosen, changed) {
  const known = parseSpec(chosen.spec ?? "");
  /** @type {Record<string, string>} */
  const taken = known.name === name ? { ...known.options } : {};
  const fields = choicesOf(name).map((choice) =>
    field(
      t(`option.${choice.name}`),
      select(choice.choices.map((value) => [value, choiceWords(choice.name, value)]), taken[choice.name] ?? choice.usual, (value) => ((taken[choice.name] = value), changed())),
    ),
  );
  return { element: h("div.row.choices", { role: "group", "aria-label": t(`algorithm.${name}`) }, fields), options: taken };
}

/**
 * What a level does, in a sentence.
 * @param {Level} level
 */
function characterWords({ level, depth, exact_empties: exact }) {
  if (has(`person.${level}`)) return t(`person.${level}`);
  if (depth < 2) return t(depth ? "strength.ahead" : "strength.thought");
  return depth < 60 ? t("strength.search", { depth, exact }) : t("strength.clock");
}
