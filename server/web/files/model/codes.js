// Codes in the texts that people type or paste.

const IN_LINK = /#([0-9A-Za-z]+)|conquest:\/\/[^/\s]+\/([0-9A-Za-z]+)|--code[ =]([0-9A-Za-z]+)/i;
const MADE = /\b[A-HJ-NP-Z2-9]{6,8}\b/; // a code as servers make it; among other words only such a word counts
const MATCH_ID = /^[0-9a-z]{12}$/; // in the link to a table without a code

export const LONGEST_TYPED = 300; // letters of a field for a code
export const LONGEST_NAME = 24; // letters of a name

// A code as servers make it, in any spelling: "scb rgs" is SCBRGS. Full-width letters count as the plain ones.
export function plainCode(typed) {
  return typed.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

// The code, or the id of a match, in a code, a link, or a sentence with either; as `table_in` of shared/codes.py.
export function codeIn(typed) {
  const plain = typed.normalize("NFKC");
  const linked = IN_LINK.exec(plain);
  if (linked) {
    const found = linked.slice(1).find(Boolean);
    return MATCH_ID.test(found) ? found : plainCode(found);
  }
  const made = plain.trim().split(/\s+/).length > 2 ? MADE.exec(plain) : null;
  return made ? made[0] : plainCode(plain).slice(0, 16);
}
