// A window over the page.

import { _ } from "../words/language.js";
import { h } from "./dom.js";

// A window with a title and a button that closes it.
export function openDialog(title, ...parts) {
  const dialog = h("dialog", { "aria-label": title }, h("button", { type: "button", class: "close", "aria-label": _("Close"), onclick: () => dialog.close() }, "✕"),
    h("h2", {}, title), ...parts);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
