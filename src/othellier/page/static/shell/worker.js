// The service worker: keeps the page at hand, so that it opens at once and without a server. The server puts before it
// what there is to keep (`FILES`) and under which name (`VERSION`, another one for every change). Games are never kept
// here: they are the server's.

/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void, request: Request, respondWith: (answer: Promise<Response>) => void}} WorkerEvent */

const worker = /** @type {any} */ (globalThis);
const NAME = `othellier-${worker.VERSION}`;

worker.addEventListener("install", (/** @type {WorkerEvent} */ event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(worker.FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {WorkerEvent} */ event) => {
  event.waitUntil(forget().then(() => worker.clients.claim()));
});

/** What an older version kept is of no use any more. */
async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("othellier-") && name !== NAME).map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (/** @type {WorkerEvent} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  const home = url.pathname === new URL(worker.registration.scope).pathname;
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.includes("/api/")) return;
  if (request.mode === "navigate" && home) event.respondWith(fetch(request).catch(() => kept("./", request)));
  else if (url.pathname.includes("/assets/") || url.pathname.includes("/static/")) event.respondWith(kept(request, request));
});

/**
 * What is kept of a request, else what the server has.
 * @param {RequestInfo} key
 * @param {Request} request
 */
async function kept(key, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(key)) ?? fetch(request);
}
