// The page: the list of tables, or the table that the address names after the #.

import { learn } from "./model/board.js";
import { ME, ONLOOKER } from "./model/identity.js";
import { install } from "./model/worker.js";
import { _, choose, speak } from "./words/language.js";
import { go } from "./view/form.js";
import { symbols } from "./view/pieces.js";
import { guard } from "./view/guard.js";
import { Lobby } from "./view/lobby.js";
import { Hand } from "./view/hand.js";
import { Table } from "./view/table.js";
import { wearKeptTheme } from "./view/theme.js";

const app = document.getElementById("app");
let shown = null;
let waiting = null; // a table that gathers while its person learns

async function fetched(name) {
  return (await fetch(app.dataset.files + name)).json();
}

function address() {
  return new URL("./", location.href.replace(/^http/, "ws")).href;
}

// Returns the part of the address after the #.
function wished() {
  const said = location.hash.slice(1);
  try {
    return decodeURIComponent(said).trim();
  } catch {
    return said;
  }
}

function open() {
  const before = shown;
  if (before?.learning) waiting = before;
  else before?.end();
  const wish = wished();
  if (waiting?.learning === location.hash) {
    [shown, waiting] = [waiting, null];
    shown.learning = "";
    shown.call.remove();
  } else if (location.pathname.endsWith("/hand")) shown = new Hand(address(), ONLOOKER, wish);
  else shown = wish ? new Table(address(), wish) : new Lobby(address());
  app.replaceChildren(shown.element);
  if (waiting) (shown.header ?? shown).element[shown.header ? "after" : "prepend"](waiting.call);
  globalThis.conquest = shown; // for whoever wants to know: what is shown, with all that was heard
}

// Links between parts of the page; see `go`.
function stay(event) {
  const link = event.target.closest?.("a[href]:not([target])");
  if (ME.stored || !link || event.ctrlKey || event.metaKey || event.shiftKey || !link.href.startsWith(new URL("./", location.href))) return;
  event.preventDefault();
  go(link.href);
}

async function begin() {
  wearKeptTheme();
  guard();
  const page = document.documentElement;
  const code = choose(navigator.languages, page.dataset.languages.split(" "));
  const [world, words] = await Promise.all([
    fetched("world.json"), code === "en" ? null : fetched(`languages/${code}.json`),
  ]);
  page.lang = code;
  speak(code, words);
  learn(world);
  document.body.append(symbols());
  addEventListener("popstate", open);
  addEventListener("click", stay);
  open();
  install();
}

begin().catch(() => app.append(_("The server does not answer. Please load this page again.")));
