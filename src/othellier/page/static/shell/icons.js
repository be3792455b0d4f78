// The little pictures on buttons, as SVG paths on a field of 20 by 20: filled shapes, and lines.

/** @type {Record<string, string>} */
const SHAPES = {
  first: "M5 4v12M15 4.5 8.5 10l6.5 5.5z",
  last: "M15 4v12M5 4.5l6.5 5.5L5 15.5z",
  back: "M12.5 4.5 6 10l6.5 5.5z",
  turn: "M16.5 4.5 10 10l6.5 5.5zM9.5 4.5 3 10l6.5 5.5z",
  forward: "M7.5 4.5 14 10l-6.5 5.5z",
  stop: "M6.5 5h7a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 5 13.5v-7A1.5 1.5 0 0 1 6.5 5z",
  play: "M6 4l10 6-10 6z",
  more: "M3.5 10a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM9 10a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM14.5 10a1 1 0 1 0 2 0 1 1 0 1 0-2 0z",
};

/** @type {Record<string, string>} */
const LINES = {
  undo: "M7.5 4 3.5 8l4 4M3.5 8h8a4.5 4.5 0 0 1 0 9H8",
  hint: "M7.5 14.5c0-2-2.5-3-2.5-6.2a5 5 0 0 1 10 0c0 3.2-2.5 4.2-2.5 6.2zM8 17.5h4",
  coach: "M3 8.5 10 5l7 3.5-7 3.5zM6 10.2v3.6c2.4 1.8 5.6 1.8 8 0v-3.6M17 8.5v4.5",
  flag: "M5 17V3.5M5 4.5h9.5l-2.5 3 2.5 3H5",
  values: "M3 6.5h5M5.5 4v5M12 6.5h5M4 15.5 8 11.5M4 11.5l4 4M12 12h5M12 15h5",
  swap: "M3.5 7h12l-3.5-3.5M16.5 13h-12l3.5 3.5",
  menu: "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
  moon: "M16.5 11.7A7 7 0 1 1 8.3 3.5a5.6 5.6 0 0 0 8.2 8.2z",
  gear: "M3 6h6M13 6h4M3 14h3M10 14h7M9 6a2 2 0 1 0 4 0 2 2 0 1 0-4 0M6 14a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  close: "M5 5l10 10M15 5 5 15",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 10.5h6.6L14 6M8.5 9v5M11.5 9v5",
  up: "M10 16V4.5M5 9.5l5-5 5 5",
  pen: "M4 16l1-4 8.5-8.5 3 3L8 15zM11.5 5.5l3 3",
  tag: "M3.5 3.5h6l7 7-6 6-7-7zM7 7h0",
};

/**
 * What to draw for a name, and whether to fill it.
 * @param {string} name
 * @returns {{d: string, fill?: "none"}}
 */
export function drawing(name) {
  const shape = SHAPES[name];
  if (shape) return { d: shape };
  return { d: LINES[name] ?? "", fill: "none" };
}
