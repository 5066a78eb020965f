// Light or dark: as the device wishes, or as was chosen here. The choice is kept in this browser.

import { _ } from "../words/language.js";
import { h, setText } from "./dom.js";

const KEPT_THEME = "conquest-theme";
const THEMES = ["", "light", "dark"]; // "": as the device wishes

// Browsers can forbid storage; then a choice lasts as long as the page.
function keptTheme() {
  try {
    return localStorage.getItem(KEPT_THEME) ?? "";
  } catch {
    return "";
  }
}

function keepTheme(theme) {
  try {
    localStorage.setItem(KEPT_THEME, theme);
  } catch {
    // It lasts as long as the page.
  }
}

function wear(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function themeWords(theme) {
  return { light: _("Light colours"), dark: _("Dark colours") }[theme] ?? _("Colours of the device");
}

export function wearKeptTheme() {
  wear(keptTheme());
}

// A button that goes through the three choices.
export function themeSwitch() {
  const words = h("span", { class: "hidden" });
  const sign = h("span", { "aria-hidden": "true" });
  const tell = () => {
    const theme = document.documentElement.dataset.theme ?? "";
    setText(sign, { light: "☀", dark: "☾" }[theme] ?? "◐");
    setText(words, themeWords(theme));
    button.title = themeWords(theme);
  };
  const turn = () => {
    const theme = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "") + 1) % THEMES.length];
    keepTheme(theme);
    wear(theme);
    tell();
  };
  const button = h("button", { type: "button", class: "theme", onclick: turn }, sign, words);
  tell();
  return button;
}
