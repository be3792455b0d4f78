// Puts the page together and starts it. Everything is drawn from the store once the first state has come.

import { isDark, switchedOn } from "./actions.js";
import { adopt, isKnown, onOptions, options, rememberOptions } from "./options.js";
import { api, ApiError, wordsOf } from "./api.js";
import { byId, h } from "./dom.js";
import { choose, language, speak, t } from "./i18n.js";
import { drawTabs, setUpPanel } from "./panel.js";
import { resume } from "../play/game.js";
import { setUpAnnouncer } from "../play/announcer.js";
import { setUpBars } from "../play/player-bars.js";
import { setUpControls } from "../play/controls.js";
import { setUpEvalBar } from "../play/eval-bar.js";
import { setUpSound } from "../play/sound.js";
import { setUpValues } from "../play/wanted-values.js";
import { setUpEndCard } from "../play/end-card.js";
import { setUpHeader } from "./buttons.js";
import { setUpGraph } from "../play/graph.js";
import { setUpKeys } from "./keys.js";
import { setUpOpposite } from "../play/opposite.js";
import { setUpReading } from "../play/position-info.js";
import { focusTable, setUpTable } from "../play/game-board.js";
import { resumeJobs } from "./transfer.js";
import { subscribe, update } from "./store.js";
import { whenQuiet } from "../play/pace.js";
import { toast } from "./toast.js";

const RETRY = 1500; // milliseconds between attempts while no server answers
const SETTLED = 2000; // until the page is kept: it takes a processor a tenth of a second, and the first discs turn before

/** @param {number} time */
const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function start() {
  applyTheme();
  await reach();
  setUpHeader();
  setUpTable();
  setUpBars();
  setUpControls();
  setUpPanel();
  setUpOpposite();
  setUpReading();
  setUpGraph();
  setUpEvalBar();
  setUpValues();
  setUpAnnouncer();
  setUpEndCard();
  setUpSound();
  setUpKeys();
  document.body.classList.add("ready");
  if (!rememberOptions()) toast(t("storage.none"));
  await patiently(resume);
  resumeJobs();
  setTimeout(() => whenQuiet(keepPage), SETTLED);
}

/** Words and options. They come with the page and from this browser; only a newcomer asks the server for both. */
async function reach() {
  const asked = document.documentElement.dataset.language ?? "";
  await speak(choose(options.language || asked));
  if (!isKnown()) adopt(await patiently(api.options));
  const wanted = choose(options.language || asked);
  if (language() !== wanted) await speak(wanted);
}

/**
 * The answer to a question that cannot be done without: this waits for a server that is not yet there.
 * @template T
 * @param {() => Promise<T>} question
 * @returns {Promise<T>}
 */
async function patiently(question) {
  const banner = byId("banner");
  for (;;) {
    try {
      const answer = await question();
      banner.textContent = "";
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "offline") throw error;
      banner.textContent = t("connection.none");
      await rest(RETRY);
    }
  }
}

/** Installed or not: the page is kept, so that it opens at once, and without a server too. */
function keepPage() {
  if (!("serviceWorker" in navigator) || !document.querySelector('script[src*="assets/"]')) return;
  navigator.serviceWorker.register("sw.js").catch(() => {}); // storage that is forbidden or full: the page works without
}

function applyTheme() {
  const dark = isDark();
  Object.assign(document.documentElement.dataset, { theme: dark ? "dark" : "light", board: options.board, discs: options.discs, on: switchedOn().join(" ") });
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
onOptions(() => (applyTheme(), update())); // everything may depend on them

let spoken = "";
subscribe(() => {
  if (spoken === language()) return;
  spoken = language();
  drawTabs();
});

// The address names the game: this link must not change it.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  focusTable();
});

start().catch((error) => {
  byId("board").replaceChildren(h("p.broken", { role: "alert" }, `${t("broken")} ${wordsOf(error)}`));
});
