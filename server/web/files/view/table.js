// The table: everything around the board, drawn after a change while the page is visible.

import { GATHERING, NONE, WORLD } from "../model/board.js";
import { DeviceAlerts } from "../model/device.js";
import { PlayedMatch } from "../model/player.js";
import { Showing } from "../model/showing.js";
import { part } from "../wire/link.js";
import { _, lineOf, ngettext } from "../words/language.js";
import { TurnAlert } from "./alert.js";
import { Bar } from "./bar.js";
import { battleAt, battleShown, battleSignature } from "./battle.js";
import { chartsShown } from "./charts.js";
import { SayForm } from "./chat.js";
import { openPerson } from "./person.js";
import { Decide } from "./decide.js";
import { keepAbove } from "./dialog.js";
import { atNextPicture, h, keyed } from "./dom.js";
import { ending } from "./ending.js";
import { lookOn, tableForm } from "./form.js";
import { lessons, openLesson } from "./lessons.js";
import { Board } from "./map.js";
import { NewerPage } from "./newer.js";
import { Chronicle, Header, Now, Places, Players, pollWords } from "./panels.js";
import { PersonBar } from "./people.js";
import { Room, elsewhereShown } from "./room.js";
import { openRules } from "./rules.js";
import { showSummons } from "./seek.js";
import { Sequel } from "./sequel.js";
import { dealingSignature, dealings, sheetSignature, sheets } from "./sheets.js";
import { Tabs } from "./tabs.js";

const RIM = 12; // pixels below the last button that are no more to see
// Panels of some games, and how they are called.
const SHEETS = {
  cards: () => _("Cards"),
  points: () => _("Points"),
};

export class Table {
  constructor(address, wish) {
    this.address = address;
    this.draw = () => this.drawSoon(true);
    this.picture = atNextPicture(() => this.drawDue());
    this.match = new PlayedMatch(address, wish, () => { this.tellTurn(); this.draw(); });
    this.match.summoned = (message) => showSummons(message, (...request) => this.match.link.ask(...request));
    this.alert = new TurnAlert(new DeviceAlerts(this.match));
    this.at = null; // the version that is looked at; null: the last
    this.heard = 0; // the last version when it was drawn
    this.showing = new Showing(() => this.draw());
    this.who = (seat) => this.match.sitter(seat, (n) => (n < 0 ? _("Nobody") : _("Seat {what}", { what: n + 1 })));
    this.learning = ""; // its address, while its person learns
    this.call = h("p", { class: "card newer", role: "status" });
    this.build();
    this.people = new PersonBar(this.match, this.who, () => this.at, this.alert, (version) => this.lookAt(version));
    this.now.element.after(h("div", { class: "asked" }, this.people.polls));
    keepAbove(this.people.polls);
    this.header.element.append(this.people.element);
    this.chronicle.element.append(new SayForm((...line) => this.match.say(...line)).element);
    this.draw();
  }

  // Also while the page is in the background, where nothing is drawn.
  tellTurn() {
    const { table } = this.match;
    if (table) this.alert.tell(this.match.waited, `${table.title || "Conquest"} · Conquest`);
  }

  build() {
    this.header = new Header();
    this.now = new Now();
    this.players = new Players();
    this.chronicle = new Chronicle((line) => openPerson(this.match, line.name, line.text));
    this.places = new Places((space) => this.board.tapped(space));
    this.board = new Board((space) => this.pick(space));
    this.bar = new Bar((version) => { this.at = version; this.draw(); }, () => this.fromBeginning());
    this.battle = h("div", { class: "battles", onclick: () => this.pressBattle() });
    this.strip = h("div", { class: "strip", tabindex: "0", role: "region", "aria-label": _("Tribute") });
    this.sequel = new Sequel(lookOn);
    this.press = (event) => this.escape(event);
    document.addEventListener("keydown", this.press); // Before that of the decision, which Escape reaches last.
    this.decide = new Decide(this.match, this.who, () => this.drawSoon(false));
    this.decide.point = ([space = NONE]) => this.board.choose(space);
    this.board.onPick = (space) => this.at === null && this.decide.deciding.tap(space);
    this.lit = "";
    this.room = new Room(this.match, this.who, this.alert.device, () => this.learn());
    this.elsewhere = elsewhereShown(() => this.match.playHere());
    this.newer = new NewerPage();
    // The dock shows the decision, below the map and near the thumb on phones.
    this.dock = h("div", { class: "dock", tabindex: "0", role: "region", "aria-label": _("Your decision") }, this.sequel.element, this.now.element, this.decide.element);
    // An IntersectionObserver missed that a refusal came into the sticky foot.
    const mark = () => this.dock.classList.toggle("more", this.dock.scrollHeight - this.dock.clientHeight - this.dock.scrollTop > RIM);
    const sizes = new ResizeObserver(mark);
    for (const each of [this.dock, ...this.dock.children]) sizes.observe(each);
    this.dock.addEventListener("scroll", mark, { passive: true });
    this.main = h("main", { class: "parts" });
    this.tabs = this.panels();
    this.main.append(h("div", { class: "stage" }, this.board.element, this.battle), this.bar.element, this.strip,
      h("div", { class: "beside" }, this.dock, this.tabs.panels, this.tabs.nav));
    this.element = h("div", { class: "table begun" }, this.header.element, this.elsewhere, this.newer.element, this.main);
  }

  panels() {
    const tabs = new Tabs(this.main, () => this.draw());
    this.sheets = new Map(Object.keys(SHEETS).map((name) => [name, h("div", {})]));
    tabs.add("players", _("Players"), this.players.element);
    tabs.add("chronicle", _("Chronicle"), this.chronicle.element);
    tabs.add("provinces", _("Provinces"), this.places.element);
    for (const [name, element] of this.sheets) tabs.add(name, "", element);
    this.scale = h("div", { class: "scales" }); // where there is no strip
    this.players.element.append(this.scale);
    this.charts = h("div", {});
    tabs.add("charts", "", this.charts);
    tabs.show("chronicle");
    return tabs;
  }

  // A space is to be described.
  pick(space) {
    const chosen = this.places.pick(space);
    this.board.choose(chosen);
    if (chosen !== NONE && this.tabs.open) this.tabs.show("provinces");
  }

  // Look at a version, after fetching it where it came before this visit.
  lookAt(version) {
    const go = () => this.bar.seek(version);
    if (version < this.match.history.first && this.canLoad) this.match.load((trouble) => { if (trouble) this.header.say(trouble); else go(); });
    else go();
  }

  // Show a version once more, and the places of what happened in it.
  replay(version) {
    this.lookAt(version - 1);
    const spaces = this.match.events(version).flatMap(({ source, to, space, kind }) => (kind === "Offered" || kind === "Conceded" ? [] : [source, to, space])).filter((space) => space >= 0);
    requestAnimationFrame(() => this.board.glideTo(spaces));
    this.bar.goOn();
  }

  fromBeginning() {
    const go = () => {
      this.bar.first = this.match.history.first;
      this.bar.seek(this.bar.first);
    };
    if (this.canLoad) this.match.load((trouble) => { if (trouble) this.header.say(trouble); else go(); });
    else go();
  }

  get canLoad() {
    const { recall, history } = this.match;
    return recall && history.first > 0 && !this.match.recalling;
  }

  show() {
    const { match } = this;
    this.header.say(this.stateWords());
    this.elsewhere.hidden = !match.elsewhere;
    if (match.missing && !match.table) return this.ask();
    if (!match.table) return this.now.wait(match.trouble || _("Looking for the table …"));
    this.tellAddress();
    this.tellCall();
    this.sequel.show(match.invited, this.at === null);
    const gathers = match.table.phase === GATHERING;
    this.element.classList.toggle("begun", !gathers);
    const [before, there] = gathers ? [this.main, this.room.element] : [this.room.element, this.main];
    if (before.isConnected) before.replaceWith(there);
    if (gathers) return this.room.show();
    if (!match.history.moments.length) return this.now.wait(_("A moment …"));
    return this.showPosition();
  }

  // With the next picture: everything (`all`), or only what the reader is about to choose.
  drawSoon(all) {
    this.due ||= all;
    this.picture();
  }

  drawDue() {
    const all = this.due;
    this.due = false;
    if (all) this.show();
    else if (this.position !== undefined) this.showChoice();
    const { deciding } = this.decide;
    this.newer.show(!this.match.acts.size && !(this.decide.open && deciding.owes && this.decide.deep));
  }

  showChoice() {
    this.decide.show(this.position);
    // Style sheets ask for these classes: asking for what is in the parts (`:has`) costs more with each change there.
    this.main.classList.toggle("deciding", this.decide.open && this.decide.deciding.owes);
    this.main.classList.toggle("advised", this.decide.open && Boolean(this.decide.deciding.advice));
    this.main.classList.toggle("deep", this.decide.open && this.decide.deep);
    this.light();
    this.coach?.mark();
    this.decide.keepFocus();
  }

  // There is no such table: another code, perhaps.
  ask() {
    const why = _("“{code}” opens no table here. Please ask the host for the right code.", { code: this.match.wish });
    this.element.className = "";
    this.element.replaceChildren(this.header.element, h("main", { class: "lobby" }, tableForm(this.match.wish, why),
      h("a", { href: "./", class: "home" }, _("All open tables"))));
    this.element.querySelector("input").select();
  }

  // Learn a game while others gather here; main.js keeps this table.
  learn() {
    const { ruleset } = this.match.table;
    this.learning = location.hash;
    this.founding = openLesson(this.address, ruleset, _("Learn {game}", { game: WORLD.games[ruleset].name }), (words) => {
      this.learning = "";
      this.header.say(words);
    });
  }

  // Said where its person learns meanwhile.
  tellCall() {
    const { title, phase, seats } = this.match.table;
    const free = seats.filter(({ kind }) => kind === 0).length;
    const words = phase !== GATHERING ? _("It begins: {table}", { table: title }) : `${title}: ${free ? ngettext("waits for {n} more", "waits for {n} more", free) : _("begins soon")}`;
    keyed(this.call, [["call", words, () => h("span", {}, words)], ["go", "", () => h("button", { type: "button", class: "primary", onclick: () => lookOn(this.learning.slice(1)) }, _("To the table"))]]);
    this.call.classList.toggle("begun", phase !== GATHERING);
  }

  // The code of the table, which others can type, in place of its id.
  tellAddress() {
    const { table, ways } = this.match;
    if (this.told || !table.code || !ways[0][0]) return;
    this.told = true;
    history.replaceState(history.state, "", `watch#${table.code}`);
  }

  stateWords() {
    const { state, trouble, recalling } = this.match;
    if (recalling) return _("Fetching what came before …");
    if (state === "lost" && this.match.table && !trouble) return _("The connection is lost; trying again …");
    return trouble && this.match.table ? trouble : "";
  }

  showPosition() {
    const { match } = this;
    const { history, table } = match;
    this.follow(history);
    const told = this.showing.upTo(history, (at) => match.events(at), document.hidden);
    const version = this.at ?? told;
    const position = match.position(version);
    const past = version < history.version;
    const back = past && this.at !== null;
    this.header.show(position, table);
    const ended = match.over && version === history.version;
    if (ended) this.now.finish(ending(match, position, this.who));
    else this.now.show(position, this.who, back, match.prompt(version), past ? NONE : match.seat);
    this.now.ask(match.poll && match.seat < 0 && !past && !ended ? pollWords(match.poll, match.poll.motion, this.who) : past || ended ? "" : this.answerWords(version));
    const since = past || ended ? [] : match.narration.since;
    this.now.tellSince(since.map(([at, told]) => [at, lineOf(told, this.who)]), position.round < 2 && (position.season ?? 1) < 2, (at) => this.replay(at));
    this.people.show();
    this.players.show(position, table.seats, this.who, past ? [] : this.seconds());
    this.chronicle.show(match.chronicle(version, this.who));
    this.places.show(position, this.who);
    this.showFight(position, version, this.at ?? this.showing.staged);
    this.showSheets(position);
    this.showCharts(history);
    this.bar.show(history.first, history.version, !match.over, this.canLoad);
    this.position = past ? null : position;
    this.showChoice();
    if (table.lesson) this.showCoach(!past && told === history.version);
    this.board.paintLater(`${document.getElementById("app").dataset.files}painting.webp`);
    this.tick();
  }

  // The coach of a lesson, whose program is loaded first. `live`: whether the last position is shown.
  showCoach(live) {
    if (this.coach) return this.coach.follow(live);
    this.coach = { follow() {}, mark() {}, end() {} };
    return lessons().then(({ Coach }) => {
      this.coach = new Coach(this, (key, title) => openLesson(this.address, key, title));
      this.dock.prepend(this.coach.element);
      this.main.classList.add("taught");
      this.draw();
    }, () => { this.coach = null; });
  }

  // The answer to this player's bargain, as long as nothing else has happened.
  answerWords(version) {
    const told = this.match.events(version).some(({ kind, seat }) => kind === "Answered" && seat !== this.match.seat);
    return told ? this.match.linesAt(version, this.who)[0]?.words ?? "" : "";
  }

  // The table has agreed to go back: those who looked at the past go on from there.
  follow({ version, moments }) {
    if (this.at !== null && moments.some((moment) => moment.version > this.heard && moment.back && part("Back", moment.back).seat === NONE)) {
      this.bar.stop();
      this.at = this.bar.at = null;
    }
    this.heard = version;
  }

  // Light what can be chosen on the board, and draw where the chosen action leads.
  light() {
    const { deciding } = this.decide;
    const spots = this.at === null ? deciding.spots() : [];
    const plans = this.at === null ? deciding.plans : [];
    const signature = JSON.stringify([spots, plans]);
    if (signature === this.lit) return;
    this.lit = signature;
    const lit = (way) => spots.filter(([each]) => each === way).map(([, space]) => space);
    this.board.light({ source: lit("source"), target: lit("to") });
    this.board.plan(plans, this.match.seat);
    const seen = [...spots.map(([, space]) => space), ...plans.flat(), ...deciding.from];
    if (seen.length) requestAnimationFrame(() => this.board.glideTo(seen)); // The answer to a tap is drawn first.
  }

  // The tribute scale or the alliances stand below the map where there is room, else below the players; a dealing takes
  // their place.
  showSheets(position) {
    const signature = sheetSignature(position);
    const made = sheets(position);
    for (const [name, element] of this.sheets) {
      this.tabs.offer(name, name in made, SHEETS[name]());
      keyed(element, name in made ? [[name, signature, () => made[name](position, this.who)]] : []);
    }
    const scale = [["scale", signature, () => made.scale(position, this.who)]];
    const dealt = this.dealt(position);
    keyed(this.scale, scale);
    keyed(this.strip, dealt === "[]" ? scale : [["dealing", dealt, () => h("div", {}, ...dealings(position, this.who))]]);
  }

  // Of a match that is over, as far as it was seen; the film has the rest.
  showCharts(history) {
    this.tabs.offer("charts", this.match.over && history.moments.length > 1, _("Charts"));
    if (this.tabs.open !== "charts") return;
    const more = this.canLoad ? [["more", "", () => h("button", { type: "button", onclick: () => this.fromBeginning() }, _("From the beginning"))]] : [];
    keyed(this.charts, [["charts", `${history.first} ${history.version}`, () => chartsShown(history, this.match.game, this.who)], ...more]);
  }

  // The dealings that go on, as a signature: none at the end.
  dealt(position) {
    return this.match.over && this.at === null ? "[]" : dealingSignature(position);
  }

  // The board and a battle on it, where they are others than before: a clock that goes on draws neither.
  // `staged`: the version whose battle is shown, perhaps before it is told.
  showFight(position, version, staged) {
    const moment = this.match.history.at(version);
    if (moment === this.drawn && staged === this.staged && this.match.over === this.drawnOver) return;
    this.drawn = moment;
    this.drawnOver = this.match.over;
    this.staged = staged;
    const found = battleAt(this.match.history, staged, this.match.game, version);
    const fight = found?.ended && found.at === this.away ? null : found;
    if (fight && fight.began !== this.fight?.began) requestAnimationFrame(() => this.board.glideTo([fight.space]));
    this.fight = fight;
    const dealt = this.dealt(position);
    const shown = fight ? [["battle", battleSignature(fight), () => battleShown(fight, this.who, this.match.seat)]] : [];
    if (dealt !== "[]") shown.push(["dealing", dealt, () => h("div", { class: "dealing" }, ...dealings(position, this.who))]);
    keyed(this.battle, shown);
    this.main.classList.toggle("fighting", shown.length > 0);
    this.board.show(position, this.match.events(version), fight ? fight.space : NONE);
  }

  // A press tells the outcome at once, and puts a battle away that is over.
  pressBattle() {
    this.showing.skip(this.match.history.version);
    this.away = this.fight?.at;
    this.drawn = null;
    this.draw();
  }

  // Seconds left on each seat's clock.
  seconds() {
    const { clock } = this.match;
    if (!clock?.clocks.length) return [];
    const gone = clock.paused ? 0 : performance.now() - clock.now;
    return clock.clocks.map(({ left }, seat) => Math.ceil((left - (clock.seats.includes(seat) ? gone : 0)) / 1000));
  }

  // Clocks run by themselves, drawn each second while the page is visible.
  tick() {
    const { clock } = this.match;
    const runs = clock && (clock.left || clock.clocks.length) && !this.match.over;
    const left = runs ? Math.max(0, clock.left - (clock.paused ? 0 : (performance.now() - clock.now) / 1000)) : null;
    this.now.tellTime(runs && clock.left ? left : null, Boolean(clock?.paused && !this.match.over));
    clearTimeout(this.ticking);
    const counts = this.match.absent.some((each) => this.match.absentLeft(each));
    if ((runs && !clock.paused) || counts) this.ticking = setTimeout(() => this.draw(), 1000);
  }

  // "?" opens the rules. Escape closes what lies over the table: a panel that is drawn up, then the past. Then it takes
  // back choices.
  escape(event) {
    if (event.key === "?" && !event.target.closest?.("dialog, input, textarea") && this.match.game) openRules(this.match);
    if (event.key !== "Escape" || event.defaultPrevented || event.target.closest?.("dialog, select, input:not([type=range])")) return;
    if (this.main.classList.contains("tall")) this.tabs.stretch(false);
    else if (this.at !== null && this.bar.live) this.bar.toLive();
    else return;
    event.preventDefault();
  }

  end() {
    document.removeEventListener("keydown", this.press);
    clearTimeout(this.ticking);
    this.bar.stop();
    this.showing.stop();
    this.sequel.stop();
    this.decide.end();
    this.alert.end();
    this.coach?.end();
    this.founding?.link.end();
    this.match.end();
  }
}
