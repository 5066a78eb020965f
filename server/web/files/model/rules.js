// Search in the rules in short; the same as `find` in client/drawing/chapters.py.

const WORD_ENDINGS = ["ing", "ies", "es", "ed", "en", "s", "y", "e", "n"];
const WHOLE_WORD = 3;
const FIRST_WORD = 0.2;
const LONG_WORD = 5;
const LATER_PAGE = 0.95;
const MOST_ANSWERS = 9;

// The parts that fit words or a question best, the best first, each as [page, chapter, part]. `lines`: words of the
// search: those that count for nothing, then groups that mean the same.
export function findRules(pages, lines, question) {
  const texts = pages.flatMap(([, chapters], i) => chapters.flatMap((chapter, j) => partsOf(chapter)
    .map((part, k) => ({ at: [i, j, k], where: [stems(part), stems(chapter[0])] })).slice(chapter[1].length || chapter[2].length ? 1 : 0)));
  const rates = texts.map(() => 0);
  const text = texts.flatMap(({ where }) => where).join(" ");
  for (const words of wanted(lines.map((line) => line.split(", ").map((word) => stems(word).trim())), stems(question), text)) {
    const starts = words.map((word) => (word.length > WHOLE_WORD ? ` ${word}` : ` ${word} `));
    const fits = texts.map(({ where }) => where.filter((text) => starts.some((word) => text.includes(word))).length
      + FIRST_WORD * starts.some((word) => where[0].startsWith(word)));
    const worth = Math.log(1 + texts.length / Math.max(1, fits.filter(Boolean).length));
    fits.forEach((fit, n) => { rates[n] += fit * worth; });
  }
  const rated = texts.map(({ at }, n) => ({ at, rate: rates[n] * LATER_PAGE ** at[0] })).sort((one, other) => other.rate - one.rate);
  return rated.filter(({ rate }) => rate > rated[0].rate / 2).slice(0, MOST_ANSWERS).map(({ at }) => at);
}

// All texts of a chapter: its title, its paragraphs, the lines of its table.
export function partsOf([title, paragraphs, rows]) {
  return [title, ...paragraphs, ...rows.map((row) => row.join(" "))];
}

function wanted([empty, ...groups], question, text) {
  const words = [...new Set(groups.flat())].sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
  const typed = new Set();
  let rest = question;
  for (const word of words) {
    if (!rest.includes(` ${word} `)) continue;
    typed.add(word);
    rest = rest.replaceAll(` ${word} `, "  ");
  }
  const asked = (line) => line.split(" ").filter((word) => word && !empty.includes(word));
  const known = [...new Set([...words.filter((word) => !empty.includes(word)), ...asked(text)])];
  const others = asked(rest).flatMap((word) => knownAs(word, known));
  return [...groups.filter((group) => group.some((word) => typed.has(word) || others.includes(word))),
    ...others.filter((word) => !words.includes(word)).map((word) => [word])];
}

// A word, or the known words of which an unknown one is made, or the one from which it differs in a letter.
function knownAs(word, known) {
  if (known.includes(word) || (word.length > WHOLE_WORD && known.some((each) => each.startsWith(word)))) return [word];
  let rest = word;
  const made = [...known].sort((one, other) => other.length - one.length || (one < other ? -1 : 1)).filter((each) => {
    const held = each.length > WHOLE_WORD && rest.includes(each);
    if (held) rest = rest.replaceAll(each, " ");
    return held;
  });
  if (made.length) return made;
  return [(word.length > LONG_WORD && known.find((each) => isNear(word, each))) || word];
}

function isNear(word, other) {
  return [...word, ""].some((_letter, i) => word.slice(0, i) === other.slice(0, i)
    && ([other.slice(i), other.slice(i + 1)].includes(word.slice(i + 1)) || word.slice(i) === other.slice(i + 1)));
}

function stems(words) {
  const plain = words.toLowerCase().replaceAll("ß", "ss").normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/([aou])e/g, "$1");
  return ` ${(plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem).join(" ")} `;
}

function stem(word) {
  const ending = WORD_ENDINGS.find((each) => word.endsWith(each) && word.length > each.length + 2) ?? "";
  return word.slice(0, word.length - ending.length);
}
