// Version up to which a running match is told. Words and numbers of a version with dice wait until its battle was shown.

const FALLS = new Set(["DiceFell", "BattleEnded"]);
const HOLD = 1600; // milliseconds for which the dice of a version are shown before its outcome is told
const MOST = 8; // versions that may wait; beyond them all is told at once

export class Showing {
  // `changed()`: more is to be told.
  constructor(changed) {
    this.changed = changed;
    this.told = -1;
    this.timer = null;
  }

  // The last version to tell. `events(version)`: what happened in it; `hidden`: the page is in the background.
  upTo(history, events, hidden) {
    const last = history.version;
    if (this.told < history.first || this.told > last || last - this.told > MOST || hidden) this.jump(last);
    while (this.told < last && !this.timer) {
      if (events(this.told + 1).some(({ kind }) => FALLS.has(kind))) this.hold();
      else this.told += 1;
    }
    return this.told;
  }

  // The version whose battle is shown: one that is not told yet, if its dice fall now.
  get staged() {
    return this.timer ? this.told + 1 : this.told;
  }

  hold() {
    this.timer = setTimeout(() => {
      this.timer = null;
      this.told += 1;
      this.changed();
    }, HOLD);
  }

  jump(version) {
    this.stop();
    this.told = version;
  }

  // Tell all that has happened.
  skip(version) {
    if (!this.timer) return;
    this.jump(version);
    this.changed();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}
