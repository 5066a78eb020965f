// A press counts only for what its reader can have seen: a control that was not there a moment ago, or said something
// else, takes none. So a second click or Enter never answers the question that took the place of the first.

const CONTROLS = "button, a[href], summary, input:is([type=checkbox], [type=radio])";
const OUT_OF_SIGHT = "[hidden], dialog:not([open]), details:not([open]) > :not(summary)";

let since = new Map(); // when each meaning was seen first

// Milliseconds until a press of what is new counts.
function settling() {
  return Number(document.documentElement.dataset.settling);
}

// Meaning of a press of this control: the question, the part of the page, and the words. Numbers and lists that are drawn
// anew keep their meaning.
function meaningOf(control) {
  const [asked, part] = ["asked", "key"].map((name) => control.closest(`[data-${name}]`)?.dataset[name]);
  return [asked, part, control.dataset.focus, control.getAttribute("aria-label"), (control.closest("label") ?? control).textContent].join("\n");
}

function look() {
  const now = Date.now();
  const over = [...document.querySelectorAll("dialog:modal")].at(-1); // What lies below it is out of reach.
  const seen = [...(over ?? document).querySelectorAll(CONTROLS)].filter((control) => !control.closest(OUT_OF_SIGHT)).map(meaningOf);
  since = new Map(seen.map((meaning) => [meaning, since.get(meaning) ?? now]));
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
    if (!second && now - since.get(meaning) >= settling()) last = { meaning, time: now };
    else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  const inMap = ({ target }) => target.namespaceURI !== document.documentElement.namespaceURI;
  new MutationObserver((records) => records.every(inMap) || look()).observe(document.body, { subtree: true, childList: true,
    attributes: true, attributeFilter: ["hidden", "open", "data-asked"] });
  look();
}
