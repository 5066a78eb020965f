// Plays a match to its end and says, as JSON, how it went:
//
//     node play.mjs ws://HOST:8600 --ruleset classic --seats 3 --bots 1 --option round_limit=2 --seed 7
//     node play.mjs ws://HOST:8600 --join CODE
//     node play.mjs ws://HOST:8600 --watch CODE
//
// --watchers N: spectators. --drops P: probability that a version ends a connection. --compose P: that a decision with
// many choices is tried with a made-up action first.

import { parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { develop, fetchFilm } from "./film.mjs";
import { SAY } from "./words.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ruleset: { type: "string", default: "classic" },
    seats: { type: "string", default: "2" },
    bots: { type: "string", default: "0" },
    level: { type: "string", default: "random" },
    watchers: { type: "string", default: "0" },
    option: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "1" },
    drops: { type: "string", default: "0" },
    compose: { type: "string", default: "0" },
    join: { type: "string" },
    watch: { type: "string" },
  },
});
const [url] = positionals;
const clients = [];

async function person(name) {
  const seed = Number(values.seed) * 1000 + clients.length;
  const client = new Client(url, name, { seed, drops: Number(values.drops), composes: Number(values.compose) });
  clients.push(client);
  return client.open();
}

/** Makes the table, lets others sit down, and fills the last seats with bots. */
async function gather() {
  const [seats, bots] = [Number(values.seats), Number(values.bots)];
  const options = new Map(values.option.map((text) => text.split("=")).map(([key, value]) => [key, Number(value)]));
  const host = await person("Otho");
  const seen = host.expect("table");
  await host.ask(SAY.create, values.ruleset, seats, options, "Conformance", false);
  await seen;
  for (let seat = seats - bots; seat < seats; seat++) await host.ask(SAY.setBot, seat, values.level);
  for (let seat = 1; seat < seats - bots; seat++) await (await person(`Galba ${seat}`)).sit("", host.code);
  for (let i = 0; i < Number(values.watchers); i++) await (await person(`Piso ${i}`)).watch(host.match, host.code);
  return host;
}

/** A client that comes after the end, without a token, sees the same. */
async function comeLate(host) {
  const guest = await person("Late");
  const shown = guest.expect("over");
  await guest.watch(host.match, host.code);
  await shown;
  return guest.report;
}

/** Returns the film of the match, if the server has the ability "recall". */
const film = async (client) => (client.can.includes("recall") ? develop(await fetchFilm(client)) : null);

async function main() {
  const host = values.join || values.watch ? null : await gather();
  if (values.join) await (await person("Otho")).sit("", values.join);
  if (values.watch) await (await person("Otho")).watch("", values.watch);
  const ends = clients.map((client) => client.expect("over"));
  if (host) await host.ask(SAY.start);
  await Promise.all(ends);
  const reports = [];
  for (const client of clients) reports.push({ ...client.report, film: await film(client) });
  const late = host?.can.includes("recall") ? await comeLate(host) : null;
  for (const client of clients) client.close();
  console.log(JSON.stringify({ match: clients[0].match, ruleset: clients[0].ruleset, clients: reports, late }));
}

await main().catch((error) => {
  for (const client of clients) client.close();
  console.error(`${error.message}`);
  process.exitCode = 1;
});
