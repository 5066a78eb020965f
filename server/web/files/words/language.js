// Texts stand in English where they are used, and are looked up in the list of the reader's language (languages/).
// Sentences of the server are looked up in the same list (SPEC 3, "Sentences").

const CONTEXT = "\u0004";
const PLURAL = "\0";
const AND = "{most} and {last}";
const PERSON = 1; // tags of values
const LISTING = 2;

let list = {};
let refusals = {};
let forms = { one: 0, other: 1 };
let plurals = new Intl.PluralRules("en");
export const spoken = { code: "en" };

// The first of the reader's languages that there is; English is the language of the texts themselves.
export function choose(wished, codes) {
  return wished.map((each) => each.split("-")[0]).find((each) => each === "en" || codes.includes(each)) ?? "en";
}

export function speak(code, words) {
  spoken.code = code;
  list = words?.texts ?? {};
  refusals = words?.refusals ?? {};
  forms = words?.forms ?? { one: 0, other: 1 };
  plurals = new Intl.PluralRules(code);
}

// Adds texts that come later than the others.
export function extend(texts) {
  list = { ...list, ...texts };
}

// The text of a key; the number chooses its plural form.
function lookup(key, n = 1) {
  const found = list[key];
  if (!key.includes(PLURAL)) return found || key.split(CONTEXT).pop();
  if (found) return found.split(PLURAL)[forms[plurals.select(n)] ?? forms.other];
  return key.split(CONTEXT).pop().split(PLURAL)[n === 1 ? 0 : 1];
}

// A text with its gaps filled; a gap without a value stays as it is.
function filled(text, has, value) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (has(name) ? value(name) : gap));
}

function filledFrom(text, values) {
  return filled(text, (name) => name in values, (name) => values[name]);
}

// Why the server refuses something, by the key of its sentence; in its own words where that is not known.
export function refusalText({ key, args = [], text }) {
  return refusals[key] ? filledFrom(refusals[key], args.map((arg) => lookup(arg))) : text;
}

export function _(text, values = {}) {
  return filledFrom(lookup(text), values);
}

export function ngettext(one, many, n, values = {}) {
  return filledFrom(lookup(one + PLURAL + many, n), { n, ...values });
}

export function pgettext(context, text, values = {}) {
  return filledFrom(lookup(context + CONTEXT + text), values);
}

// "a, b and c".
export function andWords(parts) {
  return listed(parts, ", ", AND);
}

function listed(parts, between, final) {
  if (!final || parts.length < 2) return parts.join(between);
  return _(final, { most: parts.slice(0, -1).join(between), last: parts[parts.length - 1] });
}

// A value of a sentence in the reader's language. `who(seat)`: the name of a player.
export function render(value, who) {
  if (!Array.isArray(value)) return `${value}`;
  const [kind, ...fields] = value;
  if (kind === PERSON) return who(fields[0]);
  if (kind !== LISTING) return sentence(...fields, who);
  const [parts, between = ", ", final = ""] = fields;
  return listed(parts.map((each) => render(each, who)), render(between, who), final);
}

function sentence(key, values, who) {
  const n = values.get("n");
  return filled(lookup(key, typeof n === "number" ? n : 1), (name) => values.has(name), (name) => render(values.get(name), who));
}

// A sentence as a whole line, with one mark at its end. A part such as "the slave army" may begin it.
export function lineOf(told, who) {
  const words = render(told, who).replace("!.", "!");
  const [, key, values] = told;
  const begins = values.get(/^\{(\w+)\}/.exec(lookup(key))?.[1]);
  return Array.isArray(begins) && begins[0] !== PERSON ? words[0].toUpperCase() + words.slice(1) : words;
}
