// The rules in short, with a search: pages that are loaded when they are opened.

import { WORLD } from "../model/board.js";
import { findRules, partsOf } from "../model/rules.js";
import { _, ngettext, spoken } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";
import { part } from "../wire/link.js";

// A button that opens the rules of a match's game.
export function rulesButton(match) {
  return h("button", { type: "button", onclick: () => openRules(match) }, _("Rules in short"));
}

// Options of a match that differ from the rulebook, as elements. `found`: the server's description of its game.
export function changedOptions(match, found) {
  const lines = (found?.options ?? []).map((each) => part("Setting", each)).flatMap(({ key, label, labels, default: usual }) => {
    const value = match.table?.options.get(key) ?? usual;
    return value === usual ? [] : [h("li", {}, `${_(label)}: ${_(new Map(labels).get(value) ?? `${value}`)}`)];
  });
  return lines.length ? [h("section", { class: "changed" }, h("h3", {}, _("Rules of this table")), h("ul", {}, ...lines))] : [];
}

export async function openRules(match) {
  const ruleset = match.table?.ruleset ?? match.game;
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
  const changed = h("div", {});
  const keys = h("p", { class: "keys" }, _("Keys: 1 to 9 choose, Enter confirms, Escape goes back, ? opens the rules."));
  openDialog(title, h("label", { class: "field" }, field), found, keys, changed, list).classList.add("rules");
  show("");
  if (match.can?.includes("describe")) changed.replaceChildren(...changedOptions(match, await match.request("Describe", ruleset)));
}

// A chapter; it is open when it was searched for, and `hits` are the texts that were found.
function chapterShown([name, paragraphs, rows], hits = new Set()) {
  const hit = (text) => ({ class: hits.has(text) ? "hit" : null });
  return h("details", { open: hits.size > 0 }, h("summary", {}, name), ...paragraphs.map((text) => h("p", hit(text), text)),
    rows.length ? h("table", {}, ...rows.map((row) => h("tr", hit(row.join(" ")), ...row.map((cell) => h("td", {}, cell))))) : null);
}
