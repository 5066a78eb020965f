// Elements, made without any text that could be read as HTML.

import { _ } from "../words/language.js";

const SVG = "http://www.w3.org/2000/svg";

function filledIn(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function h(tag, attributes = {}, ...children) {
  return filledIn(document.createElement(tag), attributes, children);
}

// A button for what cannot be taken back: the first press changes its words, the second one acts. It forgets the first
// when the focus leaves it.
export function askingButton(words, act) {
  const said = h("span", {}, words);
  const ask = (sure) => {
    button.classList.toggle("sure", sure);
    setText(said, sure ? _("{what}: are you sure?", { what: words }) : words);
  };
  const press = () => {
    if (button.classList.contains("sure")) act();
    ask(!button.classList.contains("sure"));
  };
  const button = h("button", { type: "button", onclick: press, onblur: () => ask(false) }, said);
  return button;
}

export function s(tag, attributes = {}, ...children) {
  return filledIn(document.createElementNS(SVG, tag), attributes, children);
}

// Shows these children by key: what has the same signature stays as it is, so that nothing is drawn in vain.
// `items`: [key, signature, make].
export function keyed(parent, items) {
  const there = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let before = null;
  for (const [key, signature, make] of items) {
    let child = there.get(key);
    if (child?.dataset.signature !== signature) {
      const fresh = make();
      fresh.dataset.key = key;
      fresh.dataset.signature = signature;
      child?.replaceWith(fresh);
      child = fresh;
    }
    there.delete(key);
    const place = before ? before.nextSibling : parent.firstChild;
    if (place !== child) parent.insertBefore(child, place);
    before = child;
  }
  for (const child of there.values()) child.remove();
}

export function setText(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// Calls `draw` once for many requests, with the next frame; not while the page is hidden.
export function atNextPicture(draw) {
  let asked = false;
  const run = () => {
    asked = false;
    if (document.hidden) return;
    draw();
  };
  const ask = () => {
    if (asked || document.hidden) return;
    asked = true;
    requestAnimationFrame(run);
  };
  document.addEventListener("visibilitychange", ask);
  return ask;
}
