/**
 * Builds and serves the web app: its documents, the chunks that load first, and the compressed copies for the server.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { scriptTarget, styleTarget } from './bundle-script.ts';
import { docsSearch } from './docs-search-build.ts';
import { edition, isStaticEdition } from './edition.ts';
import { flashButton } from './flash-button-build.ts';
import { guideTexts } from './guide-texts.ts';
import { mediaNames } from './media-names.ts';
import { nodePrograms } from './node-programs.ts';
import { offlineBuild } from './offline-build.ts';
import { oldBrowsers } from './old-browsers.ts';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';
import { signInFont } from './sign-in-font.ts';
import { serverDocumentNames, staticEdition } from './static-edition.ts';

/** Every HTML file beside this one is an entry, in the static edition without those that need a server. */
const documentsOf = (mode: string) =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.html') && !(isStaticEdition(mode) && serverDocumentNames.includes(name)))
    .sort()
    .map((name) => join(import.meta.dirname, name));

/** The frame of all documents with what it imports, and what most pages show first. */
const frame =
  /src\/app\/(?:start-document|tool-document)\.tsx$|src\/app\/bench-page|src\/shared\/app-navigation|src\/shared\/ui\/(?:badge|dialog|icon-button|led|menu|use-loaded|use-async)\.tsx?$|hardware\/serial-support|packages\/port\/src\/port-interfaces|createLucideIcon|icons\/(?:arrow-right|circle-play|flask-conical)\./;

/**
 * Parts that the release page and the console both import. Without this chunk the release page would fetch the
 * console.
 */
const releaseParts =
  /packages\/(?:boards\/src\/release-links|contract\/src\/release-rules|flasher\/src\/core\/durations|port\/src\/numbers)|src\/shared\/format\/|src\/shared\/files\/(?:save-file|copy-text)|src\/shared\/ui\/optional-part\.ts$|src\/workbench\/release\/visit-place|icons\/(?:copy|cpu|download|file-text|search)\./;

/** Small parts of the send bar that its options and pasted lines need too, which are loaded later, for the same reason. */
const sendParts = /features\/terminal\/(?:open-ports-of|send\/(?:send-message|paste-dock-store|pasted-lines))\./;

/** Parts of recordings that the terminal always loads, for the same reason. */
const recordingParts =
  /features\/terminal\/console\/recording(?:s|-texts|-store)\.ts|shared\/storage\/recording-folder\./;

/** The log with its toolbar and the choice of a Screen, as the terminal and the bench show it. */
const consoleParts =
  /src\/(?:features\/terminal\/screen\/screen-settings\.ts|workbench\/(?:console\/|decoders\/decoder-id|exports\/|status-line|plot\/plot-times)|protocol\/rows\/(?!painted-row|frame-row))|src\/features\/terminal\/console\/log-lines|src\/shared\/ui\/(?:use-toast-place|watch-look)|icons\/(?:pause|zoom-out)\./;

/**
 * Facts of ports, lines and limits that the documentation has in its texts and the pages in their forms, in one file: each
 * additional file adds a name to the home page's script. The documentation needs nothing else of the engine.
 */
const serialFacts =
  /packages\/(?:serial\/src\/(?:(?:.*\/)?(?:framings|session-failure)|(?:port-number|send-input|hex-input|hex-text|escapes)\.ts$)|port\/src\/port-settings|contract\/src\/guidance)|src\/features\/terminal\/(?:shortcuts|panels\/model\/panel-failure)\.ts$/;

/** Small parts of the engine that terminal, flasher and bench share, and their line to the bench, for the same reason. */
const serialParts =
  /packages\/(?:serial\/src\/(?:.*\/)?(?:export-file-name|reconnect-wait)|port\/src\/(?:control-lines|unless-aborted)\.)|src\/(?:protocol\/calls\/|workbench\/(?:bench|bench-client|bench-status|bench-waits|rate-meter|strip|console\/row-times|exports\/save-export)\.|shared\/(?:same-shallow|ui\/use-media-query))/;

/** Small parts of the interface that several pages share, for the same reason. */
const uiParts =
  /src\/shared\/(?:ui|files)\/(?:answer|bring-into-view|loaded-dialog|use-next-action|use-next-row-focus|offer-undo|progress-bar|use-openings|use-two-presses|roving-focus|use-file-drop)\.tsx?$/;

/** Parts of the components library that menus, tabs and pop-ups share, for the same reason. */
const popupParts = /@base-ui\/.*\/(?:useTransitionStatus|useCompositeListItem|DirectionContext)\.m?js$/;

/** Icons that most tools have, for the same reason. */
const iconParts = /icons\/(?:ellipsis|external-link|pencil|plus|rotate-ccw|zap)\./;

/** Parts of the home page that other pages share, for the same reason. */
const homeParts = /src\/(?:features\/home\/(?:cards|video-dialog)|shared\/drawing\/uart-trace)\.tsx?$/;

/** Small parts that the terminal and the flasher load, for the same reason. */
const benchParts =
  /packages\/boards\/src\/device-name\.ts$|src\/(?:workbench\/(?:guidance-link|flasher-boards|port-picker\/(?:at-current-place|connect-port)|sharing\/(?:used-port|sharing-store|share-button|share-dock-place))|hardware\/(?:demo-device|tab-ports|dismissed-list|permitted-ports))\.tsx?$/;

/** Small parts that all flashers load and no other page, for the same reason. */
const allFlashersParts =
  /packages\/flasher\/src\/core\/base-name\.|src\/features\/flasher\/(?:answer\/answer-facts|files\/offset-fields|say-line|fold)\./;

/** The flasher's line to its worker and its files, in one file for the same reason. */
const fileParts = /src\/features\/flasher\/(?:store\/flasher-line|files\/write-list)\.ts$/;

/** Icons of the terminal and the flasher, in one file for the same reason. It is half as large as its icons apart. */
const toolIcons =
  /icons\/(?:activity|arrow-down|arrow-down-to-line|ban|cable|chevron-right|disc|eraser|eye|eye-off|file-code-corner|file-down|file-exclamation-point|file-plus-corner|file-up|folder-open|link|link-2|maximize-2|play|save|share-2|square|square-terminal|table-2|trash|undo-2|unlink|users|wifi)\./;

/** Fields and questions of forms and dialogs, for the same reason. Most pages have neither at first. */
const formParts = /src\/shared\/ui\/(?:confirm-dialog|field|field-error|text-input)\.tsx$/;

/** Parts of other pages that the introduction draws, in one file for the same reason. */
const drawingParts = /src\/workbench\/(?:memory-map|map-segments|readout)|src\/features\/esp32-app\/scan-drawing/;

/** Parts of JKits that the terminal always loads. It fetches the library when a person opens it. */
const jkitParts =
  /src\/features\/jkits\/(?:loaded-line|jkit-panel|link-store|use-linked-jkit|model\/(?:jkit-link|library-texts))/;

/**
 * Small tables and settings of the flasher's engine that pages at rest need. In the chunks of their neighbours they would fetch the
 * readers of all file formats.
 */
const flasherParts =
  /packages\/flasher\/src\/(?:core\/(?:bytes|ranges|region)|images\/formats\/file-extensions|esp\/images\/partition-types|\w+\/family-types)\./;

/** Names and rules of chips and builds, in one file for the same reason. */
const modelParts = /packages\/(?:boards\/src\/models|contract\/src\/build-rules)\./;

/** Shapes of answers that most pages of a server read, in one file for the same reason. */
const answerParts = /packages\/contract\/src\/(?:fields|public-config|withheld)\.|src\/shared\/.*\/public-config\.ts$/;

/** Address of the server that `npm run dev` starts. The embedded identity provider answers there too. */
const server = 'http://localhost:4174';

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    edition(),
    guideTexts(),
    docsSearch(),
    preloadFonts([
      'ibm-plex-sans-latin-wght-normal',
      'jetbrains-mono-latin-wght-normal',
      'ibm-plex-sans-condensed-latin-600-normal',
    ]),
    oldBrowsers(),
    flashButton(),
    // A server sends the compressed copies, and hands out the programs. Other hosts compress by themselves.
    ...(isStaticEdition(mode)
      ? [staticEdition(), offlineBuild()]
      : [signInFont('ibm-plex-sans-latin-wght-normal'), nodePrograms(), offlineBuild(), precompress()]),
  ],
  css: { postcss: mediaNames },
  build: {
    target: scriptTarget,
    cssTarget: styleTarget,
    sourcemap: false,
    // Fonts stay files, so that they can be preloaded and the content security policy needs no `data:` for them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: documentsOf(mode),
      output: {
        // Hashes of 36 bits, which distinguish a few hundred files. The start of each document lists the files that
        // its pages fetch later, and digits and small letters compress better than all 64 characters.
        hashCharacters: 'base36',
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // Changes only with an update of React, so it stays in the browser's cache when the app changes.
            { name: 'framework', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            // Loaded by the app only: standalone documents have no router.
            { name: 'router', test: /node_modules\/(?:react-router|cookie-es)\// },
            // The sign-in windows have the style and no frame. With a script in this chunk, it would load before the
            // frame's style.
            { name: 'global', test: /styles\/global\.css$|modulepreload-polyfill/ },
            // The frame around every page, in one file: forty small files compress worse and take more requests.
            { name: 'frame', test: frame },
            { name: 'release-parts', test: releaseParts },
            // With its style sheet, which a button of the release manager draws too.
            { name: 'switch', test: /src\/shared\/ui\/switch\./ },
            // Before the console, which would take the parts that it imports. The release page needs the first two alone.
            { name: 'notice', test: /src\/shared\/ui\/notice\./ },
            { name: 'control', test: /src\/shared\/ui\/control\.module/ },
            // Parts of menus, tabs and pop-ups, for the same reason.
            { name: 'popup-parts', test: popupParts },
            { name: 'icon-parts', test: iconParts },
            { name: 'tool-icons', test: toolIcons },
            { name: 'ui-parts', test: uiParts },
            { name: 'form-parts', test: formParts },
            { name: 'answer-parts', test: answerParts },
            // Before the console, which would take them.
            { name: 'serial-facts', test: serialFacts },
            { name: 'serial-parts', test: serialParts },
            { name: 'send-parts', test: sendParts },
            { name: 'recording-parts', test: recordingParts },
            // Before the console, which would take it. Remedies and forms need it alone.
            { name: 'terminal-settings', test: /features\/terminal\/settings\/settings-store\.ts/ },
            // Shared by terminal and bench. Each additional file adds a name to the home page's script.
            { name: 'console', test: consoleParts },
            { name: 'jkit-parts', test: jkitParts },
            { name: 'flasher-parts', test: flasherParts },
            { name: 'model-parts', test: modelParts },
            { name: 'drawing-parts', test: drawingParts },
            { name: 'home', test: homeParts },
            { name: 'bench-parts', test: benchParts },
            { name: 'file-parts', test: fileParts },
            { name: 'all-flashers', test: allFlashersParts },
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without a group, the bundler's own functions are in a chunk of the readers of decoders, which the worker would load at rest.
          groups: [{ name: 'json', test: /contract\/src\/json\./ }],
        },
      },
    },
  },
  server: {
    proxy: {
      // Shared benches use WebSockets.
      '/api': { target: server, changeOrigin: true, ws: true },
      // The provider redirects pages under another host to this one.
      '/realms': { target: server, changeOrigin: false },
      '/config.json': server,
    },
  },
}));
