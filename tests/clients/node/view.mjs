// The view that a client keeps: deltas patch it (SPEC.md, 3.1), digests tell whether it is the server's (3.2).

import { encode } from "./msgpack.mjs";

/** Patch a view in place. Throws where the delta does not fit. */
export function patch(view, delta) {
  let at = 0;
  const next = () => {
    if (at >= delta.length) throw new RangeError("the delta is cut off");
    return delta[at++];
  };
  while (at < delta.length) change(view, next(), next);
}

function change(view, field, next) {
  if (!(field in view)) throw new RangeError(`there is no field ${field}`);
  if (!Array.isArray(view[field])) view[field] = next();
  else changeItem(view, field, next(), next());
}

function changeItem(view, field, index, value) {
  const items = view[field];
  if (index === -1) view[field] = value;
  else if (Array.isArray(index)) for (const i of index) replace(items, i, structuredClone(value));
  else if (index < -1) inside(items[-2 - index], value);
  else if (value === null) cut(items, index);
  else if (index === items.length) items.push(value);
  else replace(items, index, value);
}

function replace(items, index, value) {
  if (!(index in items)) throw new RangeError(`there is no item ${index}`);
  items[index] = value;
}

function cut(items, length) {
  if (length > items.length) throw new RangeError(`there are no ${length} items to keep`);
  items.length = length;
}

function inside(item, changes) {
  if (!Array.isArray(item)) throw new RangeError("there is no such item to change inside");
  for (let at = 0; at < changes.length; at += 2) replace(item, changes[at], changes[at + 1]);
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** CRC-32 of a view's MessagePack encoding. */
export function digest(view) {
  let sum = -1;
  for (const byte of encode(view)) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 0xff];
  return ~sum >>> 0;
}
