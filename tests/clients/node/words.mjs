// Numbers and names of protocol/SPEC.md that this client needs.

/** Tags of what we say (2.1). */
export const SAY = {
  hello: 0, create: 2, join: 3, watch: 4, resume: 5, setBot: 6, start: 7, leave: 8, act: 9, sync: 11, recall: 22, consider: 32,
};

/** Tags of what we hear (2.2). */
export const HEAR = {
  welcome: 0, refused: 1, done: 2, accepted: 3, table: 6, seated: 7, snapshot: 8, frame: 9, left: 13, recalled: 19, choices: 27, packed: 32,
};

/** Those that carry the number of the request that they answer. */
export const ANSWERS = new Set([HEAR.refused, HEAR.done, HEAR.seated, HEAR.left, HEAR.recalled, HEAR.choices]);

/** What we understand beyond what every client does (`Hello.can`). */
export const UNDERSTOOD = ["packed"];

export const GATHERING = 0;
export const PLAYING = 1;
export const OVER = 2;

/** Close codes after which one does not come back (6.1). */
export const FINAL = new Set([4001, 4002]);

/** The field of every view that holds what is owed (8.1, 9.1, 10.1). */
const FRAMES = 2;

/** The field of the view that names the winner, or -1. */
const WINNER = { classic: 24, mb1984: 26, cote2: 25 };

/** Frames that wait for a player; all but a vote of Conquest II name him behind their number (8.4, 9.4, 10.4). */
const VOTE = 48;
const CHANCE = new Set([0, 1, 2]);

/** What is owed in a view: the frame's number and the seat that decides, -1 where nobody does. */
export function owed(view) {
  const [tag, no, ...fields] = view[FRAMES].at(-1) ?? [0, 0];
  return { no, seat: CHANCE.has(tag) ? -1 : tag === VOTE ? fields[2] : fields[0] };
}

export const winner = (ruleset, view) => view[WINNER[ruleset]];
