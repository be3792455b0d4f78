// What goes on at the server while one plays, an import of many games or their analysis: how far it has come, and a way
// to stop it. The browser remembers it, so that a page that is loaded anew shows it again.

import { api, ApiError } from "./api.js";
import { complain } from "./toast.js";
import { h } from "./dom.js";
import { number, t } from "./i18n.js";

/** @typedef {import("./types").JobView} JobView */
/**
 * @typedef {object} Job
 * @property {string} job
 * @property {"import" | "analysis"} kind
 * @property {string} file whose games are imported
 * @property {number} total games to be analysed
 */

const KEY = "othellier.jobs";
const ASK = 500; // milliseconds between questions how far it has come
const RETRY = 3000; // and while the server does not answer

/** @returns {Job[]} */
export function rememberedJobs() {
  try {
    const jobs = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(jobs) ? jobs.filter((each) => typeof each?.job === "string" && (each.kind === "import" || each.kind === "analysis")) : [];
  } catch {
    return []; // damaged, or storage is forbidden here
  }
}

/** @param {Job[]} jobs */
function remember(jobs) {
  try {
    localStorage.setItem(KEY, JSON.stringify(jobs));
  } catch {
    // It is forgotten when the page is loaded anew; the job goes on.
  }
}

/**
 * Show a job until it has ended. Gives what became of it, and whether it was stopped.
 * @param {Job} job
 * @returns {Promise<JobView & {stopped: boolean}>}
 */
export async function followJob(job) {
  const others = () => rememberedJobs().filter((each) => each.job !== job.job);
  remember([...others(), job]);
  const strip = new Strip(job);
  try {
    for (;;) {
      const view = await asked(job.job);
      if (view?.done) return { ...view, stopped: strip.stopped };
      if (view) strip.show(view);
      await new Promise((resolve) => setTimeout(resolve, view ? ASK : RETRY));
    }
  } finally {
    remember(others());
    strip.place.remove();
  }
}

/**
 * How far a job has come; null while no server answers.
 * @param {string} job
 */
async function asked(job) {
  try {
    return await api.job(job);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "not_found") throw new ApiError({ code: "job_gone", message: "the server was started anew meanwhile" });
    if (error.code !== "offline" && error.code !== "no_answer") throw error;
    return null;
  }
}

/** The strip below the board that tells of one job. */
class Strip {
  /** @param {Job} job */
  constructor(job) {
    this.job = job;
    this.stopped = false;
    this.words = h("p", { role: "status" });
    this.bar = h("progress", { max: 1, "aria-label": this.name() });
    this.stop = h("button.plain", { onclick: () => this.cancel() }, t("cancel"));
    this.place = h("div.job", {}, this.words, this.stop, this.bar);
  }

  name() {
    const { kind, file, total } = this.job;
    return kind === "import" ? t("import.importing", { file }) : t("bulk.analysing", { n: total, count: number(total) });
  }

  /** @param {JobView} view */
  show({ progress, games, failed }) {
    if (!this.place.isConnected) stack().append(this.place);
    this.bar.value = progress;
    const left = failed ? ` ${t("import.left_out", { n: failed, count: number(failed) })}` : "";
    this.words.textContent = `${this.name()} ${t(this.job.kind === "import" ? "import.progress" : "bulk.progress", { n: games, count: number(games) })}${left}`;
  }

  /** Stop it; what is there stays. */
  cancel() {
    this.stopped = true;
    this.stop.disabled = true;
    api.stopJob(this.job.job).catch(complain);
  }
}

/** Where the strips lie, one above the other. */
function stack() {
  const there = document.querySelector(".jobs");
  if (there) return there;
  const made = h("div.jobs");
  document.body.append(made);
  return made;
}
