/** Building and serving the web app: its documents, what is loaded first, and what the server finds compressed already. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { scriptTarget, styleTarget } from './bundle-script.ts';
import { offlineBuild } from './offline-build.ts';
import { oldBrowsers } from './old-browsers.ts';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';
import { signInFont } from './sign-in-font.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The frame of all documents with what it imports, and what most pages show first. */
const frame =
  /src\/app\/(?:start-document|tool-document)\.tsx$|src\/shared\/ui\/(?:badge|dialog|icon-button|led|menu|use-loaded)\.tsx?$|hardware\/serial-support|createLucideIcon/;

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
    offlineBuild(),
    precompress(),
  ],
  build: {
    target: scriptTarget,
    cssTarget: styleTarget,
    sourcemap: false,
    // Fonts stay files, so that they can be preloaded and the content security policy needs no `data:` for them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [
        page('index.html'),
        page('esp_flasher.html'),
        page('nrf_flasher.html'),
        page('stm_flasher.html'),
        page('release.html'),
        page('sign-in-callback.html'),
        page('sign-out-callback.html'),
      ],
      output: {
        codeSplitting: {
          groups: [
            // What changes only with an update of React stays in the browser's cache when the app changes.
            { name: 'framework', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            // Documents of their own do without it.
            { name: 'router', test: /node_modules\/(?:react-router|cookie-es)\// },
            // The sign-in windows have the style, and nothing of the frame. With a script in it, it comes before the frame's style.
            { name: 'global', test: /styles\/global\.css$|modulepreload-polyfill/ },
            // What stands around every page, in one file: forty small ones compress worse and take more requests.
            { name: 'frame', test: frame },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': server, '/realms': server, '/config.json': server },
  },
});
