// Follows a match whose third version is a battle; prints what may be told, and what is shown, after each step.
const timers = [];
globalThis.setTimeout = (act) => timers.push(act);
globalThis.clearTimeout = (number) => { if (number) timers[number - 1] = null; };
const { Showing } = await import(`file://${process.argv[2]}`);

const history = { first: 1, version: 1 };
const events = (version) => (version === 3 || version === 6 ? [{ kind: "DiceFell" }] : [{ kind: "Marched" }]);
let drawn = 0;
const showing = new Showing(() => { drawn += 1; });
const seen = [];

function follow(version, hidden = false) {
  history.version = version;
  seen.push([showing.upTo(history, events, hidden), showing.staged]);
}

follow(1);
follow(2);
follow(3);
follow(4); // It waits behind the battle.
timers.pop()();
follow(4);
follow(6);
showing.skip(history.version);
follow(6);
history.version = 5; // Another history: nothing of the old one is left to show.
follow(5);
follow(6, true);
follow(40); // Too much to be shown one by one.
console.log(JSON.stringify({ seen, drawn, waiting: timers.filter(Boolean).length }));
