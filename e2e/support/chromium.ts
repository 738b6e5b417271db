/** How the tests start Chromium: the same for every test, without the background requests of a fresh profile. */
import { findHeadlessShell, findInstalledBrowser } from '../../scripts/test/browser.ts';

const executablePath = findInstalledBrowser();

/**
 * Chromium loads the page behind its address bar once for each window, which takes more processor time than the page under test.
 * Seen in traces of Chromium 156 (process "WebUI Top Renderer").
 */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright 1.64 switches off. Chromium takes the last list that it is given, so these names have to be in this one too. */
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

/** For pages alone: a browser without windows and permissions, where there is one. */
export const pagesOnly = shell === undefined ? chromium : { ...chromium, executablePath: shell };
