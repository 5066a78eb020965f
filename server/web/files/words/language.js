// Texts stand in English where they are used, and are looked up in the list of the reader's language (languages/).

let list = {};
let forms = { one: 0, other: 1 };
let plurals = new Intl.PluralRules("en");
export const spoken = { code: "en" };

// The first of the reader's languages that there is; English is the language of the texts themselves.
export function choose(wished, codes) {
  return wished.map((each) => each.split("-")[0]).find((each) => each === "en" || codes.includes(each)) ?? "en";
}

export function speak(code, words) {
  spoken.code = code;
  if (!words) return;
  list = words.texts;
  forms = words.forms;
  plurals = new Intl.PluralRules(code);
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? values[name] : gap));
}

export function _(text, values = {}) {
  return filled(list[text] || text, values);
}

export function ngettext(one, many, n, values = {}) {
  const said = list[`${one}\0${many}`];
  const words = said ? said.split("\0")[forms[plurals.select(n)] ?? forms.other] : n === 1 ? one : many;
  return filled(words, { n, ...values });
}

export function pgettext(context, text, values = {}) {
  return filled(list[`${context}\u0004${text}`] || text, values);
}
