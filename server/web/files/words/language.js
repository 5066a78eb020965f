// Texts stand in English where they are used, and are looked up in the list of the reader's language (de.json).

let list = {};
export const spoken = { code: "en" };

export function speak(code, words) {
  spoken.code = code;
  list = words;
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? values[name] : gap));
}

export function _(text, values = {}) {
  return filled(list[text] || text, values);
}

export function ngettext(one, many, n, values = {}) {
  const said = list[`${one}\0${many}`];
  const forms = said ? said.split("\0") : [one, many];
  return filled(n === 1 ? forms[0] : forms[1], { n, ...values });
}

export function pgettext(context, text, values = {}) {
  return filled(list[`${context}\u0004${text}`] || text, values);
}
