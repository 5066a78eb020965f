// A seat's hand that its player shows on this device: the match as that seat sees it, read only (SPEC 5.8).

import { _ } from "../words/language.js";
import { Match } from "./match.js";

const KEPT_AS = "conquest.hand";

// Returns the key to the hand that this tab reads. It outlives the page; no other tab knows it.
export function keptHand() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_AS)) ?? null;
  } catch {
    return null;
  }
}

function keepHand(key) {
  try {
    if (key) sessionStorage.setItem(KEPT_AS, JSON.stringify(key));
    else sessionStorage.removeItem(KEPT_AS);
  } catch {
    // Without storage the hand is there until the page is closed.
  }
}

export class HandMatch extends Match {
  // `code`: as the player's screen shows it; "" to go on with the hand that was read last.
  constructor(address, name, code, changed) {
    super(address, name, code, changed);
    this.key = code ? null : keptHand();
    this.seat = -1;
    this.closed = false;
  }

  enter() {
    const { key, wish } = this;
    const how = key ? ["", key.match, Uint8Array.from(key.token), this.have] : [wish];
    this.watch = this.link.ask("ReadHand", ...how);
  }

  onReading({ match, seat, token }) {
    this.key = { match, token: [...token] };
    this.seat = seat;
    keepHand(this.key);
    this.used?.();
  }

  onRefused(message) {
    if (message.ref !== this.watch) return super.onRefused(message);
    if (message.code !== "rate" && message.code !== "full") return this.close(refusalWords(message));
    this.trouble = message.text;
    setTimeout(() => this.enter(), 5000);
    return undefined;
  }

  onLeft({ code, text }) {
    this.close({ over: _("The match is over."), "hand-ended": _("This hand is no longer shown here.") }[code] ?? text);
  }

  // Nothing of the hand stays.
  close(words) {
    this.closed = true;
    this.trouble = words;
    this.history.moments.length = 0;
    this.forget();
    keepHand(null);
    this.link.end();
  }

  leave() {
    this.link.ask("Leave");
    this.close(_("This hand is no longer shown here."));
    this.changed();
  }
}

function refusalWords({ code, text }) {
  return {
    "no-code": _("That code shows no hand; it may be too old, or used already."),
    "bad-token": _("This hand is no longer shown here."), over: _("The match is over."),
  }[code] ?? text;
}
