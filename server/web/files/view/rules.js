// The rules in short, with a search: pages that are loaded when they are opened.

import { WORLD } from "../model/board.js";
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
  const pages = await fetch(`${files}rules/${ruleset}.${spoken.code}.json`).then((answer) => answer.json()).catch(() => null);
  if (!pages) return openDialog(title, h("p", { class: "wrong", role: "alert" }, _("The rules cannot be loaded just now: the server does not answer. Please try again later.")));
  const list = h("div", {});
  const found = h("p", { role: "status" });
  const field = h("input", { type: "search", "aria-label": _("Search the rules"), placeholder: _("Search the rules"), oninput: () => show(field.value) });
  const show = (words) => {
    const wanted = words.trim().toLowerCase();
    const shown = pages.map(([title, chapters]) => [title, chapters.filter((chapter) => tells(chapter, wanted))]).filter(([, chapters]) => chapters.length);
    list.replaceChildren(...shown.map((page) => pageShown(page, wanted)));
    const n = shown.reduce((sum, [, chapters]) => sum + chapters.length, 0);
    setText(found, wanted ? ngettext("{n} chapter", "{n} chapters", n) : "");
  };
  openDialog(title, h("label", { class: "field" }, field), found, list).classList.add("rules");
  return show("");
}

function tells([title, paragraphs, rows], wanted) {
  return [title, ...paragraphs, ...rows.flat()].some((text) => text.toLowerCase().includes(wanted));
}

// All chapters of a page; they are open when they were searched for.
function pageShown([title, chapters], wanted) {
  return h("section", {}, h("h3", {}, title), ...chapters.map(([name, paragraphs, rows]) => h("details", { open: Boolean(wanted) }, h("summary", {}, name),
    ...paragraphs.map((text) => h("p", {}, text)), rows.length ? h("table", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))) : null)));
}
