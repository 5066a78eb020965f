// A word that it is this person's turn, while they look elsewhere: title, icon, and a notification if they wish.

import { registration } from "../model/worker.js";
import { _ } from "../words/language.js";
import { h, setText } from "./dom.js";

export class TurnAlert {
  // `device`: the alerts of this device.
  constructor(device) {
    this.device = device;
    this.waits = false;
    this.icon = document.querySelector("link[rel=icon]");
    this.plain = this.icon?.getAttribute("href") ?? "";
    this.seen = () => { if (!document.hidden) this.close(); };
    document.addEventListener("visibilitychange", this.seen);
  }

  // `waits`: whether this person is to decide; `title`: of the table.
  tell(waits, title) {
    document.title = waits ? `● ${_("Your turn")} · ${title}` : title;
    if (waits === this.waits) return;
    this.waits = waits;
    this.icon?.setAttribute("href", waits ? this.plain.replace("icon.svg", "turn.svg") : this.plain);
    if (waits && document.hidden) this.notify(title);
    if (!waits) this.close();
  }

  // By the service worker: phones show no others. One that comes by push has the same tag and takes its place.
  async notify(title) {
    const worker = await registration();
    if (this.device.state !== "on" || !worker || !this.waits) return;
    const { match, code } = this.device.match.table;
    worker.showNotification(_("Your turn"), { body: title, tag: match, icon: "icon-192.png", data: { link: `watch#${code || match}` } });
  }

  async close() {
    const tag = this.device.match.table?.match;
    const worker = await registration();
    for (const note of (tag && (await worker?.getNotifications({ tag }))) || []) note.close();
  }

  end() {
    this.tell(false, "Conquest");
    document.removeEventListener("visibilitychange", this.seen);
  }
}

// A button for alerts on this device, or why there are none.
export class AlertOffer {
  constructor(device) {
    this.device = device;
    this.words = h("span", { role: "status" });
    this.button = h("button", { type: "button", onclick: () => (device.state === "on" ? device.stop() : device.begin()) });
    this.element = h("p", { class: "ways" }, this.words, this.button);
    device.changed = () => this.show();
    this.show();
  }

  show() {
    const { state } = this.device;
    setText(this.words, this.said(state));
    setText(this.button, state === "on" ? _("No more") : _("Tell me when it is my turn"));
    this.button.hidden = state !== "on" && state !== "off";
  }

  said(state) {
    return {
      insecure: _("Notifications of your turn, installing this page and copying need TLS (https), which this address lacks. Title and icon of this page tell your turn here."),
      missing: _("This browser notifies only for installed pages: add this page to your home screen first."),
      blocked: _("The browser blocks notifications of this page. Its settings for this page can allow them."),
      on: this.device.reached ? _("This device tells you when it is your turn, in all your matches here.") : _("This device tells you when it is your turn, while this page is open."),
      off: this.device.refused ? _("The browser did not allow notifications, so this device tells you nothing.") : "",
    }[state] ?? "";
  }
}
