// The client with one deliberate fault, to test what tests clients:
//
//     node broken.mjs ws://HOST:8600 FAULT
//     node broken.mjs ws://HOST:8600 FAULT watch

import { Client } from "./client.mjs";
import { decode, encode } from "./msgpack.mjs";
import { patch } from "./view.mjs";
import { WebSocket } from "./websocket.mjs";
import { OVER, PLAYING, SAY, UNDERSTOOD, owed } from "./words.mjs";

const [url, fault, role] = process.argv.slice(2);
const WHOLE = -1;
const TRY_ACTION = 36;
const PRESENCE = 26;
const client = new Client(url, "Otho", { seed: 5 });
const usual = (name) => Client.prototype[name].bind(client);

/** Faults by name: each replaces a part of the working client. */
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
  needless: () => (client.step = (version, ...more) => {
    usual("step")(version, ...more);
    if (!client.stale && client.version === version) client.sync();
  }),
  sometimes: () => (client.step = (version, ...more) => {
    usual("step")(version, ...more);
    if (version % 5 === 0 && !client.stale && client.version === version) client.sync();
  }),
  loops: () => (client.check = () => client.sync()),
  packed: () => (client.unpack = () => undefined),
  unasked: () => (client.shown = (version, ...more) => (client.view && !client.stale ? undefined : usual("shown")(version, ...more))),
  presence: () => {
    UNDERSTOOD.push("presence");
    const { hear } = Client.prototype;
    client.hear = ([tag, ...fields]) => (tag === PRESENCE ? client.close() : hear.call(client, [tag, ...fields]));
  },
  "no-other": () => (client.rejected = (code, ...more) => code !== "wrong-action" && usual("rejected")(code, ...more)),
  again: () => (client.rejected = (code, ...more) => (code === "wrong-action" ? client.say(client.pending) : usual("rejected")(code, ...more))),
  "one-frame": () => once(8, (frame, action) => [++client.last, frame + 1000, action]),
  "frame-0": () => once(8, (frame, action) => [++client.last, 0, action]),
  "old-frame-number": () => {
    const answered = [];
    const { act } = Client.prototype;
    client.act = (frame, action) => {
      const old = answered.find((each) => each !== frame);
      answered.push(frame);
      if (old === undefined || client.erred) return act.call(client, frame, action);
      client.erred = true;
      act.call(client, old, action);
    };
  },
  exchanged: () => once(8, (frame, action) => [frame, ++client.last, action]),
  "asks-frame": () => {
    let asked = 0;
    client.say = ([tag, ref, no, ...more]) => usual("say")(tag === SAY.consider && ++asked === 9 ? [tag, ref, no + 1] : [tag, ref, no, ...more]);
  },
  back: () => (client.step = (version, sum, delta, events, undo, back) => back ? undefined : usual("step")(version, sum, delta)),
  "back-number": () => (client.step = (version, sum, delta, events, undo, back) => {
    usual("step")(version, sum, delta);
    if (back) client.version = back[1];
  }),
  repeats: () => (client.act = (frame, action) => {
    usual("act")(frame, action);
    client.say(client.pending);
  }),
  low: () => (client.seated = (ref, match, seat, token) => usual("seated")(ref, match, seat, token, 0)),
  "end-once": () => (client.finish = () => {
    if (!client.over || client.stale || client.acted) return;
    client.acted = true;
    setTimeout(() => client.act(client.frame, [13]), 50);
  }),
  "end-asks": () => {
    client.finish = () => undefined;
    const { told } = Client.prototype;
    client.told = (...fields) => told.call(client, ...fields.with(6, fields[6] === OVER ? PLAYING : fields[6]));
  },
  "not-ignored": () => (client.step = (version, sum, delta) => {
    if (version <= client.version) return;
    if (version !== client.version + 1 || !client.fits(delta)) return client.sync();
    client.version = version;
    if (client.check(sum)) client.moved();
  }),
  "sync-lost": () => (client.refusedBy = (ref, ...more) => ref !== 0 && usual("refusedBy")(ref, ...more)),
  "stays-away": () => (client.lost = (code) => (code === 1012 ? client.close() : usual("lost")(code))),
  start: () => (client.choose = (ref, frame, ...more) => {
    client.say([SAY.consider, ++client.last, frame, [-1, -1, -1, -1], 77]);
    usual("choose")(ref, frame, ...more);
  }),
  tried: () => (client.choose = (ref, frame) => {
    client.asking = null;
    client.ask(TRY_ACTION, frame, [11, 0, 0, [], 0, 0, 0, 0, []]).catch(() => undefined);
    client.act(frame, [11, 0, 0, [], 0, 0, 0, 0, []]);
  }),
  outside: () => (client.choose = (ref, frame, complete, actions, ...more) => {
    usual("choose")(ref, frame, complete, complete ? [actions.at(-1).with(1, 77)] : actions, ...more);
  }),
  considers: () => (client.moved = () => {
    usual("moved")();
    client.say([SAY.consider, ++client.last, owed(client.ruleset, client.view).no]);
  }),
  acts: () => (client.moved = () => {
    usual("moved")();
    client.say([SAY.act, ++client.last, owed(client.ruleset, client.view).no, [13]]);
  }),
  "sits-down": () => (client.welcomed = (...fields) => {
    if (client.at === false && client.view) return client.say([SAY.join, ++client.last, "", "X"]);
    usual("welcomed")(...fields);
  }),
  ...Object.fromEntries(Object.entries({
    "no-whole": (view, field, index) => index === WHOLE,
    "last-item": (view, field, index, value) => index === WHOLE && [(view[field][view[field].length - 1] = value)],
    "no-item": (view, field, index, value) => index >= 0 && index < view[field].length && value !== null,
    "no-many": (view, field, index) => Array.isArray(index),
    "no-append": (view, field, index) => index !== undefined && index === view[field].length,
    "no-cut": (view, field, index, value) => index >= 0 && value === null,
    "no-inside": (view, field, index) => index < WHOLE,
    "nil-cuts": (view, field, index, value) => index < WHOLE && value[1] === null && [(view[field][-2 - index].length = value[0])],
    shared: (view, field, index, value) => Array.isArray(index) && index.map((i) => (view[field][i] = value)),
    "no-value": (view, field, index) => index === undefined,
  }).map(([name, misreads]) => [name, () => (client.fits = (delta) => misapplied(delta, misreads))])),
  "after-end": () => (client.finish = () => {
    if (!client.over || client.stale) return;
    client.timer = setInterval(() => client.act(client.frame, [13]), 50);
  }),
};

/** Patch the view, but leave out what the fault handles in its own way. */
function misapplied(delta, misreads) {
  try {
    for (let at = 0; at < delta.length; ) {
      const isArray = Array.isArray(client.view[delta[at]]);
      const [field, index, value] = isArray ? delta.slice(at, at + 3) : [delta[at], undefined, delta[at + 1]];
      at += isArray ? 3 : 2;
      if (!misreads(client.view, field, index, value)) patch(client.view, isArray ? [field, index, value] : [field, value]);
    }
    return true;
  } catch (error) {
    return false;
  }
}

/** Send one action otherwise: that after so many. */
function once(after, otherwise) {
  client.act = (frame, action) => {
    if (client.counts.decisions !== after || client.erred) return usual("act")(frame, action);
    client.erred = true;
    client.pending = [SAY.act, ...otherwise(frame, action)];
    client.say(client.pending);
  };
}

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
await (role === "watch" ? client.watch("", "X") : client.sit("", "X"));
await over;
client.close();
