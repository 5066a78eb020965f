// A line of chat to write.

import { _ } from "../words/language.js";
import { h, setText } from "./dom.js";

const LONGEST_LINE = 300; // letters

export class SayForm {
  // `say(text, refused)`: send it; `refused(words)` is told why not.
  constructor(say) {
    this.field = h("input", { name: "say", autocomplete: "off", "aria-label": _("Say something to the table"),
      placeholder: _("Say something to the table"), enterkeyhint: "send" });
    this.why = h("p", { class: "wrong", role: "alert", hidden: true });
    this.element = h("form", { class: "say", onsubmit: (event) => { event.preventDefault(); this.send(say); } },
      this.field, h("button", { type: "submit" }, _("Send")), this.why);
  }

  send(say) {
    const text = this.field.value.trim();
    this.tell("");
    if (!text) return undefined;
    const { length } = [...text];
    if (length > LONGEST_LINE) return this.tell(_("A line has at most {most} letters; yours has {n}.", { most: LONGEST_LINE, n: length }));
    this.field.value = "";
    return say(text, (why) => { this.field.value ||= text; this.tell(why); });
  }

  tell(why) {
    setText(this.why, why);
    this.why.hidden = !why;
  }
}
