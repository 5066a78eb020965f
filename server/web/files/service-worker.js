// Work without an open page: alerts, and a page for when the server cannot be reached. Nothing of a match
// is kept.

"use strict";

const OFFLINE = "offline"; // under which the page has stored that page in the reader's language

addEventListener("install", () => self.skipWaiting());

addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(offline));
});

async function offline() {
  return (await caches.match(OFFLINE)) ?? Response.error();
}

addEventListener("push", (event) => event.waitUntil(tell(event.data)));

// Browsers want every alert to be shown. One of a match replaces the one before it.
function tell(data) {
  const { title, body, lang, match, link } = data.json();
  return self.registration.showNotification(title, { body, lang, tag: match, renotify: true, icon: "icon-192.png", data: { link } });
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.link));
});

// The tab with that table, else a new one: it opens at the decision.
async function show(link) {
  const url = new URL(link.replace(/^\//, ""), self.registration.scope).href; // A proxy may have put the page below a path.
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = tabs.find((tab) => tab.url === url);
  return there ? there.focus() : self.clients.openWindow(url);
}
