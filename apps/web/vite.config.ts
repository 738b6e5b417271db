/** Building and serving the web app: its documents, what is loaded first, and what the server finds compressed already. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { scriptTarget, styleTarget } from './bundle-script.ts';
import { mediaNames } from './media-names.ts';
import { nodePrograms } from './node-programs.ts';
import { offlineBuild } from './offline-build.ts';
import { oldBrowsers } from './old-browsers.ts';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';
import { signInFont } from './sign-in-font.ts';

/** Every HTML file beside this one is an entry. */
const documents = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.html'))
  .sort()
  .map((name) => join(import.meta.dirname, name));

/** The frame of all documents with what it imports, and what most pages show first. */
const frame =
  /src\/app\/(?:start-document|tool-document)\.tsx$|src\/shared\/ui\/(?:badge|dialog|icon-button|led|menu|use-loaded)\.tsx?$|hardware\/serial-support|createLucideIcon|icons\/(?:arrow-right|circle-play)\./;

/** What the release page needs of what the console imports too: else that page would fetch the console. */
const releaseParts =
  /packages\/contract\/src\/release-rules|src\/workbench\/flasher\/quantities|src\/shared\/format\/|src\/shared\/files\/(?:save-file|copy-text)|icons\/(?:copy|download|file-text|search)\./;

/** The log with its toolbar, as the terminal and the bench show it. */
const consoleParts =
  /src\/workbench\/(?:console\/|exports\/|digits|status-line|plot\/plot-times)|src\/shared\/ui\/(?:use-media-query|use-toast-place|takes-letters|watch-look)|icons\/(?:pause|zoom-out)\./;

/** Small parts of the engine that pages share, in one file: each file more has a name in the home page's script. */
const serialParts =
  /packages\/serial\/src\/(?:(?:.*\/)?(?:framings|export-file-name|unless-aborted|reconnect-wait|session-failure))/;

/** Small parts of the interface that several pages share, for the same reason. */
const uiParts =
  /src\/shared\/(?:ui|files)\/(?:answer|bring-into-view|use-next-action|use-next-row-focus|offer-undo|use-openings|use-two-presses|roving-focus|use-file-drop)\.tsx?$/;

/** What the introduction draws with parts of other pages, in one file for the same reason. */
const drawingParts =
  /src\/workbench\/flasher\/(?:memory-map|map-segments|readout|progress-bar)|src\/features\/esp32-app\/scan-drawing/;

/** What the terminal always has of JKits, beside the library that it fetches when somebody opens it. */
const jkitParts =
  /src\/features\/jkits\/(?:loaded-line|jkit-panel|link-store|use-linked-jkit|model\/(?:jkit-link|library-texts))/;

/** Where `npm run dev` starts the server; the embedded identity provider answers there too. */
const server = 'http://localhost:4174';

export default defineConfig({
  plugins: [
    react(),
    preloadFonts([
      'ibm-plex-sans-latin-wght-normal',
      'jetbrains-mono-latin-wght-normal',
      'ibm-plex-sans-condensed-latin-600-normal',
    ]),
    signInFont('ibm-plex-sans-latin-wght-normal'),
    oldBrowsers(),
    nodePrograms(),
    offlineBuild(),
    precompress(),
  ],
  css: { postcss: mediaNames },
  build: {
    target: scriptTarget,
    cssTarget: styleTarget,
    sourcemap: false,
    // Fonts stay files, so that they can be preloaded and the content security policy needs no `data:` for them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: documents,
      output: {
        // The start of each document has the names of what its pages fetch later: a hash of 42 bits tells a few hundred files apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // What changes only with an update of React stays in the browser's cache when the app changes.
            { name: 'framework', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            // Documents of their own do without it.
            { name: 'router', test: /node_modules\/(?:react-router|cookie-es)\// },
            // The sign-in windows have the style, and nothing of the frame. With a script in it, it comes before the frame's style.
            { name: 'global', test: /styles\/global\.css$|modulepreload-polyfill/ },
            // What is around every page, in one file: forty small ones compress worse and take more requests.
            { name: 'frame', test: frame },
            { name: 'release-parts', test: releaseParts },
            // Terminal and bench share them: each file more has a name in the home page's script.
            { name: 'console', test: consoleParts },
            { name: 'serial-parts', test: serialParts },
            { name: 'ui-parts', test: uiParts },
            { name: 'jkit-parts', test: jkitParts },
            { name: 'drawing-parts', test: drawingParts },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      // Shared benches are WebSockets.
      '/api': { target: server, changeOrigin: true, ws: true },
      '/realms': server,
      '/config.json': server,
    },
  },
});
