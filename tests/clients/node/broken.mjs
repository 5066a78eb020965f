// The client with one deliberate fault, to test what tests clients:
//
//     node broken.mjs ws://HOST:8600 FAULT

import { Client } from "./client.mjs";
import { decode, encode } from "./msgpack.mjs";
import { WebSocket } from "./websocket.mjs";
import { SAY } from "./words.mjs";

const [url, fault] = process.argv.slice(2);
const client = new Client(url, "Otho", { seed: 5 });
const usual = (name) => Client.prototype[name].bind(client);

/** What each does otherwise than the whole client. */
const FAULTS = {
  greeting: () => (client.welcomed = (...fields) => (fields.length > 7 ? client.close() : usual("welcomed")(...fields))),
  "no-hello": () => (client.say = (message) => usual("say")(message[0] === SAY.hello ? [SAY.join, 1, "", "X"] : message)),
  version: () => (client.say = ([tag, ...fields]) => usual("say")(tag === SAY.hello ? [tag, 77, "Otho"] : [tag, ...fields])),
  pong: () => {
    const { heed } = WebSocket.prototype;
    WebSocket.prototype.heed = function deaf(first, payload) {
      if ((first & 0x0f) !== 0x9) heed.call(this, first, payload);
    };
  },
  text: () => (WebSocket.prototype.send = function text(bytes) {
    this.write(0x1, Buffer.from(bytes.toString("hex")));
  }),
  future: () => (client.hear = (message) => (message[0] > 100 ? client.close() : usual("hear")(message))),
  storage: () => (client.rejected = (code, ...more) => code !== "storage" && usual("rejected")(code, ...more)),
  rate: () => (client.rejected = (code, ...more) => usual("rejected")(code === "rate" ? "storage" : code, ...more)),
  silent: () => (client.decide = () => undefined),
  gap: () => (client.step = (version, ...more) => {
    if (version > client.version) client.version = version - 1;
    usual("step")(version, ...more);
  }),
  digest: () => (client.check = () => true),
  misfit: () => (client.step = (version, sum, delta) => {
    const known = client.view;
    const kept = structuredClone(known);
    if (client.fits(delta)) return Object.assign(client, { view: kept }) && usual("step")(version, sum, delta);
    Object.assign(client, { view: kept, version });
  }),
  old: () => (client.step = (version, sum, delta) => {
    if (version <= client.version) client.version = version - 1;
    usual("step")(version, sum, delta);
  }),
  twice: () => (client.sync = () => {
    usual("sync")();
    usual("sync")();
  }),
  "no-return": () => (client.lost = () => client.socket.drop()),
  "no-resume": () => (client.say = ([tag, ...more]) => usual("say")(tag === SAY.resume ? [SAY.join, 99, "", "X"] : [tag, ...more])),
  token: () => {
    let first;
    client.seated = (ref, match, seat, token, command) => usual("seated")(ref, match, seat, (first ??= token), command);
  },
  have: () => Object.defineProperty(client, "have", { get: () => 0 }),
  hasty: () => (client.say = (message) => {
    usual("say")(message);
    if (message[0] === SAY.resume) usual("say")([SAY.sync, 0]);
  }),
  "not-repeated": () => (client.seated = (...fields) => {
    client.pending = null;
    usual("seated")(...fields);
  }),
  command: () => (client.act = (frame, action) => {
    client.pending = [SAY.act, 1000, frame, action];
    client.say(client.pending);
  }),
  falling: () => {
    let next = 100000;
    client.act = (frame, action) => {
      client.pending = [SAY.act, next--, frame, action];
      client.say(client.pending);
    };
  },
  illegal: () => (client.choose = (ref, frame) => {
    client.asking = null;
    client.act(frame, [11, 0, 0, []]);
  }),
  nonsense: () => (client.choose = (ref, frame, complete, actions) => {
    const mad = client.counts.decisions === 3 && !client.refused["bad-action"];
    usual("choose")(ref, frame, complete, mad ? [[99, "x"]] : actions);
  }),
  garbage: () => (client.say = (message) => usual("say")(message[0] === SAY.consider ? [SAY.consider, "x"] : message)),
  wide: () => (client.flush = () => {
    while (client.unsent.length) client.socket.send(wide(client.unsent.shift()));
  }),
  uninvited: () => (client.told = (...fields) => {
    usual("told")(...fields);
    client.say([27, ++client.last]);
  }),
  stubborn: () => (client.choose = (ref, frame, ...more) => usual("choose")(ref, (client.first ??= frame), ...more)),
  leaves: () => (client.step = () => client.say([SAY.leave, ++client.last])),
  "after-end": () => (client.finish = () => {
    if (!client.over || client.stale) return;
    client.timer = setInterval(() => client.act(client.frame, [13]), 50);
  }),
};

/** The message with its second item as a number of 32 bits, which is not its shortest form. */
function wide(bytes) {
  const [, ref] = decode(bytes);
  const short = encode(ref);
  if (typeof ref !== "number" || short.length > 1) return bytes;
  const number = Buffer.of(0xce, 0, 0, 0, ref);
  return Buffer.concat([bytes.subarray(0, 2), number, bytes.subarray(3)]);
}

FAULTS[fault]();
client.on("failed", () => process.exit(0));
const over = client.expect("over");
await client.open();
await client.sit("", "X");
await over;
client.close();
