/** Building and serving the web app: its documents, what is loaded first, and what the server finds compressed already. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { scriptTarget, styleTarget } from './bundle-script.ts';
import { mediaNames } from './media-names.ts';
import { offlineBuild } from './offline-build.ts';
import { oldBrowsers } from './old-browsers.ts';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';
import { remotePort } from './remote-port.ts';
import { signInFont } from './sign-in-font.ts';

/** Every HTML file beside this one is an entry. */
const documents = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.html'))
  .sort()
  .map((name) => join(import.meta.dirname, name));

/** The frame of all documents with what it imports, and what most pages show first. */
const frame =
  /src\/app\/(?:start-document|tool-document)\.tsx$|src\/shared\/ui\/(?:badge|dialog|icon-button|led|menu|use-loaded)\.tsx?$|hardware\/serial-support|createLucideIcon/;

/** What the release page needs of what the console imports too: else that page would fetch the console. */
const releaseParts =
  /packages\/contract\/src\/release-rules|src\/workbench\/flasher\/quantities|src\/shared\/files\/(?:save-file|copy-text)|icons\/(?:copy|download|search)\./;

/** The log with its toolbar, as the terminal and the bench show it. */
const consoleParts =
  /src\/workbench\/(?:console\/|exports\/|digits)|src\/shared\/ui\/(?:use-media-query|use-toast-place|takes-letters)/;

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
    remotePort(),
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
