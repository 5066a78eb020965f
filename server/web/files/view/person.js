// A window about another person at the table: report them, hide what they say, never sit with them.

import { ME } from "../model/identity.js";
import { _ } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";

const LONGEST_WHY = 300; // letters

// `words`: the line of chat that it is about, "" for the match.
export function openPerson(match, name, words = "") {
  const blocks = Boolean(match.can?.includes("blocks"));
  const told = h("p", { role: "status" });
  const why = h("input", { name: "why", maxlength: LONGEST_WHY, autocomplete: "off", placeholder: _("Your words to the operator (optional)"), "aria-label": _("Your words to the operator (optional)") });
  const avoids = () => match.blocks.some((each) => each.name === name && each.avoid);
  const report = async () => {
    if (!ME.secret) match.introduce();
    const answer = await match.request("Report", name, words, match.history.version, why.value.trim());
    setText(told, answer?.kind === "Done" ? _("The operator gets your report; you hear when it was looked at.") : answer?.text ?? _("The server did not answer."));
  };
  const block = async (avoid, hide) => {
    setText(told, await match.block(name, avoid, hide));
    show();
  };
  const hiding = h("button", { type: "button", onclick: () => block(avoids(), !match.hushed.has(name)) });
  const avoiding = h("button", { type: "button", onclick: () => block(!avoids(), match.hushed.has(name)) });
  const show = () => {
    setText(hiding, match.hushed.has(name) ? _("Show what they say again") : _("Hide what they say"));
    setText(avoiding, avoids() ? _("Seat me with them again") : _("Never seat me with them"));
  };
  show();
  openDialog(name, words ? h("p", { class: "quote" }, words) : null,
    h("p", { class: "ways person" }, blocks ? h("button", { type: "button", class: "primary", onclick: report }, _("Report to the operator")) : null, hiding, blocks ? avoiding : null),
    blocks ? why : null, told, h("p", { class: "about" }, _("They are not told of any of this.")));
}
