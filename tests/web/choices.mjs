// Commits an action twice before its version is drawn, and once more while the next one is on its way; then is offered
// many actions, of which few have a place, and a form of which one option has none. Prints what was sent, whether
// something was still being sent after each step, the entries of the many, the form once that option was taken, and a
// changed form that stands first, before and after its changes were undone.
const { Deciding, alike, share } = await import(`file://${process.argv[2]}`);
const { learn } = await import(new URL("board.js", `file://${process.argv[2]}`));
learn({ names: Array.from({ length: 40 }, (_name, space) => `Space ${space}`) });

const sent = [];
const answers = []; // functions that deliver the answers to actions
const choices = { kind: "Choices", actions: [[11, 5]], labels: [["March", "Move"]], forms: [], complete: true, next: 0 };
let offered = choices;
const match = {
  over: false, seat: 0, can: ["labels"], arrived: true, history: { version: 7 },
  request: async () => offered,
  act: (frame, action) => new Promise((done) => { sent.push([frame, ...action]); answers.push(done); }),
};
const deciding = new Deciding(match, () => {});
const settled = () => new Promise((done) => setTimeout(done, 0));
const busy = [];

async function follow(no) {
  deciding.follow({ owing: 0, top: { no } });
  await settled();
}

async function accept(version) {
  answers.shift()({ kind: "Accepted", version });
  await settled();
  busy.push(deciding.sending);
}

await follow(3);
deciding.commit();
match.history.version = 8; // The frame came before the answer, and is not drawn yet.
await accept(8);
deciding.commit();
await follow(3);
busy.push(deciding.sending);
deciding.commit();
match.history.version = 9; // Now the frame is drawn before the answer, and the next action sent as well.
await follow(3);
deciding.commit();
await accept(9);
deciding.commit();
match.history.version = 10;
await follow(0);
await accept(10);

const PLACES = [-1, -1, -1, -1, -1, -1, 27, 27];
offered = { kind: "Choices", actions: PLACES.map((_place, card) => [43, card]), forms: [], complete: true, next: 0,
  labels: PLACES.map((place, card) => [`Take ${card}`, "Cards", -1, place]) };
await follow(4);
const entries = deciding.top.groups().flatMap((group) => group.entries)
  .map(({ label, place }) => label?.text ?? place);
const spots = deciding.spots();

const ONE = 1; // kind of a field with one value
const zones = [[-1, "no voyage"], [31, "North", 31], [32, "South: a galley", 32], [33, "South: the other", 32]];
const fields = [["to", ONE, "To", 1, 1, 1, zones], ["zone", ONE, "Attack in", 1, 1, 1, [[-1, "none"], [31, "North", 31]]]];
offered = { kind: "Choices", actions: [], labels: [], forms: [[44, "Sail", "Sea", fields, [44, 31, -1]]], complete: false, next: 0 };
await follow(5);
const voyages = deciding.top.groups().flatMap((group) => group.entries);
deciding.take(voyages[0]);
const attack = [...deciding.top.values];
offered = { ...offered, forms: [[44, "Sail", "Sea", fields, [44, 32, -1]]] };
match.history.version = 11; // Another player acted meanwhile.
await follow(5);
const kept = deciding.top.form && deciding.top.values;

const number = [["n", 0, "How many", 0, 5, 1, []]]; // The decision begins with a form, which has no step before it.
offered = { ...offered, forms: [[45, "Tax", "Taxes", number, [45, 2]]] };
await follow(6);
deciding.change(0, 4);
const undone = [[...deciding.top.values], deciding.undo(), [...deciding.top.values], deciding.undo()];
const leaders = [{ value: 0, sort: "", place: 7 }, ...[1, 2, 3].map((value) => ({ value, sort: "Generals", place: 7 })), { value: 4, sort: "Generals", place: 8 }];
const groups = alike(leaders);
const [taken, most, of] = share({ options: leaders, high: 4 }, [0, 3], groups[1]);
const march = [taken, most, of(0), of(1), of(3)];
const north = { value: 31 };
const paired = share({ options: leaders, high: 5 }, [[0, 31], [1, 30], [3, 31]], groups[1], north);
const moved = [paired[0], paired[1], paired[2](2), paired[2](0)];
console.log(JSON.stringify({ groups: groups.map((group) => group.map(({ value }) => value)), march, moved, undone, sent: sent.length, busy, entries, spots, attack, voyages: voyages.map(({ words, spots: [spot] }) => [words, spot ?? null]),
  kept }));
process.exit(0); // What would be tried later is not wanted.
