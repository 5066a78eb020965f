// Numbers and names of protocol/SPEC.md that this client needs; those of the rule sets are in protocol/schema.json.

import { readFileSync } from "node:fs";

/** Tags of what we say (2.1). */
export const SAY = {
  hello: 0, create: 2, join: 3, watch: 4, resume: 5, setBot: 6, start: 7, leave: 8, act: 9, sync: 11, recall: 22, consider: 32,
};

/** Tags of what we hear (2.2). */
export const HEAR = {
  welcome: 0, refused: 1, done: 2, accepted: 3, table: 6, seated: 7, snapshot: 8, frame: 9, left: 13, recalled: 19, choices: 27, packed: 32,
};

/** Answers that carry the number of the request. */
export const ANSWERS = new Set([HEAR.refused, HEAR.done, HEAR.seated, HEAR.left, HEAR.recalled, HEAR.choices]);

/** Abilities of this client (`Hello.can`). */
export const UNDERSTOOD = ["packed"];

export const GATHERING = 0;
export const PLAYING = 1;
export const OVER = 2;

/** Close codes after which one does not come back (6.1). */
export const FINAL = new Set([4001, 4002]);

const SCHEMA = JSON.parse(readFileSync(new URL("../../../protocol/schema.json", import.meta.url), "utf8"));

/** A field of a view, by its name. */
const field = (ruleset, view, name) => view[SCHEMA.rulesets[ruleset].view.find((each) => each.name === name).number];

/** Returns the decision owed in a view: the frame's number and the seat that decides, -1 for chance. */
export function owed(ruleset, view) {
  const [tag, ...fields] = field(ruleset, view, "frames").at(-1);
  const kind = SCHEMA.rulesets[ruleset].frames.find((each) => each.tag === tag);
  const place = kind.fields.findIndex(({ name }) => name === "seat");
  return { no: fields[0], seat: place < 0 ? -1 : fields[place] };
}

export const winner = (ruleset, view) => field(ruleset, view, "winner");

/** The fields of an action, by its tag. */
export const fieldsOf = (ruleset, tag) => SCHEMA.rulesets[ruleset].actions.find((each) => each.tag === tag).fields;
