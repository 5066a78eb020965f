// MessagePack in its plainest form (SPEC 1): no floats, no extensions, every value as short as it can be.
// nil, bool, int, str, bin (Uint8Array), array, and map with str keys (Map, which keeps their order).

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const TO_UTF8 = new TextEncoder();

export class Unreadable extends Error {}

export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value();
  if (reader.at !== bytes.length) throw new Unreadable("bytes are left");
  return value;
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  value() {
    const head = this.number(1);
    if (head < 0x80) return head;
    if (head < 0x90) return this.map(head & 0x0f);
    if (head < 0xa0) return this.array(head & 0x0f);
    if (head < 0xc0) return this.text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    return this.longer(head);
  }

  longer(head) {
    switch (head) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: case 0xc5: case 0xc6: return this.take(this.number(1 << (head - 0xc4))).slice();
      case 0xcc: case 0xcd: case 0xce: case 0xcf: return this.number(1 << (head - 0xcc));
      case 0xd0: case 0xd1: case 0xd2: case 0xd3: return this.signed(1 << (head - 0xd0));
      case 0xd9: case 0xda: case 0xdb: return this.text(this.number(1 << (head - 0xd9)));
      case 0xdc: case 0xdd: return this.array(this.number(2 << (head - 0xdc)));
      case 0xde: case 0xdf: return this.map(this.number(2 << (head - 0xde)));
      default: throw new Unreadable(`no value begins with ${head}`);
    }
  }

  take(size) {
    if (this.at + size > this.bytes.length) throw new Unreadable("bytes are missing");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  number(size) {
    let found = 0;
    for (const byte of this.take(size)) found = found * 256 + byte;
    return found;
  }

  signed(size) {
    const from = this.at;
    this.take(size);
    if (size === 8) return Number(this.data.getBigInt64(from));
    return [, this.data.getInt8, this.data.getInt16, , this.data.getInt32][size].call(this.data, from);
  }

  text(size) {
    return UTF8.decode(this.take(size));
  }

  array(size) {
    const found = [];
    for (let i = 0; i < size; i++) found.push(this.value());
    return found;
  }

  map(size) {
    const found = new Map();
    for (let i = 0; i < size; i++) {
      const key = this.value();
      found.set(key, this.value());
    }
    return found;
  }
}

export function encode(value) {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes.subarray(0, writer.size);
}

class Writer {
  constructor() {
    this.bytes = new Uint8Array(2048);
    this.size = 0;
  }

  room(more) {
    if (this.size + more <= this.bytes.length) return;
    const grown = new Uint8Array(2 * (this.size + more));
    grown.set(this.bytes);
    this.bytes = grown;
  }

  byte(value) {
    this.room(1);
    this.bytes[this.size++] = value;
  }

  number(value, size) {
    this.room(size);
    for (let i = size - 1; i >= 0; i--) {
      this.bytes[this.size + i] = value % 256;
      value = Math.floor(value / 256);
    }
    this.size += size;
  }

  value(value) {
    if (value === null) this.byte(0xc0);
    else if (typeof value === "boolean") this.byte(value ? 0xc3 : 0xc2);
    else if (typeof value === "number") this.integer(value);
    else if (typeof value === "string") this.text(TO_UTF8.encode(value));
    else if (value instanceof Uint8Array) this.binary(value);
    else if (value instanceof Map) this.map(value);
    else this.array(value);
  }

  integer(value) {
    if (value >= 0) this.natural(value);
    else if (value >= -0x20) this.byte(value + 0x100);
    else this.negative(value);
  }

  natural(value) {
    if (value < 0x80) this.byte(value);
    else if (value < 2 ** 8) this.headed(0xcc, value, 1);
    else if (value < 2 ** 16) this.headed(0xcd, value, 2);
    else if (value < 2 ** 32) this.headed(0xce, value, 4);
    else this.headed(0xcf, value, 8);
  }

  negative(value) {
    if (value >= -(2 ** 7)) this.headed(0xd0, value + 2 ** 8, 1);
    else if (value >= -(2 ** 15)) this.headed(0xd1, value + 2 ** 16, 2);
    else this.headed(0xd2, value + 2 ** 32, 4);
  }

  headed(head, value, size) {
    this.byte(head);
    this.number(value, size);
  }

  raw(bytes) {
    this.room(bytes.length);
    this.bytes.set(bytes, this.size);
    this.size += bytes.length;
  }

  text(bytes) {
    const size = bytes.length;
    if (size < 0x20) this.byte(0xa0 + size);
    else if (size < 2 ** 8) this.headed(0xd9, size, 1);
    else if (size < 2 ** 16) this.headed(0xda, size, 2);
    else this.headed(0xdb, size, 4);
    this.raw(bytes);
  }

  binary(bytes) {
    const size = bytes.length;
    if (size < 2 ** 8) this.headed(0xc4, size, 1);
    else if (size < 2 ** 16) this.headed(0xc5, size, 2);
    else this.headed(0xc6, size, 4);
    this.raw(bytes);
  }

  array(items) {
    const size = items.length;
    if (size < 0x10) this.byte(0x90 + size);
    else if (size < 2 ** 16) this.headed(0xdc, size, 2);
    else this.headed(0xdd, size, 4);
    for (const item of items) this.value(item);
  }

  map(items) {
    const size = items.size;
    if (size < 0x10) this.byte(0x80 + size);
    else if (size < 2 ** 16) this.headed(0xde, size, 2);
    else this.headed(0xdf, size, 4);
    for (const [key, item] of items) {
      this.value(key);
      this.value(item);
    }
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_nothing, byte) => {
  for (let i = 0; i < 8; i++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});

// CRC-32 as in zlib and PNG.
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

export function digestOf(view) {
  return crc32(encode(view));
}
