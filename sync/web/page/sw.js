// SPDX-License-Identifier: Apache-2.0
// Keeps the page's own files, so that it opens while the board's computer cannot be reached. What can be fetched is
// always fetched: a page is never older than the program. What the board says (api/) is never kept.
const kept = "boardd";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (e) => {
  const url = new URL(e.request.url),
    base = new URL(self.registration.scope).pathname;
  if (e.request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith(base + "api/")) return;
  e.respondWith(answer(e.request, url));
});

async function answer(request, url) {
  const cache = await caches.open(kept),
    name = url.origin + url.pathname; // the query is for the page alone
  try {
    const r = await fetch(request);
    if (r.ok) await cache.put(name, r.clone());
    return r;
  } catch (why) {
    const old = await cache.match(name);
    if (old) return old;
    throw why;
  }
}
