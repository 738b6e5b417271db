/**
 * Builds `sw.js` after all other files: the service worker with the list of the files that it keeps. The development
 * server has no service worker, and retires one that an earlier `npm start` left in the browser for this address.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { bundleScript } from './bundle-script.ts';
import { editionConstants } from './edition.ts';
import { type OfflineFile, serverDocuments } from './src/shared/offline/offline-rules.ts';

const source = fileURLToPath(new URL('src/entries/offline.worker.ts', import.meta.url));
const serviceWorker = 'sw.js';

/** Kept only in browsers that need them. */
const isPolyfill = ({ url }: OfflineFile) => /\/polyfill(?:s|ed-worker)\.(?:js|css)$/.test(url);

/**
 * Compressed copies have no addresses; videos are watched, not worked with; a preview is for chats; frames and `fonts/` are the provider's;
 * programs for Node are downloaded; the flash button is for other pages.
 */
const neverKept =
  /\.(?:br|gz|map)$|^\/\.|^\/(?:videos|previews|fonts)\/|^\/(?:silent-check-sso|login-status)\.|^\/(?:sw\.js|[\w-]+\.(?:mjs|tgz))$|^\/flash-button[./]/;

export function offlineBuild(): Plugin {
  let folder = '';
  let base = '/';
  let constants: Record<string, string> = {};
  return {
    name: 'wirebench:offline',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
      base = config.base;
      constants = editionConstants(base, config.mode);
    },
    // Runs after documents and public files are written, and before they are compressed.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await writeFile(join(folder, serviceWorker), await bundleWorker(await filesToKeep(folder, base), constants));
      },
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${serviceWorker}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(retirement);
      });
    },
  };
}

/** @param base Vite's base, which begins the address of every file. */
async function filesToKeep(folder: string, base: string): Promise<OfflineFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).split(sep).join('/')}`)
    .filter((path) => !neverKept.test(path) && !serverDocuments.includes(path))
    .sort();
  return Promise.all(paths.map((path) => offlineFile(folder, path, base)));
}

async function offlineFile(folder: string, path: string, base: string): Promise<OfflineFile> {
  // The app's document has the address of the folder.
  const url = base + (path === '/index.html' ? '' : path.slice(1));
  if (path.startsWith('/assets/')) {
    return { url, integrity: null };
  }
  const digest = createHash('sha256')
    .update(await readFile(join(folder, path)))
    .digest('base64');
  return { url, integrity: `sha256-${digest}` };
}

/** A classic script without imports: some browsers refuse modules as service workers. */
async function bundleWorker(
  files: readonly OfflineFile[],
  constants: Readonly<Record<string, string>>,
): Promise<string> {
  const list = JSON.stringify(files.filter((file) => !isPolyfill(file)));
  const polyfillList = JSON.stringify(files.filter(isPolyfill));
  const version = createHash('sha256').update(list).update(polyfillList).digest('hex').slice(0, 16);
  return bundleScript(source, {
    ...constants,
    OFFLINE_FILES: list,
    POLYFILL_FILES: polyfillList,
    OFFLINE_VERSION: JSON.stringify(version),
  });
}

/** Replaces the service worker of a built product: deletes its caches and reloads its pages. */
const retirement = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  for (const client of await self.clients.matchAll({ type: 'window' })) await client.navigate(client.url);
})()));
`;
