// A WebSocket client (RFC 6455) over a plain socket: binary messages, no extensions, answers pings by itself.

import { createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { connect } from "node:net";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0x0, 0x1, 0x2, 0x8, 0x9, 0xa];
const NO_CODE = 1005;
const LOST = 1006;

/** Emits "open", "message" (a Buffer) and, once, "close" (its code; 1006 where the connection was just lost). */
export class WebSocket extends EventEmitter {
  #socket;
  #unread = Buffer.alloc(0);
  #pieces = [];
  #open = false;
  #code = LOST;
  #key = randomBytes(16).toString("base64");

  constructor(url) {
    super();
    const { hostname, port } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, "");
    this.#socket = connect({ host, port: Number(port || 80), noDelay: true });
    this.#socket.on("connect", () => this.#knock(url));
    this.#socket.on("data", (bytes) => this.#receive(bytes));
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.on("close", () => this.emit("close", this.#code));
  }

  /** Send one binary message. */
  send(bytes) {
    this.write(BINARY, bytes);
  }

  /** Say goodbye. */
  close(code = 1000) {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.write(CLOSE, payload);
    this.#socket.end();
  }

  /** Lose the connection without a word. */
  drop() {
    this.#socket.destroy();
  }

  #knock(url) {
    const { host } = new URL(url);
    const lines = ["GET / HTTP/1.1", `Host: ${host}`, "Upgrade: websocket", "Connection: Upgrade"];
    this.#socket.write([...lines, `Sec-WebSocket-Key: ${this.#key}`, "Sec-WebSocket-Version: 13", "", ""].join("\r\n"));
  }

  #receive(bytes) {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    if (!this.#open && !this.#admitted()) return;
    while (this.#frame());
  }

  #admitted() {
    const end = this.#unread.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const answer = this.#unread.toString("latin1", 0, end);
    this.#unread = this.#unread.subarray(end + 4);
    const expected = createHash("sha1").update(this.#key + GUID).digest("base64");
    this.#open = answer.startsWith("HTTP/1.1 101") && answer.includes(expected);
    if (this.#open) this.emit("open");
    else this.drop();
    return this.#open;
  }

  /** Take one frame off what came; false where it is not whole yet. */
  #frame() {
    const [bytes, short] = [this.#unread, this.#unread[1] & 0x7f];
    const start = { 126: 4, 127: 10 }[short] ?? 2;
    if (bytes.length < start) return false;
    const size = start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < start + size) return false;
    this.#unread = bytes.subarray(start + size);
    this.heed(bytes[0], bytes.subarray(start, start + size));
    return true;
  }

  heed(first, payload) {
    const kind = first & 0x0f;
    if (kind === PING) this.write(PONG, payload);
    else if (kind === CLOSE) this.#end(payload);
    else if (kind === CONTINUED || kind === BINARY || kind === TEXT) this.#gather(payload, first & 0x80);
  }

  #gather(payload, last) {
    this.#pieces.push(payload);
    if (!last) return;
    const message = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.emit("message", message);
  }

  #end(payload) {
    this.#code = payload.length >= 2 ? payload.readUInt16BE(0) : NO_CODE;
    this.write(CLOSE, payload.subarray(0, 2));
    this.#socket.end();
  }

  write(kind, payload) {
    if (!this.#socket.writable) return;
    const mask = randomBytes(4);
    const size = payload.length < 126 ? Buffer.of(payload.length) : Buffer.alloc(payload.length < 65536 ? 3 : 9);
    if (size.length === 3) size.writeUInt16BE(payload.length, 1);
    if (size.length === 9) size.writeBigUInt64BE(BigInt(payload.length), 1);
    size[0] = size.length === 1 ? payload.length | 0x80 : size.length === 3 ? 0xfe : 0xff;
    const masked = Buffer.from(payload, 0).map((byte, i) => byte ^ mask[i & 3]);
    this.#socket.write(Buffer.concat([Buffer.of(0x80 | kind), size, mask, masked]));
  }
}
