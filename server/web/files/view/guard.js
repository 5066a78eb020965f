// A press counts only for what its reader can have seen: a control that was not there a moment ago, said something else,
// or stood elsewhere, takes none. So a second click or Enter never answers the question that took the place of the first.

const CONTROLS = "button, a[href], summary, input:is([type=checkbox], [type=radio])";
const OUT_OF_SIGHT = "[hidden], dialog:not([open]), details:not([open]) > :not(summary)";
const SHIFTS = ["resize", "load", "animationend", "transitionend"]; // what moves controls without another document

let since = new Map(); // when each meaning was seen first
let places = new Map(); // by meaning: where controls were last, and since when
let awaited = false;

// Milliseconds until a press of what is new counts.
function settling() {
  return Number(document.documentElement.dataset.settling);
}

// Meaning of a press of this control: the question, the part of the page, and the words. Numbers and lists that are drawn
// anew keep their meaning.
function meaningOf(control) {
  const [asks, part] = ["asked", "key"].map((name) => control.closest(`[data-${name}]`)?.dataset[name]);
  return [asks, part, control.dataset.focus, control.getAttribute("aria-label"), (control.closest("label") ?? control).textContent].join("\n");
}

function controls() {
  const over = [...document.querySelectorAll("dialog:modal")].at(-1); // What lies below it is out of reach.
  return [...(over ?? document).querySelectorAll(CONTROLS)].filter((control) => !control.closest(OUT_OF_SIGHT));
}

// Note what can be pressed now. Places are measured a picture later: then the browser has laid out the page anyway.
function look() {
  const now = Date.now();
  since = new Map(controls().map(meaningOf).map((meaning) => [meaning, since.get(meaning) ?? now]));
  if (awaited) return;
  awaited = true;
  requestAnimationFrame(measure);
}

function measure() {
  awaited = false;
  const found = new Map();
  for (const control of controls()) {
    const meaning = meaningOf(control);
    found.set(meaning, [...(found.get(meaning) ?? []), placed(control, meaning)]);
  }
  places = found;
}

// The place of a control in the window, and in all that can be scrolled around it; and since when it is there.
function placed(control, meaning) {
  const { left, top, width, height } = control.getBoundingClientRect();
  let [x, y] = [left, top];
  for (let each = control.parentElement; each; each = each.parentElement) [x, y] = [x + each.scrollLeft, y + each.scrollTop];
  const near = (one, other, size) => Math.abs(one - other) <= size / 2;
  const before = places.get(meaning);
  const there = before?.find((each) => (near(each.left, left, width) && near(each.top, top, height)) || (near(each.x, x, width) && near(each.y, y, height)));
  return { left, top, x, y, time: there?.time ?? (before ? Date.now() : -Infinity) };
}

// Begin to guard the page. All presses come as clicks: those of fingers, of Enter and Space, and of screen readers.
export function guard() {
  let last = { meaning: "", time: -Infinity };
  addEventListener("click", (event) => {
    const control = event.target.closest?.(CONTROLS);
    if (!control) return;
    const [meaning, now] = [meaningOf(control), Date.now()];
    if (!since.has(meaning)) look();
    // The second click of a slow double click belongs to what the first one meant.
    const second = event.detail > 1 && last.meaning !== meaning && now - last.time < 2 * settling();
    const there = event.detail ? placed(control, meaning) : { time: -Infinity }; // Keys press what has the focus, wherever it is.
    places.set(meaning, [...(places.get(meaning) ?? []), there]);
    const settled = Math.max(since.get(meaning), there.time);
    if (!second && now - settled >= settling()) last = { meaning, time: now };
    else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  const inMap = ({ target }) => target.namespaceURI !== document.documentElement.namespaceURI;
  new MutationObserver((records) => records.every(inMap) || look()).observe(document.body, { subtree: true, childList: true,
    attributes: true, attributeFilter: ["hidden", "open", "class", "data-asked"] });
  for (const kind of SHIFTS) addEventListener(kind, look, true);
  look();
}
