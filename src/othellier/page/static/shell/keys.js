// Keys on the whole page, as the table of actions has them. Inside the board the arrows belong to the board.

import { act, actionNames, actionOf } from "./actions.js";
import { tellCopied } from "./share.js";
import { toast } from "./toast.js";
import { lineText, takeIn } from "./transfer.js";
import { options } from "./options.js";
import { t } from "./i18n.js";

const NAMES = /** @type {Record<string, string>} */ ({
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
});

/**
 * The keys of an action in words, the first one, or all of them.
 * @param {string} action
 * @param {boolean} [all]
 */
export function keyWords(action, all = false) {
  const usable = (actionOf(action)?.keys ?? []).filter((key) => options.letters || key.length > 1 || key === "?");
  const names = usable.map((key) => key.split("+").map((part) => t1(NAMES[part] ?? part)).join("+"));
  return (all ? names : names.slice(0, 1)).join(" · ");
}

/** @param {string} key */
function t1(key) {
  const translated = t(`key.${key}`);
  return translated.startsWith("key.") ? key : translated;
}

/** @param {KeyboardEvent} event */
function keyName(event) {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (key === "?") return key;
  const control = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  return `${control}${event.shiftKey ? "Shift+" : ""}${key}`;
}

/**
 * What a key is meant for, if anything: a dialog that has just been closed keeps the focus for a moment.
 * @param {EventTarget | null} target
 */
function inFocus(target) {
  return target instanceof Element && target.checkVisibility() ? target : null;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return Boolean(inFocus(target)?.closest("input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable]"));
}

/**
 * Whether the thing in focus uses the key itself: arrows in a list of tabs, scrolling in a panel.
 * @param {KeyboardEvent} event
 */
function isTaken({ key, target }) {
  const focus = inFocus(target);
  if (/^(Arrow|Home|End)/.test(key) && focus?.closest("[role=tablist], [role=slider]")) return true;
  return /^(Arrow(Up|Down)|Page|Home|End)/.test(key) && focus?.matches("[role=tabpanel], .lesson") === true;
}

export function setUpKeys() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || isTyping(event.target) || document.querySelector("dialog[open], :popover-open")) return;
    const name = keyName(event);
    if (!options.letters && name.length === 1 && name !== "?") return;
    if (name === "Ctrl+C" || name === "Ctrl+V") return; // the clipboard's own events follow, below
    const action = actionNames().find((each) => actionOf(each)?.keys?.includes(name));
    if (!action) return;
    if (isTaken(event)) return;
    event.preventDefault();
    act(action);
  });
  addEventListener("copy", (event) => {
    if (isTyping(event.target) || document.querySelector("dialog[open]") || getSelection()?.toString()) return;
    event.clipboardData?.setData("text/plain", lineText());
    event.preventDefault();
    tellCopied(lineText());
  });
  addEventListener("paste", (event) => {
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    event.preventDefault();
    if (files.length) takeIn(files);
    else if (text.trim()) takeIn(text);
    else toast(t("import.nothing"), { kind: "error" });
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    if (files.length) takeIn(files);
    else if (text.trim()) takeIn(text);
  });
}
