// A large import that goes on while one plays: how far it has come, and a way to stop it.

import { api } from "./api.js";
import { complain } from "./toast.js";
import { h } from "./dom.js";
import { number, t } from "./i18n.js";

/** The strip below the board that tells of one import. */
export class ImportProgress {
  /** @param {string} file */
  constructor(file) {
    this.stopped = false;
    this.file = file;
    this.job = "";
    this.words = h("p", { role: "status" });
    this.bar = h("progress", { max: 1, "aria-label": t("import.importing", { file }) });
    this.stop = h("button.plain", { onclick: () => this.cancel() }, t("cancel"));
    this.place = h("div.importing", {}, this.words, this.stop, this.bar);
  }

  /**
   * Show how far it has come.
   * @param {import("./types").JobView} job
   */
  show({ job, progress, games, failed }) {
    this.job = job;
    if (!this.place.isConnected) document.body.append(this.place);
    this.bar.value = progress;
    const left = failed ? ` ${t("import.left_out", { n: failed, count: number(failed) })}` : "";
    this.words.textContent = `${t("import.importing", { file: this.file })} ${t("import.progress", { n: games, count: number(games) })}${left}`;
  }

  /** Stop it; what is there stays. */
  cancel() {
    this.stopped = true;
    this.stop.disabled = true;
    api.stopJob(this.job).catch(complain);
  }

  close() {
    this.place.remove();
  }
}
