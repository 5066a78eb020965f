// A window over the page.

import { _ } from "../words/language.js";
import { h } from "./dom.js";

// A question to the reader stays in sight: it stands in the window that lies on top, else where it was.
let above = null;
let home = null;

export function keepAbove(element) {
  [above, home] = [element, element.parentElement];
}

function placeAbove() {
  const place = [...document.querySelectorAll("dialog[open]")].pop() ?? home;
  if (above && place !== above.parentElement) place.prepend(above);
}

// A window with a title and a button that closes it.
export function openDialog(title, ...parts) {
  const dialog = h("dialog", { "aria-label": title }, h("button", { type: "button", class: "close", "aria-label": _("Close"), onclick: () => dialog.close() }, "✕"),
    h("h2", {}, title), ...parts.filter(Boolean));
  dialog.addEventListener("close", () => {
    dialog.remove();
    placeAbove();
  });
  document.body.append(dialog);
  dialog.showModal();
  placeAbove();
  return dialog;
}
