// Runs before the first paint, so that the remembered theme and language do not flash: nothing else belongs here.
(() => {
  let options = {};
  try {
    options = JSON.parse(localStorage.getItem("othellier.options") ?? "{}") ?? {};
  } catch {
    // Damaged or forbidden storage: the defaults of options.js.
  }
  const { theme, language, board, discs } = /** @type {Record<string, string | undefined>} */ (options);
  if (board) document.documentElement.dataset.board = board;
  if (discs) document.documentElement.dataset.discs = discs;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const known = JSON.parse(document.documentElement.dataset.languages ?? "{}");
  const wanted = [language ?? "", ...navigator.languages].map((name) => name.slice(0, 2).toLowerCase());
  document.documentElement.lang = wanted.find((name) => name in known) ?? "en";
})();
