// MessagePack as the wire uses it (SPEC.md, 1): nil, bool, int, str, bin, array, map with str keys, each in its
// shortest encoding. Arrays are arrays, maps are Maps (their order counts for digests), bin is a Buffer.

/** The shortest encoding of a value. */
export function encode(value) {
  const parts = [];
  write(value, parts);
  return Buffer.concat(parts);
}

function write(value, out) {
  if (value === null || value === undefined) out.push(Buffer.of(0xc0));
  else if (typeof value === "boolean") out.push(Buffer.of(value ? 0xc3 : 0xc2));
  else if (typeof value === "number" || typeof value === "bigint") out.push(number(value));
  else if (typeof value === "string") writeBytes(Buffer.from(value, "utf8"), 0xa0, 31, [0xd9, 0xda, 0xdb], out);
  else if (value instanceof Uint8Array) writeBytes(value, 0, -1, [0xc4, 0xc5, 0xc6], out);
  else if (Array.isArray(value)) writeAll(value, head(value.length, 0x90, 15, [0, 0xdc, 0xdd]), out);
  else if (value instanceof Map) writeAll([...value].flat(1), head(value.size, 0x80, 15, [0, 0xde, 0xdf]), out);
  else throw new TypeError(`no MessagePack for ${value}`);
}

function writeBytes(bytes, short, limit, tags, out) {
  out.push(head(bytes.length, short, limit, tags), bytes);
}

function writeAll(items, first, out) {
  out.push(first);
  for (const item of items) write(item, out);
}

/** Returns the first bytes of a value of that length; a tag of 0 stands for a width that does not exist. */
function head(length, short, limit, tags) {
  if (length <= limit) return Buffer.of(short | length);
  if (tags[0] && length < 0x100) return Buffer.of(tags[0], length);
  return length < 0x10000 ? sized(tags[1], length, 2) : sized(tags[2], length, 4);
}

function sized(tag, value, width) {
  const bytes = Buffer.alloc(1 + width);
  bytes[0] = tag;
  bytes.writeUIntBE(value, 1, width);
  return bytes;
}

function number(value) {
  if (!Number.isInteger(Number(value))) throw new TypeError(`${value} is no whole number`);
  if (Math.abs(Number(value)) >= 2 ** 32) return large(BigInt(value));
  const n = Number(value);
  if (n >= 0) return n < 0x80 ? Buffer.of(n) : n < 0x100 ? Buffer.of(0xcc, n) : sized(n < 0x10000 ? 0xcd : 0xce, n, n < 0x10000 ? 2 : 4);
  return negative(n);
}

function negative(n) {
  if (n >= -32) return Buffer.of(n & 0xff);
  if (n >= -0x80) return Buffer.of(0xd0, n & 0xff);
  if (n >= -0x8000) return sized(0xd1, n & 0xffff, 2);
  return n >= -0x80000000 ? sized(0xd2, n >>> 0, 4) : large(BigInt(n));
}

function large(value) {
  const bytes = Buffer.alloc(9);
  bytes[0] = value < 0n ? 0xd3 : 0xcf;
  if (value < 0n) bytes.writeBigInt64BE(value, 1);
  else bytes.writeBigUInt64BE(value, 1);
  return bytes;
}

/** The one value in these bytes. Throws where they are anything else. */
export function decode(bytes) {
  const reader = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 };
  const value = read(reader);
  if (reader.at !== bytes.length) throw new RangeError("something follows the message");
  return value;
}

function read(from) {
  const tag = unsigned(from, 1);
  if (tag < 0x80) return tag;
  if (tag < 0x90) return pairs(from, tag & 15);
  if (tag < 0xa0) return items(from, tag & 15);
  if (tag < 0xc0) return text(from, tag & 31);
  if (tag >= 0xe0) return tag - 0x100;
  const kind = KINDS.get(tag);
  if (!kind) throw new RangeError(`0x${tag.toString(16)} is not used on this wire`);
  return kind(from);
}

const KINDS = new Map([
  [0xc0, () => null],
  [0xc2, () => false],
  [0xc3, () => true],
  ...[1, 2, 4].map((width, i) => [0xc4 + i, (from) => Buffer.from(take(from, unsigned(from, width)))]),
  ...[1, 2, 4].map((width, i) => [0xcc + i, (from) => unsigned(from, width)]),
  [0xcf, (from) => plain(take(from, 8).readBigUInt64BE())],
  ...[1, 2, 4].map((width, i) => [0xd0 + i, (from) => take(from, width).readIntBE(0, width)]),
  [0xd3, (from) => plain(take(from, 8).readBigInt64BE())],
  ...[1, 2, 4].map((width, i) => [0xd9 + i, (from) => text(from, unsigned(from, width))]),
  ...[2, 4].map((width, i) => [0xdc + i, (from) => items(from, unsigned(from, width))]),
  ...[2, 4].map((width, i) => [0xde + i, (from) => pairs(from, unsigned(from, width))]),
]);

function take(from, length) {
  if (from.at + length > from.bytes.length) throw new RangeError("the message is cut off");
  from.at += length;
  return from.bytes.subarray(from.at - length, from.at);
}

const unsigned = (from, width) => take(from, width).readUIntBE(0, width);
const text = (from, length) => take(from, length).toString("utf8");
const items = (from, length) => Array.from({ length }, () => read(from));
const pairs = (from, length) => new Map(Array.from({ length }, () => [read(from), read(from)]));
const plain = (big) => (Number.isSafeInteger(Number(big)) ? Number(big) : big);
