/** Launch options of Chromium for all tests: without the background requests of a fresh profile. */
import { findHeadlessShell, findInstalledBrowser } from '../../scripts/test/browser.ts';

const executablePath = findInstalledBrowser();

/**
 * Chromium loads the page behind its address bar once for each window, which takes more processor time than the page
 * under test. Seen in traces of Chromium 156 (process "WebUI Top Renderer").
 */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'];

/**
 * Features that Playwright 1.64 disables. Chromium uses only the last list on its command line, so ours must repeat
 * these names.
 */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

export const chromium = {
  ...(executablePath ? { executablePath } : {}),
  // Chromium refuses to run its sandbox as root.
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...disabledByPlaywright, ...addressBarPages].join(',')}`,
  ],
};

const shell = findHeadlessShell();

/** Options for tests of pages alone: a browser without windows and permissions, if it is installed. */
export const pagesOnly = shell === undefined ? chromium : { ...chromium, executablePath: shell };
