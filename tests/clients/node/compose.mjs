// An action made up from the described space of `Choices` (SPEC.md, 4.1): within the numbers, and yet often not legal.

/** Makes up an action: a given one with another value somewhere, or one of these kinds with random fields.
 * `fieldsOf`: the fields of an action, by its tag, as schema.json has them. */
export function compose(actions, space, fieldsOf, random) {
  const [tag, spans] = random.of(space);
  const bounds = new Map(spans.map(([name, low, high]) => [name, [low, high]]));
  const fields = fieldsOf(tag);
  const told = actions.filter((action) => action[0] === tag);
  if (!told.length || random.next() < 1 / 4) return [tag, ...fields.map((field) => fill(field.name, field, bounds, random))];
  const place = random.between(1, fields.length);
  return random.of(told).with(place, fill(fields[place - 1].name, fields[place - 1], bounds, random));
}

/** A value of that type, where it stands between the numbers that were told; an array of which nothing is told is empty. */
function fill(name, { type, of, items }, bounds, random) {
  if (type === "tuple") return items.map((item, i) => fill(`${name}[${i}]`, item, bounds, random));
  const number = bounds.has(name) ? random.between(...bounds.get(name)) : 0;
  if (type === "bool") return number === 1;
  return type === "array" ? Array.from({ length: number }, () => fill(`${name}[]`, of, bounds, random)) : number;
}
