// Players who have lost the connection: what happens for them, and what the others can be asked.

import { _ } from "../words/language.js";
import { h } from "./dom.js";
import { brief } from "./panels.js";

export const ASK_PAUSE = 0; // matters of votes (SPEC 5.6)
export const SEAT_MATTER = 2;
const SEAT_IS_AWAY = 2; // kind of seat
const BOT_PLAYS = 0; // rules of a table for absent players (SPEC 5)
const OTHERS_DECIDE = 1;
const SUBSTITUTE = "normal"; // level of the bot

// Sentence about absent players, for the room.
export function awayWords({ away, takeover }) {
  if (away === OTHERS_DECIDE) return _("If a player is away, the others decide what happens.");
  if (away !== BOT_PLAYS || !takeover) return _("If a player is away, the match waits.");
  return _("If a player is away, a bot plays after {time}.", { time: brief(takeover) });
}

export class AbsentPanel {
  // `propose(matter, motion)`: ask the others.
  constructor(match, who, propose) {
    Object.assign(this, { match, who, propose, waits: new Set() });
  }

  // Entries for `keyed`: one for each absent player whose seat no bot has.
  shown() {
    const { match } = this;
    const gone = match.over ? [] : match.absent.filter(({ seat }) => seat !== match.seat && match.table.seats[seat]?.kind === SEAT_IS_AWAY);
    this.waits = new Set([...this.waits].filter((seat) => match.absent.some((each) => each.seat === seat)));
    return gone.filter(({ seat }) => !this.waits.has(seat)).map((each) => {
      const left = match.absentLeft(each);
      return [`away${each.seat}`, JSON.stringify([this.who(each.seat), match.table.away, left, match.clock?.seats]), () => this.entry(each.seat, left)];
    });
  }

  entry(seat, left) {
    const name = this.who(seat);
    const time = left ? h("span", { class: "clock" }, brief(left)) : null;
    return h("div", {}, h("p", {}, h("b", {}, _("{name} is away", { name })), " ", time), h("span", {}, this.rule(name, left)),
      this.match.seat < 0 ? null : h("p", { class: "ways" }, ...this.buttons(seat)));
  }

  rule(who, left) {
    const { away } = this.match.table;
    if (away === BOT_PLAYS && left) return _("A bot plays for {who} when the time is up.", { who });
    if (away !== OTHERS_DECIDE) return _("The match waits.");
    return left ? _("Nothing is decided for {who}. What you agree on now begins when the time is up.", { who })
      : _("Nothing is decided for {who}. What you agree on begins at once.", { who });
  }

  buttons(seat) {
    const button = (words, act) => h("button", { type: "button", onclick: act }, words);
    const bot = (turn) => this.propose(SEAT_MATTER, { seat, level: SUBSTITUTE, turn });
    const owes = this.match.clock?.seats.includes(seat);
    const { away } = this.match.table;
    return [button(_("Wait"), () => { this.waits.add(seat); this.match.changed(); }),
      ...(away === OTHERS_DECIDE && owes ? [button(_("A bot for this turn"), () => bot(true))] : []),
      ...(away === OTHERS_DECIDE ? [button(_("A bot until they return"), () => bot(false))] : []),
      button(_("A pause"), () => this.propose(ASK_PAUSE))];
  }
}
