// Handing things on: to the clipboard, to another program, as a picture. A page that is not served over a secure line,
// as on a phone in the same room, has neither the clipboard nor the sharing of its system: then the old ways serve.

import { complain, toast } from "./toast.js";
import { download } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const SHORT = 24; // signs of a copied text that remind of it

/**
 * Say that a text was copied.
 * @param {string} text
 */
export function tellCopied(text) {
  toast(t("copied", { text: text.length > SHORT ? `${text.slice(0, SHORT)}…` : text }));
}

/**
 * Copy a text, and say so.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyByHand(text)) return toast(text); // it can at least be read
  }
  tellCopied(text);
}

/** @param {string} text */
function copyByHand(text) {
  const box = h("textarea", { readonly: true, "aria-hidden": "true" });
  box.value = text;
  const place = document.querySelector("dialog[open]") ?? document.body;
  place.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

/**
 * Hand on what the system can hand on, else do something else with it.
 * @param {ShareData} what
 * @param {() => void} otherwise
 */
export function share(what, otherwise) {
  if (!navigator.canShare?.(what)) return otherwise();
  navigator.share(what).catch((error) => {
    if (!(error instanceof DOMException && error.name === "AbortError")) complain(error); // the player thought better of it
  });
}

const SIZE = 1080; // pixels

/**
 * A picture of the board as a PNG.
 * @param {string} url of its SVG
 * @returns {Promise<Blob>}
 */
export async function picture(url) {
  const image = new Image(SIZE, SIZE);
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, SIZE, SIZE);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
