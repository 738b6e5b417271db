/**
 * `/sw.js`, the service worker: keeps the files of one build together and answers from them. What it answers and what never
 * is said by `shared/offline/offline-rules.ts`; which files there are, by the build (`offline-build.ts`). It takes the place
 * of an earlier one only when no tab uses that any more, or when a person has asked for it (`app/after-loading.ts`).
 */
import { basePath } from '@wirebench/boards';
import { type OfflineFile, offlineAnswer } from '../shared/offline/offline-rules.ts';
import { takeOverMessage } from '../shared/offline/take-over.ts';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build. */
declare const OFFLINE_FILES: readonly OfflineFile[];
/** Put in by the build: what only browsers without `URL.parse` load (`public/theme.js`). */
declare const POLYFILL_FILES: readonly OfflineFile[];
/** Put in by the build: another one whenever a file is. */
declare const OFFLINE_VERSION: string;

/** Other folders of a host may hold another copy of the product, with caches of its own. */
const prefix = `wirebench-files${basePath}-`;
const ownCache = `${prefix}${OFFLINE_VERSION}`;
const kept = 'parse' in URL ? OFFLINE_FILES : [...OFFLINE_FILES, ...POLYFILL_FILES];
const files = new Map(kept.map((file) => [file.url, file]));
const urls: ReadonlySet<string> = new Set(files.keys());
// The server tells caches to keep compressed answers apart; here there is one of each.
const anyEncoding = { ignoreVary: true } as const;

self.addEventListener('install', (event) => event.waitUntil(keepFiles()));
self.addEventListener('activate', (event) => event.waitUntil(dropOldFiles().then(() => self.clients.claim())));
self.addEventListener('message', (event) => {
  if (event.data === takeOverMessage) {
    event.waitUntil(self.skipWaiting());
  }
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const question = { method: request.method, navigation: request.mode === 'navigate', url: new URL(request.url) };
  const answer = offlineAnswer(question, location.origin, urls);
  switch (answer.from) {
    case 'kept-file':
      event.respondWith(keptOrFetched(answer.url, request));
      break;
    case 'kept-page':
      event.respondWith(keptOrFetched(answer.url, request));
      event.waitUntil(renew(answer.url));
      break;
    case 'network-or-page':
      event.respondWith(fetch(request).catch(() => keptOrFetched(answer.url, request)));
      break;
    case 'network':
      break;
  }
});

/** All files or none: with one missing the browser tries again at a later visit. */
async function keepFiles(): Promise<void> {
  try {
    const cache = await caches.open(ownCache);
    await cache.addAll(kept.map(requestOf));
  } catch (error) {
    await caches.delete(ownCache);
    throw error;
  }
}

/** Uses the browser's HTTP cache for names with a hash, and revalidates all other files. */
function requestOf({ url, integrity }: OfflineFile): Request {
  return new Request(url, integrity === null ? {} : { integrity, cache: 'no-cache' });
}

/** Returns true for caches of this copy of the product. After the prefix, their names have a hash only. */
const isOwn = (name: string) => name.startsWith(prefix) && /^\w+$/.test(name.slice(prefix.length));

/** The build before this one stays: tabs that were not reloaded still load parts of it. */
async function dropOldFiles(): Promise<void> {
  const old = (await caches.keys()).filter((name) => isOwn(name) && name !== ownCache);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

async function keptOrFetched(url: string, request: Request): Promise<Response> {
  const cache = await caches.open(ownCache);
  return (await cache.match(url, anyEncoding)) ?? (await caches.match(url, anyEncoding)) ?? fetch(request);
}

/** Same document, newer headers. Without a network, or when the server has another build by now, the kept one stays. */
async function renew(url: string): Promise<void> {
  const file = files.get(url);
  if (file === undefined) {
    return;
  }
  const answer = await fetch(requestOf(file)).catch(() => null);
  if (answer?.ok) {
    const cache = await caches.open(ownCache);
    await cache.put(url, answer);
  }
}
