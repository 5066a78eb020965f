// A word that it is this person's turn, while they look elsewhere: title, icon, and a notification if they allow it.

import { _ } from "../words/language.js";

export class TurnAlert {
  constructor() {
    this.waits = false;
    this.icon = document.querySelector("link[rel=icon]");
    this.plain = this.icon?.getAttribute("href") ?? "";
    this.seen = () => { if (!document.hidden) this.close(); };
    document.addEventListener("visibilitychange", this.seen);
  }

  // Notifications need a safe connection, and a permission that is asked for on a gesture.
  get canAsk() {
    return isSecureContext && "Notification" in globalThis && Notification.permission === "default";
  }

  get needsTls() {
    return !isSecureContext;
  }

  ask() {
    return Notification.requestPermission();
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

  notify(title) {
    if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
    try {
      this.note = new Notification(_("Your turn"), { body: title, tag: location.hash, icon: this.plain });
      this.note.onclick = () => { focus(); this.close(); };
    } catch {
      // Phones show notifications of service workers only.
    }
  }

  close() {
    this.note?.close();
    this.note = null;
  }

  end() {
    this.tell(false, "Conquest");
    document.removeEventListener("visibilitychange", this.seen);
  }
}
