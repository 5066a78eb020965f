// The way to lessons and problems, whose program and words are loaded when the first is opened.

import { WORLD } from "../model/board.js";
import { Founding } from "../model/founding.js";
import { ME, NEWCOMER } from "../model/identity.js";
import { encode } from "../wire/decode.js";
import { _, extend, render, spoken } from "../words/language.js";
import { openDialog } from "./dialog.js";
import { h, setText } from "./dom.js";
import { go, lookOn } from "./form.js";

let loading = null;

// Returns a promise of the program of lessons (lessons/lessons.js).
export function lessons() {
  loading ??= load().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load() {
  const at = (name) => new URL(`${document.getElementById("app").dataset.files}lessons/${name}`, document.baseURI).href;
  const fetched = async (name) => (await fetch(at(name))).json();
  const [program, list, words] = await Promise.all([import(at("lessons.js")), fetched("list.json"), spoken.code === "en" ? {} : fetched(`${spoken.code}.json`)]);
  extend(words);
  program.lend({ _, go, WORLD, ME, encode, render, openDialog, h, setText, list });
  return program;
}

// Opens the table of a lesson or problem: the one that was begun, else a new one. `failed(words)`.
export function openLesson(address, key, title, failed = () => {}) {
  const begun = ME.lessonAt(key);
  if (begun) return lookOn(begun);
  const done = (match) => {
    ME.keepLesson(key, match);
    lookOn(match);
  };
  return new Founding(address, { name: ME.chosen || NEWCOMER, ruleset: "classic", seats: 2, options: new Map(), title, open: false, takeover: 0, away: 0, pace: null, lesson: key }, done, failed);
}
