// The rules in short, with a search: pages that are loaded when they are opened.

import { WORLD } from "../model/board.js";
import { findRules, partsOf } from "../model/rules.js";
import { _, ngettext, spoken } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";

// A button that opens the rules of a game. `ruleset()`: which.
export function rulesButton(ruleset) {
  return h("button", { type: "button", onclick: () => openRules(ruleset()) }, _("Rules in short"));
}

export async function openRules(ruleset) {
  const { files } = document.getElementById("app").dataset;
  const title = WORLD.games[ruleset]?.name ?? ruleset;
  const load = (name) => fetch(`${files}rules/${name}.${spoken.code}.json`).then((answer) => answer.json()).catch(() => null);
  const [pages, synonyms] = await Promise.all([load(ruleset), load("words")]);
  if (!pages || !synonyms) return openDialog(title, h("p", { class: "wrong", role: "alert" }, _("The rules cannot be loaded just now: the server does not answer. Please try again later.")));
  const list = h("div", {});
  const found = h("p", { role: "status" });
  const field = h("input", { type: "search", "aria-label": _("Search the rules"), placeholder: _("Search the rules"), oninput: () => show(field.value) });
  const show = (words) => {
    const spots = findRules(pages, synonyms, words);
    const chapters = [...new Set(spots.map(([page, chapter]) => pages[page][1][chapter]))];
    const hits = new Set(spots.map(([page, chapter, part]) => partsOf(pages[page][1][chapter])[part]));
    list.replaceChildren(...words.trim() ? chapters.map((chapter) => chapterShown(chapter, hits)) : pages.map(([name, all]) => h("section", {}, h("h3", {}, name), ...all.map((chapter) => chapterShown(chapter)))));
    setText(found, !words.trim() ? "" : chapters.length ? ngettext("{n} chapter", "{n} chapters", chapters.length)
      : _("Nothing fits. Try another word, such as ship, battle, price or retreat."));
  };
  const keys = h("p", { class: "keys" }, _("Keys: 1 to 9 choose, Enter confirms, Escape goes back, ? opens the rules."));
  openDialog(title, h("label", { class: "field" }, field), found, keys, list).classList.add("rules");
  return show("");
}

// A chapter; it is open when it was searched for, and `hits` are the texts that were found.
function chapterShown([name, paragraphs, rows], hits = new Set()) {
  const hit = (text) => ({ class: hits.has(text) ? "hit" : null });
  return h("details", { open: hits.size > 0 }, h("summary", {}, name), ...paragraphs.map((text) => h("p", hit(text), text)),
    rows.length ? h("table", {}, ...rows.map((row) => h("tr", hit(row.join(" ")), ...row.map((cell) => h("td", {}, cell))))) : null);
}
