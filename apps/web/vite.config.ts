/** Building and serving the web app: its documents, what is loaded first, and what the server finds compressed already. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Where `npm run dev` starts the server; the embedded identity provider answers there too. */
const server = 'http://localhost:4174';

export default defineConfig({
  plugins: [
    react(),
    preloadFonts(['ibm-plex-sans-latin-wght-normal', 'jetbrains-mono-latin-wght-normal']),
    precompress(),
  ],
  build: {
    target: 'baseline-widely-available',
    sourcemap: false,
    // Fonts stay files, so that they can be preloaded and the content security policy needs no `data:` for them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [page('index.html'), page('sign-in-callback.html'), page('sign-out-callback.html')],
      output: {
        // What changes only with an update of React stays in the browser's cache when the app changes.
        codeSplitting: {
          groups: [{ name: 'framework', test: /node_modules\/(?:react|react-dom|react-router|scheduler|cookie-es)\// }],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': server, '/realms': server, '/config.json': server },
  },
});
