// The faces of the opponents, drawn in a circle of 48 by 48: people for those who play as people do, growing plants for
// the six levels of old, an owl for the strongest, robots for the algorithms. Each is a list of shapes, one above the
// other, so that a face is some lines here and nothing to fetch.
//
//     "o COLOUR x y r [ry]"   a disc, or an ellipse
//     "p COLOUR path"         an area
//     "l COLOUR width path"   a line with round ends
//
// An "e" or "m" before it says that it is an eye or the mouth: these change with the mood.

import { s } from "../shell/dom.js";

const INK = "#33272a";
const CHEEK = "#d8482f3d";

/**
 * A person: background, clothes, hair behind the head, head, eyes, mouth; then what makes this one.
 * @param {string} ground
 * @param {string} cloth
 * @param {string} skin
 * @param {string[]} behind
 * @param {string} mouth a line, or "" where one of the own shapes is the mouth
 * @param {string[]} own
 */
function person(ground, cloth, skin, behind, mouth, own) {
  return [
    `o ${ground} 24 24 24`,
    ...behind,
    `p ${cloth} M5 48C5 39 13 36 24 36S43 39 43 48Z`,
    `p ${skin} M19.5 29H28.500V37A4.5 3.5 0 0 1 19.5 37Z`,
    `o ${skin} 24 23 9.8 10.8`,
    `o ${CHEEK} 17.8 26.5 2`,
    `o ${CHEEK} 30.2 26.5 2`,
    `eo ${INK} 20 23 1.5`,
    `eo ${INK} 28 23 1.5`,
    ...(mouth ? [`ml ${INK} 1.5 ${mouth}`] : []),
    ...own,
  ];
}

const SMILE = "M20.5 28.300Q24 31.3 27.5 28.3";

/**
 * A robot: its head with a dark screen, on which its eyes light up.
 * @param {string} ground
 * @param {string} metal
 * @param {string[]} own
 */
function robot(ground, metal, own) {
  return [
    `o ${ground} 24 24 24`,
    `p ${metal} M13 48V44A4 4 0 0 1 17 40H31A4 4 0 0 1 35 44V48Z`,
    `l ${metal} 3 M24 36V42M8.5 22V29M39.5 22V29`,
    `p ${metal} M16 12H32A6 6 0 0 1 38 18V31A6 6 0 0 1 32 37H16A6 6 0 0 1 10 31V18A6 6 0 0 1 16 12Z`,
    "p #22303a M17 16.500H31A3.5 3.5 0 0 1 34.5 20V29A3.5 3.5 0 0 1 31 32.500H17A3.5 3.5 0 0 1 13.5 29V20A3.5 3.5 0 0 1 17 16.500Z",
    ...own,
  ];
}

const LIGHT = "#8ff0d2";
const WARM = "#ffd36b";

/** A plant's eyes and mouth, about a middle. @param {number} y @param {string} ink */
const plantFace = (y, ink) => [`o ${ink} 20.8 ${y} 1.4`, `o ${ink} 27.2 ${y} 1.4`, `l ${ink} 1.4 M22 ${y + 3.4}Q24 ${y + 5} 26 ${y + 3.4}`];

/** @type {Record<string, string[]>} */
const FACES = {
  pip: person("#ffd76e", "#4a90c2", "#f6cfa8", [], "", [
    "p #8a5a2b M14.3 21C14 12 20 10.5 24 10.800C30 10.5 34 13 33.7 21C31.5 16.5 28 15.5 24 15.800C20 15.5 16.5 16.5 14.3 21Z",
    "l #8a5a2b 2.2 M24 12C23 8.5 21 7.5 19 8M24 12C24.5 8 27 6 29.5 6.8",
    `mp ${INK} M20 27.500H28C28 31.5 26 32.6 24 32.600S20 31.5 20 27.500Z`,
    "mp #ffffff M22.3 27.500H25.700V29.400H22.300Z",
  ]),
  nora: person("#a5d8f3", "#e2574c", "#fbdcc0", ["o #d9772b 9.5 27 5", "o #d9772b 38.5 27 5", "o #d9772b 24 19.5 12.5 11.5"], "", [
    "p #d9772b M13.9 22C14 14 18 12 24 12S34 14 34.1 22C30 20.5 27 18.5 24.5 15.500C22 18.5 18.5 21 13.9 22Z",
    "l #3c6fb0 2 M13 24.500L11.5 29M35 24.500L36.5 29",
    `mp ${INK} M19.5 27.500H28.500C28 31.3 26 32.3 24 32.300S20 31.3 19.5 27.500Z`,
    "mp #ffffff M20.3 27.500H27.700L27.2 29.300H20.800Z",
  ]),
  tom: person("#b9dd9a", "#f2a33a", "#f3c9a0", ["o #6b4423 24 18 11 9"], SMILE, [
    "p #c83f3f M13.3 18.500C13.3 9.5 19 7.5 24 7.500S34.7 9.5 34.7 18.500Z",
    "p #9e2f33 M24 16.500H41C41.5 19 40 20 38 20H13.300V18Z",
    "o #ffffff 24 8 1.4",
    "o #b8734a 18.3 25.8 .6", "o #b8734a 20 27 .6", "o #b8734a 29.7 25.8 .6", "o #b8734a 28 27 .6",
  ]),
  lila: person(
    "#f7b9cf", "#7b57a8", "#a8673f",
    ["o #2e1f1c 24 19 14.5 13", "o #2e1f1c 11 24 6.5", "o #2e1f1c 37 24 6.5", "o #2e1f1c 13.5 30.5 5", "o #2e1f1c 34.5 30.5 5"],
    SMILE,
    ["p #2e1f1c M14 21.500C15 14 20 12.5 24 12.500S33 14 34 21.500C30 17.5 27 17 24 17S18 17.5 14 21.500Z", "l #ffcf4d 2.6 M14 15.500C18 11.5 30 11.5 34 15.5", "o #ffcf4d 35 14.5 2.6"],
  ),
  oscar: person("#8fd0c4", "#5d6b8a", "#efc09a", ["o #6f6a66 14.6 22 2.6 4.5", "o #6f6a66 33.4 22 2.6 4.5"], "", [
    "l #6f6a66 1.6 M18 19.300Q20 18.3 21.8 19.300M26.2 19.300Q28 18.3 30 19.3",
    "p #5a5552 M24 27C21 25.6 17.5 26.6 16.5 30C19.5 30.8 22.5 30.6 24 29.200C25.5 30.6 28.5 30.8 31.5 30C30.5 26.6 27 25.6 24 27Z",
    "l #6f6a66 1.2 M20 13.800Q24 12.2 28 13.8",
  ]),
  iris: person("#cbb9ee", "#2f7f79", "#f7d7b5", ["p #1f1d2b M11.5 33V20C11.5 11 17 8.5 24 8.500S36.5 11 36.5 20V33C33 34.5 30 33 30 30H18C18 33 15 34.5 11.5 33Z"], SMILE, [
    "p #1f1d2b M13.9 21C14.5 14 19 12 24 12S33.5 14 34.1 21C30 19.8 18 19.8 13.9 21Z",
    "l #c0392b 1.3 M16.2 23A3.8 3.8 0 1 0 23.8 23A3.8 3.8 0 1 0 16.2 23M24.2 23A3.8 3.8 0 1 0 31.8 23A3.8 3.8 0 1 0 24.2 23",
  ]),
  hugo: person("#f3c583", "#3f6d4e", "#f4cba6", [], "", [
    "p #b5541f M14.2 23C14.5 33 18 38 24 38S33.5 33 33.8 23C32 27 29 26.3 24 26.300S16 27 14.2 23Z",
    "mp #fbe3d3 M20.5 29.200H27.500C27 31.6 25.5 32.3 24 32.300S21 31.6 20.5 29.200Z",
    "p #34557a M13.3 19.500C13 10 18 6.8 24 6.800S35 10 34.7 19.500Z",
    "p #274263 M12.6 16.800H35.400V21H12.600Z",
    "o #e8e2d4 24 6.5 2.6",
  ]),
  vera: person("#f29c85", "#343a55", "#7d4a2f", ["o #c9c6cf 24 8 5.5", "o #c9c6cf 24 19.5 11.5 10.5"], "M21 28.800Q24 30.6 27.5 28.4", [
    "p #c9c6cf M13.9 22C14 14 18.5 11.5 24 11.500S34 14 34.1 22C32 17.5 27.5 16 24 16S16 17.5 13.9 22Z",
    `l ${INK} 1.4 M17.8 20.300L22 20.800M26 20.800L30.2 20.3`,
    "o #ffd34d 14.3 28.5 1.7", "o #ffd34d 33.7 28.5 1.7",
  ]),
  emil: person("#5f7fb8", "#8c2f3f", "#e8b48a", ["o #3a2a22 24 18.5 10.9 10"], "M21 28.700H27", [
    "p #3a2a22 M13.8 22C13 13 17 9 25 9S35 14 34.2 22C33 19 32 17.5 30.5 16.500C25 18 19.5 17 17.5 15C15.5 17 14.5 19 13.8 22Z",
    `l ${INK} 1.5 M17.8 20.400H21.800M26.2 20.400H30.2`,
    "p #f6f1e6 M18 36.500L24 41L30 36.500L31.5 40L24 47L16.5 40Z",
    "p #1f2a44 M24 40L19 37.500V43.500ZM24 40L29 37.500V43.500Z",
  ]),
  rosa: person("#d4526e", "#2d2a3d", "#f1c6a3", ["p #3b1f24 M10.5 40C8 28 9 8.5 24 8.500S40 28 37.5 40C34 42 31 41 30 38H18C17 41 14 42 10.5 40Z"], "", [
    "p #3b1f24 M13.8 23C13.5 14 18 11.5 24 11.500S34.5 14 34.2 23C33.5 18.5 31 16 27.5 15.500C23 19 17 19 13.8 23Z",
    `l ${INK} 1.4 M17.8 20.300Q20 19 22 20M26 20Q28 19 30.2 20.3`,
    "mp #b3243f M20.5 28.200Q24 27.2 27.5 28.200Q26.5 31.2 24 31.200T20.5 28.200Z",
    "o #ff6f7d 34 14.5 3.6", "o #ffd7dc 34 14.5 1.6", "p #4fa36a M37 17L40.5 17.500L38 20Z",
    "p #ffd34d M24 40.500L25.3 43.200L28.3 43.600L26.1 45.700L26.6 48H21.400L21.9 45.700L19.7 43.600L22.7 43.200Z",
  ]),
  kaito: person("#f0dcae", "#23426b", "#f2c79c", ["o #17171f 24 18 10.9 10"], "M21 28.600Q24 30.2 27.3 28.2", [
    "p #17171f M13.6 21L12.6 14.500L16 15L16.5 9.500L21 11.500L24.5 7.500L27.5 11.500L32 9.500L32.3 14.800L35.4 14.500L34.4 21C33 19 30 18 24 18S15 19 13.6 21Z",
    `l ${INK} 1.5 M17.8 20.700L22 21.300M26 21.300L30.2 20.7`,
    "l #d3342f 2 M18.5 36.500L24 43.500L29.5 36.5",
    "o #ffd34d 24 44.5 2.8",
  ]),

  beginner: [
    "o #cfe8f5 24 24 24", "l #4e9a51 2.4 M24 28V19", "p #6cbf5f M24 20C24 13 18 11 13 12C13 18 18 21 24 20Z", "p #58ab52 M24 20C24 13 30 11 35 12C35 18 30 21 24 20Z",
    "p #c8704a M13 27H35V31H33.500L31.5 43H16.500L14.5 31H13Z", "p #a95a39 M13 27H35V31H13Z", ...plantFace(35, INK),
  ],
  "beginner+": [
    "o #cfe8f5 24 24 24", "l #4e9a51 2.4 M24 29V12M24 22L17 16M24 19L31 14", "o #6cbf5f 15.5 15 5 4", "o #58ab52 32.5 13 5 4", "o #7fcf70 24 9.5 4.2 5", "o #58ab52 17 22.5 4.5 3.2", "o #6cbf5f 31 21.5 4.5 3.2",
    "p #c8704a M13 28H35V32H33.500L31.5 44H16.500L14.5 32H13Z", "p #a95a39 M13 28H35V32H13Z", ...plantFace(36, INK),
  ],
  amateur: [
    "o #d9ecc9 24 24 24", "p #b98d5a M0 40H48V48H0Z", "o #4f9a4a 13.5 31 8.5", "o #4f9a4a 34.5 31 8.5", "o #5fae56 24 24 12.5", "o #5fae56 24 33 14 8", "o #e2574c 15 27 1.7", "o #e2574c 34.5 30 1.7", "o #e2574c 28.5 16.5 1.7", ...plantFace(26, "#1e3d24"),
  ],
  "amateur+": [
    "o #d9ecc9 24 24 24", "p #b98d5a M0 42H48V48H0Z", "p #8a5a36 M21.5 28H26.500L27.5 44H20.500Z", "o #4f9a4a 16 21 8", "o #4f9a4a 32 21 8", "o #5fae56 24 18.5 11.5", ...plantFace(19, "#1e3d24"),
  ],
  expert: [
    "o #c4dbe8 24 24 24", "p #eef4f6 M0 41Q24 37 48 41V48H0Z", "p #6d4a30 M21.5 36H26.500V43H21.500Z", "p #2f6b54 M24 3L33 18H15Z", "p #35795f M24 9L37 28H11Z", "p #3f8a6c M24 16L41 38H7Z", "p #eef4f6 M24 3L27 8Q24 10 21 8Z", ...plantFace(27, "#10281f"),
  ],
  master: [
    "o #f6dcae 24 24 24", "p #8d9c58 M0 42H48V48H0Z", "p #6d4a30 M19 24H29L31 38L35 44H13L17 38Z", "o #3d7f43 11 19 9", "o #3d7f43 37 19 9", "o #478f4b 18 11 9", "o #478f4b 30 11 9", "o #52a053 24 17 11", "o #d99a3a 10 16 1.6", "o #d99a3a 38 20 1.6", "o #d99a3a 24 6 1.6", ...plantFace(32, "#fbe9cf"),
  ],
  grandmaster: [
    "o #27304f 24 24 24", "o #f7e3a1 37 10 4.5", "o #ffffff 9 12 .9", "o #ffffff 13 6 .7", "o #ffffff 41 22 .8",
    "p #7a5a44 M11 46C9 30 11 20 13 11L19 15.500C22 14 26 14 29 15.500L35 11C37 20 39 30 37 46Z", "p #e9d6b4 M16 48C15.5 38 19 33 24 33S32.5 38 32 48Z",
    "o #f4e6cb 18.5 23 6.2", "o #f4e6cb 29.5 23 6.2", "o #f0a83c 18.5 23 4.2", "o #f0a83c 29.5 23 4.2", "o #1d1a22 18.5 23 2.2", "o #1d1a22 29.5 23 2.2", "o #ffffff 19.5 22 .7", "o #ffffff 30.5 22 .7",
    "p #e0792f M24 25L26.5 28L24 32L21.5 28Z", "l #b08b66 1.2 M20.5 38L22 39.500L23.5 38M25 38L26.5 39.500L28 38M22.7 42L24.2 43.500L25.7 42",
  ],

  minimax: robot("#d6dbe3", "#7c8aa0", [`p ${LIGHT} M19 20L22.5 27H15.500ZM29 28L25.5 21H32.500Z`, "l #7c8aa0 2 M24 12V7", "o #ff8a65 24 6 2.4"]),
  negamax: robot("#e6ddd2", "#a08774", [`l ${LIGHT} 2.2 M16.5 24H22.500M19.5 21V27M26 24H32`, "l #a08774 2 M18 12L15 7M30 12L33 7", "o #ff8a65 15 6 2", "o #ff8a65 33 6 2"]),
  alphabeta: robot("#cfe3df", "#4f8f88", [`o ${LIGHT} 19 24 2.6`, "l #ff8a7a 2.2 M26.5 21.500L31.5 26.500M31.5 21.500L26.5 26.5", "l #4f8f88 2 M20 12L28 5M28 12L20 5"]),
  "nega-alphabeta": robot("#e8e0c8", "#94813a", [`l ${LIGHT} 2.2 M16 24H22`, "l #ff8a7a 2.2 M26.5 21.500L31.5 26.500M31.5 21.500L26.5 26.5", "l #94813a 2 M20 12L28 5M28 12L20 5"]),
  pvs: robot("#dcd5ec", "#7a68b0", [`l ${WARM} 2.2 M16 26L20.5 22L25 26L31 21`, `o ${WARM} 31 21 2`, "l #7a68b0 2.2 M24 12V8M20 8H28"]),
  mcts: robot("#f3d9cf", "#b8664a", [`l ${LIGHT} 1.2 M24 19.500L19 25M24 19.500L29 25M19 25L17 29.500M19 25L21.5 29.500M29 25L31 29.5`, `o ${WARM} 24 19.5 1.9`, `o ${LIGHT} 19 25 1.7`, `o ${LIGHT} 29 25 1.7`, `o ${LIGHT} 17 29.5 1.3`, `o ${LIGHT} 21.5 29.5 1.3`, `o ${LIGHT} 31 29.5 1.3`, "l #b8664a 2 M17 12V8M31 12V8"]),
  policy: robot("#cde0f2", "#4c7db0", [`p #e8f6ff M15.5 24.500Q24 16.5 32.5 24.500Q24 32.5 15.5 24.500Z`, "o #4c7db0 24 24.5 3.8", "o #16222c 24 24.5 1.9", "l #4c7db0 2 M24 12V8"]),
  random: [
    "o #f0cfd6 24 24 24", "p #fffaf3 M13 9H35A5 5 0 0 1 40 14V34A5 5 0 0 1 35 39H13A5 5 0 0 1 8 34V14A5 5 0 0 1 13 9Z", "l #d8c7bd 1.5 M13 9H35A5 5 0 0 1 40 14V34A5 5 0 0 1 35 39H13A5 5 0 0 1 8 34V14A5 5 0 0 1 13 9Z",
    `o ${INK} 17 19 3`, `o ${INK} 31 19 3`, "o #fffaf3 18 18 .9", "o #fffaf3 32 18 .9", "o #c83f3f 24 26 2.6", `l ${INK} 2 M17.5 32Q24 36 30.5 32`,
  ],
  other: robot("#dfe3dc", "#77806f", [`o ${LIGHT} 19 24 2.4`, `o ${LIGHT} 29 24 2.4`, `l ${LIGHT} 1.6 M20 29Q24 31 28 29`, "l #77806f 2 M24 12V7"]),
  human: person("#bfe0c8", "#2c7a4b", "#e9bd95", ["o #4a3326 24 18.5 10.8 10"], SMILE, ["p #4a3326 M13.9 22C14 13 18.5 10.5 24 10.500S34 13 34.1 22C31 17 28 16 24 16S17 17 13.9 22Z"]),
};

const BROWS = `l ${INK} 1.3 M17.8 18.500Q20 17 22 18.300M26 18.300Q28 17 30.2 18.5`;
/** What a mood draws instead of the eyes and, unless it leaves it, of the mouth. */
const MOODS = {
  glad: { eyes: [`l ${INK} 1.6 M18 24Q20 20.8 22 24M26 24Q28 20.8 30 24`], mouth: null },
  amazed: { eyes: [`o #ffffff 20 22.8 2.9`, `o #ffffff 28 22.8 2.9`, `o ${INK} 20 22.8 1.7`, `o ${INK} 28 22.8 1.7`, BROWS], mouth: [`o ${INK} 24 30 2 2.5`] },
};

/**
 * A face in a mood; one without eyes of its own kind, a robot's, stays as it is.
 * @param {string[]} shapes
 * @param {import("./mood.js").Mood} mood
 */
function inMood(shapes, mood) {
  if (!mood || !shapes.some((text) => text.startsWith("e"))) return shapes;
  const { eyes, mouth } = MOODS[mood];
  const kept = shapes.filter((text) => !text.startsWith("e") && !(mouth && text.startsWith("m")));
  return [...kept, ...eyes, ...(mouth ?? [])];
}

/** @param {string} text */
function shape(text) {
  const [kind, fill = "", ...rest] = text.replace(/^[em]/, "").split(" ");
  if (kind === "o") {
    const [cx, cy, rx, ry = rx] = rest;
    return s("ellipse", { cx, cy, rx, ry, fill });
  }
  if (kind === "p") return s("path", { d: rest.join(" "), fill });
  return s("path", { d: rest.slice(1).join(" "), fill: "none", stroke: fill, "stroke-width": rest[0], "stroke-linecap": "round", "stroke-linejoin": "round" });
}

/**
 * The face of a player; it is an ornament beside the name.
 * @param {Omit<import("../shell/types").PlayerView, "label">} player
 * @param {import("./mood.js").Mood} [mood]
 */
export function face({ kind, level = "", spec = "" }, mood = "") {
  const name = kind === "human" ? "human" : kind === "level" ? level : spec.split(":")[0] ?? "";
  const shapes = FACES[name] ?? FACES.other ?? [];
  return s("svg", { class: "portrait", viewBox: "0 0 48 48", "aria-hidden": "true", "data-face": name, "data-mood": mood || undefined }, ...inMood(shapes, mood).map(shape));
}
