// Puts the page together and starts it. Everything is drawn from the store once the first state has come.

import { act, isDark } from "./actions.js";
import { adopt, onOptions, options } from "./options.js";
import { api, ApiError, wordsOf } from "./api.js";
import { byId, h } from "./dom.js";
import { choose, language, speak, t } from "./i18n.js";
import { drawTabs, setUpPanel } from "./panel.js";
import { resume } from "../play/game.js";
import { setUpAnnouncer } from "../play/announcer.js";
import { setUpBars } from "../play/player-bars.js";
import { setUpControls } from "../play/controls.js";
import { setUpEndCard } from "../play/end-card.js";
import { setUpGraph } from "../play/graph.js";
import { setUpKeys } from "./keys.js";
import { setUpReading } from "../play/position-info.js";
import { focusTable, setUpTable } from "../play/game-board.js";
import { subscribe } from "./store.js";
import { toast } from "./toast.js";

const RETRY = 1500; // milliseconds between attempts while no server answers

/** @param {number} time */
const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function start() {
  applyTheme();
  await reach();
  setUpTable();
  setUpBars();
  setUpControls();
  setUpPanel();
  setUpReading();
  setUpGraph();
  setUpAnnouncer();
  setUpEndCard();
  setUpKeys();
  document.body.classList.add("ready");
  await resume();
  tellStore().catch(() => {}); // a server that has gone meanwhile is told of by the socket
}

/** Games that cannot be kept are worth a word before they are played. */
async function tellStore() {
  const { store } = await api.info();
  if (store.message) toast(t(store.ok ? "store.repaired" : "store.failed", { reason: store.message }), { kind: "error" });
}

/** Options and words: without them there is nothing to show, so this waits for a server that is not yet there. */
async function reach() {
  for (;;) {
    try {
      const [stored, { default: asked }] = await Promise.all([api.options(), api.languages(), speak(choose(options.language))]);
      adopt(stored);
      const wanted = choose(options.language || asked || "");
      if (language() !== wanted) await speak(wanted);
      return;
    } catch (error) {
      if (error instanceof ApiError && error.code !== "offline") throw error;
      byId("banner").textContent = language() === "fr" || navigator.language.startsWith("fr") ? "Connexion au serveur…" : "Connecting to the server…";
      await rest(RETRY);
    } finally {
      byId("banner").textContent = "";
    }
  }
}

function applyTheme() {
  const dark = isDark();
  Object.assign(document.documentElement.dataset, { theme: dark ? "dark" : "light", board: options.board, discs: options.discs });
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
onOptions(applyTheme);

let spoken = "";
subscribe(() => {
  if (spoken === language()) return;
  spoken = language();
  byId("language").textContent = spoken === "en" ? "fr" : "en";
  drawTabs();
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("header.top [data-do]") : null;
  const nav = byId("nav");
  if (button instanceof HTMLElement) {
    const name = button.dataset.do ?? "";
    act(name);
    if (name === "menu") return;
  }
  if (nav.classList.contains("open")) act("menu");
});

// The address names the game: this link must not change it.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  focusTable();
});

start().catch((error) => {
  byId("board").replaceChildren(h("p.broken", { role: "alert" }, `${t("broken")} ${wordsOf(error)}`));
});
