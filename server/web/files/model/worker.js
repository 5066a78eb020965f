// The service worker, where the browser allows one: on https, and on the server's own computer.

import { _, spoken } from "../words/language.js";

const OFFLINE_CACHE = "conquest-offline";
const OFFLINE_PATH = "offline";
const OFFLINE_STYLE = "body{margin:0;min-height:100vh;display:grid;place-content:center;gap:1em;padding:1em;box-sizing:border-box;" +
  "background:#18100c;color:#f4e7c8;font:1.1rem/1.5 serif;text-align:center}button{font:inherit;padding:.6em 1.4em;justify-self:center}";
const OFFLINE_PROGRAM = "document.querySelector('button').onclick=()=>location.reload();addEventListener('online',()=>location.reload())";

// The service worker of this page; undefined where the browser allows none.
export async function registration() {
  try {
    return await navigator.serviceWorker?.getRegistration();
  } catch {
    return undefined;
  }
}

// Install it, with the page that it shows when the server cannot be reached.
export async function install() {
  if (!navigator.serviceWorker) return;
  try {
    await (await caches.open(OFFLINE_CACHE)).put(OFFLINE_PATH, await offlinePage());
    await navigator.serviceWorker.register("service-worker.js", { updateViaCache: "none" });
  } catch {
    // Private windows may allow none; all else works without it.
  }
}

async function offlinePage() {
  const policy = `default-src 'none'; style-src ${await hashed(OFFLINE_STYLE)}; script-src ${await hashed(OFFLINE_PROGRAM)}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
  return new Response(`<!doctype html><html lang="${spoken.code}"><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><title>Conquest</title><style>${OFFLINE_STYLE}</style>` +
    `<main><h1>${_("No connection")}</h1><p>${_("The server cannot be reached: this device has no network, or the server has stopped. Your seat is kept.")}</p>` +
    `<button type="button">${_("Try again")}</button></main><script>${OFFLINE_PROGRAM}</script></html>`, { headers });
}

// A part of that page, as its security policy allows it.
async function hashed(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}
