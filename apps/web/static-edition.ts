/**
 * Completes the files of the static edition, for hosts that only send files: a document in the folder of each page,
 * one for unknown addresses, and nothing that needs a server.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pagePaths } from '@wirebench/contract/constants';
import type { Plugin } from 'vite';

/** Documents that only work with a server. */
export const serverDocumentNames: readonly string[] = [
  'live.html',
  'release.html',
  'sign-in-callback.html',
  'sign-out-callback.html',
];

/** Public files for sign-in, and for previews of links, which need the address of the host. */
const serverFiles = [
  'login-status.html',
  'login-status.js',
  'silent-check-sso.html',
  'silent-check-sso.js',
  'previews',
];

/** Videos that show a part of the product that needs a server. */
const serverVideos = ['releases', 'jkits'].flatMap((id) => ['webm', 'webp', 'vtt'].map((end) => `videos/${id}.${end}`));

/** Words about servers in descriptions of the product. */
const serverWords = / and (?:share|hand out) releases/;

/** Sources of pages that only a server has. */
const serverSources = /(?:pages\/(?:admin|releases)|\.\/(?:releases|programs))\/[\w-]+\.tsx?$/;
const nothing = '\0wirebench:nothing';

const serverPages = /^\/(?:admin|app\/(?:releases|programs))(?:\/|$)/;

/** Paths of the pages that the static edition has, without the home page. Each begins with a slash. */
const staticPagePaths: readonly string[] = Object.values(pagePaths).filter(
  (path) => path !== pagePaths.home && !serverPages.test(path),
);

export function staticEdition(): Plugin {
  let folder = '';
  let base = '/';
  return {
    name: 'wirebench:static-edition',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
      base = config.base;
    },
    // Nothing shows these pages here. They would be files all the same, because a page's code is fetched when it is opened.
    resolveId: { order: 'pre', handler: (source) => (serverSources.test(source) ? nothing : null) },
    load: (id) => (id === nothing ? 'export {};' : null),
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replaceAll(/ *<meta (?:property="og:|name="twitter:)[^>]*>\n/g, '').replace(serverWords, ''),
    },
    // Before the service worker's list of files is made.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const leftOut = [...serverFiles, ...serverVideos];
        await Promise.all(leftOut.map((name) => rm(join(folder, name), { recursive: true, force: true })));
        const manifest = join(folder, 'manifest.webmanifest');
        await writeFile(manifest, withBase(await readFile(manifest, 'utf8'), base));
      },
    },
    // After it: these copies are answered by the app's document.
    async closeBundle() {
      const document = join(folder, 'index.html');
      // After a build that failed there is none, and the reason is the build's to say.
      if (!existsSync(document)) {
        return;
      }
      await copyFile(document, join(folder, '404.html'));
      for (const path of staticPagePaths) {
        await mkdir(join(folder, path), { recursive: true });
        await copyFile(document, join(folder, path, 'index.html'));
      }
    },
  };
}

/** Puts the base in front of all paths of a web manifest. */
function withBase(manifest: string, base: string): string {
  return manifest.replaceAll(/"\//g, `"${base}`).replace(serverWords, '');
}
