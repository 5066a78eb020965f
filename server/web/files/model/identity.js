// Identity that this browser stores: name, secret of the profile, and tokens of seats (SPEC 5, 5.2). Only
// scripts of this origin can read it, and nothing of it stands in an address.

const PERSON_KEPT_AS = "conquest.person";
const MOST_HIDDEN = 200; // names, the oldest go first
const MOST_SEATS = 64; // seats, the oldest go first

export const NEWCOMER = "Caesar"; // the same at tables with bots
export const ONLOOKER = "Onlooker"; // the name of those who have not chosen one

export function randomBytes(size) {
  return crypto.getRandomValues(new Uint8Array(size));
}

const BROWSERS = ["Firefox", "Edg", "OPR", "SamsungBrowser", "Chrome", "Safari"]; // those that call themselves like others come first
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "CrOS", "Linux"];
const CALLED = { Edg: "Edge", OPR: "Opera", SamsungBrowser: "Samsung", Macintosh: "macOS", CrOS: "ChromeOS" };

// The name of this device in the list of devices: browser and system, such as "Firefox, Linux".
export function deviceName(agent = navigator.userAgent) {
  const found = [BROWSERS, SYSTEMS].map((names) => names.find((name) => agent.includes(name))).filter(Boolean);
  return found.map((name) => CALLED[name] ?? name).join(", ");
}

export class Identity {
  constructor() {
    this.kept = { name: "", secret: null, seats: {} };
    this.stored = true; // whether the browser stores it; else it lives as long as the tab
  }

  // Reads the stored identity anew: another tab may have changed it.
  read() {
    if (!this.stored) return this.kept;
    try {
      this.kept = { ...this.kept, ...JSON.parse(localStorage.getItem(PERSON_KEPT_AS)) };
    } catch {
      this.stored = false;
      this.kept = { ...this.kept, ...history.state?.person };
    }
    return this.kept;
  }

  write(changed) {
    const kept = Object.assign(this.read(), changed);
    try {
      localStorage.setItem(PERSON_KEPT_AS, JSON.stringify(kept));
    } catch {
      this.stored = false;
      history.replaceState({ person: kept }, ""); // It outlives a reload.
    }
  }

  get name() {
    return this.read().name || ONLOOKER;
  }

  // The name that the person has chosen, "" for none.
  get chosen() {
    return this.read().name;
  }

  set chosen(name) {
    this.write({ name });
  }

  // Whether this person wishes to be alerted on this device.
  get alerted() {
    return Boolean(this.read().alerted);
  }

  set alerted(alerted) {
    this.write({ alerted });
  }

  // Names whose words are hidden on this device: of people without a profile.
  get hidden() {
    return this.read().hidden ?? [];
  }

  set hidden(names) {
    this.write({ hidden: names.slice(-MOST_HIDDEN) });
  }

  // The secret of the profile; null before the first seat.
  get secret() {
    const { secret } = this.read();
    return secret && Uint8Array.from(secret);
  }

  // The same, made now if there is none.
  ownSecret() {
    if (!this.secret) this.write({ secret: [...randomBytes(32)] });
    return this.secret;
  }

  // The seat at a table, by its id or its code: {match, token}; undefined for none.
  seatAt(match, code) {
    const found = Object.entries(this.read().seats).find(([id, seat]) => id === match || (code && seat.code === code));
    return found && { match: found[0], token: Uint8Array.from(found[1].token) };
  }

  // The tokens of all seats, as `Mine` takes them.
  get held() {
    return Object.entries(this.read().seats).map(([match, seat]) => [match, Uint8Array.from(seat.token)]);
  }

  keepSeat(match, token, code = "") {
    const { [match]: before, ...others } = this.read().seats;
    const newest = Object.entries(others).slice(1 - MOST_SEATS);
    this.write({ seats: Object.fromEntries([...newest, [match, { code: code || before?.code || "", token: [...token] }]]) });
  }

  noteCode(match, code) {
    const { seats } = this.read();
    if (seats[match] && code && seats[match].code !== code) this.write({ seats: { ...seats, [match]: { ...seats[match], code } } });
  }

  // The match in which a lesson was begun here; undefined for none.
  lessonAt(key) {
    const match = this.read().lessons?.[key];
    return match && this.kept.seats[match] ? match : undefined;
  }

  keepLesson(key, match) {
    this.write({ lessons: { ...this.read().lessons, [key]: match } });
  }

  // The keys of the problems that were solved here.
  get solved() {
    return this.read().solved ?? [];
  }

  noteSolved(key) {
    this.write({ solved: [...new Set([...this.solved, key])] });
  }

  dropSeat(match) {
    const { [match]: _dropped, ...others } = this.read().seats;
    this.write({ seats: others });
  }
}

export const ME = new Identity();
