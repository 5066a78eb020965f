// Lessons and problems: the coach beside the board, and the list. The page loads it when a lesson is opened; `lend` gives
// it what it uses of the page's program.

let page = null;

export function lend(tools) {
  page = tools;
}

// The card of the coach at the table of a lesson or a problem.
export class Coach {
  // `table`: the page's table; `begin(key, title)`: opens a lesson or problem anew.
  constructor(table, begin) {
    const { h, _ } = page;
    Object.assign(this, { table, match: table.match, begin, read: [], told: null, asked: "", have: 0, remark: "", shown: "", waiting: 0 });
    const button = (words, act, kind = "") => h("button", { type: "button", class: kind, onclick: act, hidden: true }, words);
    this.head = h("b", {});
    this.count = h("small", {});
    this.said = h("p", { class: "said" });
    this.words = h("div", { class: "words" });
    this.on = button(_("Go on"), () => this.goOn(), "primary");
    this.next = h("div", { class: "ways" });
    this.hint = button(_("A hint"), () => this.turn("hint"));
    this.solution = button(_("The solution"), () => this.turn("solution"));
    this.again = button(_("Try again"), () => this.beginAgain());
    this.element = h("section", { class: "card coach", "aria-live": "polite", "aria-label": _("Your coach") }, h("div", { class: "head" }, this.head, this.count),
      this.said, this.words, h("p", { class: "ways" }, this.on, this.hint, this.solution, this.again), this.next);
    this.press = (event) => this.key(event);
    document.addEventListener("keydown", this.press);
    if (this.problem) this.match.onAct = (action) => this.ask(action);
  }

  get lesson() {
    return this.match.table.lesson;
  }

  get problem() {
    return page.list.problems.find(([key]) => key === this.lesson);
  }

  end() {
    document.removeEventListener("keydown", this.press);
    this.match.onAct = null;
  }

  // Enter reads on where nothing else is chosen.
  key(event) {
    if (event.key !== "Enter" || event.defaultPrevented || this.on.hidden || event.target !== document.body) return;
    event.preventDefault();
    this.goOn();
  }

  // `live`: whether the last position is shown, to its end.
  follow(live) {
    const state = `${this.match.history.version} ${this.read.length} ${this.match.link.visits}`;
    if (live && state !== this.asked && this.match.arrived) {
      this.asked = state;
      this.ask();
    }
  }

  async ask(action = null) {
    const { version } = this.match.history;
    this.waiting += 1;
    const told = await this.match.request("Coach", this.read, this.have, action ? page.encode(action) : new Uint8Array(0));
    this.waiting -= 1;
    if (told?.kind !== "Coaching") return;
    this.have = version;
    if (told.remark) this.remark = told.remark;
    else if (this.told && told.place !== this.told.place) this.remark = "";
    if (!this.told && !this.problem) this.remark = ""; // What was done before this visit is old.
    if (told.solved) page.ME.noteSolved(this.lesson);
    const moved = told.place !== this.told?.place;
    this.told = told;
    this.show(moved);
  }

  goOn() {
    this.read.push(this.told.place);
    if (this.table.fight?.ended) this.table.pressBattle(); // It covers the map.
    this.remark = "";
    this.follow(true);
  }

  // The hint or the solution of a problem, or its task again.
  turn(what) {
    this.turned = this.turned === what ? "" : what;
    this.show(false);
  }

  async beginAgain() {
    page.ME.dropSeat(this.match.table.match);
    await this.match.leave();
    this.begin(this.lesson, this.match.table.title);
  }

  show(moved) {
    const { h, _, setText, render } = page;
    const { told, table } = this;
    const [title, ...task] = this.problem ? told.words : [_("Your coach"), ...told.words];
    const words = this.turned ? [told[this.turned]] : task;
    setText(this.head, render(title, table.who));
    setText(this.count, this.problem ? "" : _("{n} of {steps}", { n: told.place + 1, steps: told.steps }));
    setText(this.said, render(this.remark, table.who));
    this.said.hidden = !this.remark;
    this.words.replaceChildren(...words.map((each) => h("p", {}, render(each, table.who))));
    this.on.hidden = !told.reads;
    for (const button of [this.hint, this.solution, this.again]) button.hidden = !this.problem;
    const over = this.problem ? told.solved || page.ME.solved.includes(this.lesson) : told.place === told.steps - 1;
    if (over && !this.next.childElementCount) this.next.append(...this.sequel());
    if (moved) table.dock.scrollTop = 0;
    table.main.classList.toggle("reads", told.reads); // The decision waits until that was read.
    this.mark(true);
    table.draw();
  }

  // Ways on after the end.
  sequel() {
    const { h, _, list } = page;
    const all = [...list.lessons, ...list.problems];
    const next = all[all.findIndex(([key]) => key === this.lesson) + 1];
    return [next ? h("button", { type: "button", class: "primary", onclick: () => this.begin(next[0], _(next[2])) }, _("Next: {title}", { title: _(next[2]) })) : null,
      h("button", { type: "button", onclick: () => page.go("./") }, _("To the first screen"))].filter(Boolean);
  }

  // Mark the places and the choices that are meant. `anew`: they may be others than before.
  mark(anew = false) {
    const { told, table } = this;
    if (!told) return;
    const { deciding } = table.decide;
    const hidden = this.problem && this.turned !== "solution";
    const chosen = deciding.steps.flatMap(({ filter }) => [filter.source, filter.to]);
    const spaces = hidden ? [] : told.spaces.filter((space) => !chosen.includes(space));
    const state = JSON.stringify(spaces);
    if (state !== this.shown) {
      this.shown = state;
      table.board.point(spaces);
    }
    if (anew && spaces.length) requestAnimationFrame(() => table.board.glideTo(spaces));
    const meant = (kind) => !hidden && told.kinds.includes(kind);
    for (const { classList, dataset } of table.decide.body.querySelectorAll(".choice")) {
      const there = !spaces.length || !dataset.spaces || dataset.spaces.split(" ").some((space) => spaces.includes(Number(space)));
      classList.toggle("meant", meant(Number(dataset.kind)) && there);
    }
    const few = meant(deciding.top?.form?.tag) ? told.least.filter(([field, n]) => deciding.top.values[field] < n).map(([field]) => `field-${field}`) : [];
    for (const { classList, dataset } of table.decide.body.children) classList.toggle("meant", few.includes(dataset.key));
    table.decide.final.classList.toggle("meant", meant(deciding.top?.action?.[0]) && !few.length);
  }
}

// The list of all lessons and problems. `begin(key, title)`: opens one.
export function openLessons(begin) {
  const { h, _, ME, list, openDialog, WORLD } = page;
  const row = ([key, ruleset, title, about]) => h("li", {}, h("span", {}, h("b", {}, _(title)), " ", h("small", {}, [WORLD.games[ruleset].name, ME.solved.includes(key) ? _("solved") : ""].filter(Boolean).join(" · ")),
    about ? h("small", { class: "about" }, _(about)) : null),
    h("button", { type: "button", "data-lesson": key, onclick: () => { dialog.close(); begin(key, _(title)); } }, ME.lessonAt(key) ? _("Go on") : about ? _("Begin") : _("Solve")));
  const dialog = openDialog(_("Learn to play"), h("ul", { class: "rows" }, ...list.lessons.map(row)), h("h2", {}, _("Problems")),
    h("p", {}, _("A position and a task: find the best decision.")), h("ul", { class: "rows" }, ...list.problems.map(row)));
}
