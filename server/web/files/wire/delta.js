// From one view to the next (SPEC 3.1). Views are plain nested arrays and are never changed: what stays the same is
// shared by both, so that all positions of a match can be kept.

export class BadDelta extends Error {}

export function patched(view, delta) {
  const next = view.slice();
  for (let at = 0; at < delta.length; ) {
    const field = place(delta[at], next.length);
    if (!Array.isArray(next[field])) {
      next[field] = given(delta, at + 1);
      at += 2;
    } else {
      next[field] = arrayPatched(next[field], given(delta, at + 1), given(delta, at + 2));
      at += 3;
    }
  }
  return next;
}

function given(delta, at) {
  if (at >= delta.length) throw new BadDelta("a change is cut off");
  return delta[at];
}

function place(index, length) {
  if (!Number.isInteger(index) || index < 0 || index >= length) throw new BadDelta(`there is no place ${index}`);
  return index;
}

function arrayPatched(current, index, value) {
  if (index === -1) return value;
  const next = current.slice();
  if (Array.isArray(index)) {
    for (const i of index) next[place(i, next.length)] = value;
  } else if (index <= -2) {
    const i = place(-2 - index, next.length);
    next[i] = insidePatched(next[i], value);
  } else if (value === null) {
    next.length = place(index, next.length + 1);
  } else {
    next[place(index, next.length + 1)] = value;
  }
  return next;
}

function insidePatched(item, pairs) {
  if (!Array.isArray(item) || !Array.isArray(pairs) || pairs.length % 2) throw new BadDelta("nothing inside to change");
  const next = item.slice();
  for (let i = 0; i < pairs.length; i += 2) next[place(pairs[i], next.length)] = pairs[i + 1];
  return next;
}
