// An action made up from the described space of `Choices` (SPEC.md, 4.1): within the numbers, and yet often not legal.

/** One that was told, with another number somewhere; or of one of these kinds, with all of its fields by chance. */
export function compose(actions, space, random) {
  const [tag, spans] = random.of(space);
  const bounds = new Map(spans.map(([field, low, high]) => [field, [low, high]]));
  const told = actions.filter((action) => action[0] === tag);
  if (!told.length || random.next() < 1 / 4) return [tag, ...whole(bounds).map((field) => fill(field, bounds, random))];
  return bent(random.of(told), bounds, random);
}

/** The fields themselves, in their order; what stands in them has names with brackets. */
const whole = (bounds) => [...bounds.keys()].filter((field) => !field.includes("["));

function bent(action, bounds, random) {
  const fields = whole(bounds);
  const place = random.between(1, fields.length);
  const made = fill(fields[place - 1], bounds, random);
  // Of an array that is always empty the space tells no more than of a number.
  return action.with(place, Array.isArray(action[place]) && !Array.isArray(made) ? [] : made);
}

/** An array where the space tells of what it holds, else a number. */
function fill(field, bounds, random) {
  const number = random.between(...bounds.get(field));
  const groups = [...bounds.keys()].filter((name) => name.startsWith(`${field}[][`));
  const items = (make) => Array.from({ length: number }, make);
  if (bounds.has(`${field}[]`)) return items(() => random.between(...bounds.get(`${field}[]`)));
  if (groups.length) return items(() => groups.map((name) => random.between(...bounds.get(name))));
  return number;
}
