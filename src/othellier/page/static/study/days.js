// Days from now on, for what comes back.

/** @param {string} day a date, ISO 8601 */
export function daysUntil(day) {
  return Math.max(0, Math.round((Date.parse(day) - Date.now()) / 86400000 + 0.5));
}
