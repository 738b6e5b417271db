/**
 * Finds a Chromium for the end-to-end tests and benchmarks, in this order: the CHROME variable, an installed Chromium
 * or Chrome, Playwright's download, Debian's package. `npm test` installs missing Debian packages before.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installPackages, type Tool } from './packages.ts';

const installedNames: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ],
};

/**
 * Returns the path of an installed browser; undefined if no browser is installed.
 *
 * @throws Error if CHROME names a file that does not exist.
 */
export function findInstalledBrowser(): string | undefined {
  const { CHROME } = process.env;
  if (CHROME) {
    if (!existsSync(CHROME)) {
      throw new Error(`CHROME names ${CHROME}, which does not exist: set it to the path of Chromium or Chrome.`);
    }
    return CHROME;
  }
  return installedNames[process.platform]?.find((path) => existsSync(path));
}

/** Debian's Chromium for pages without a window. */
const installedShell = '/usr/bin/chromium-headless-shell';

/**
 * Returns the path of Chromium's headless shell. It has no windows, menus and permissions and is faster, and
 * Playwright uses it by default. Undefined if it is missing, or if CHROME selects another browser.
 */
export function findHeadlessShell(): string | undefined {
  const { CHROME, CHROME_HEADLESS_SHELL } = process.env;
  return CHROME_HEADLESS_SHELL ?? (!CHROME && existsSync(installedShell) ? installedShell : undefined);
}

export const debianChromium: Tool = {
  group: 'e2e',
  packages: ['chromium'],
  isHere: () => (findInstalledBrowser() ?? downloadedBrowser()) !== undefined,
};

export const debianHeadlessShell: Tool = {
  group: 'e2e',
  packages: ['chromium-headless-shell'],
  // The shell is not needed if Playwright's own browser is used.
  isHere: () =>
    Boolean(process.env.CHROME) ||
    findHeadlessShell() !== undefined ||
    (findInstalledBrowser() === undefined && downloadedBrowser() !== undefined),
};

/** Like `findHeadlessShell`, but installs a missing shell if possible. */
export async function provideHeadlessShell(): Promise<string | undefined> {
  if (!debianHeadlessShell.isHere()) {
    await installPackages(...debianHeadlessShell.packages);
  }
  return findHeadlessShell();
}

const require = createRequire(import.meta.url);

function downloadedBrowser(): string | undefined {
  // Loaded only if no browser is installed, because loading takes half a second.
  const { chromium } = require('@playwright/test') as typeof import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function downloadBrowser(): string | undefined {
  console.log('No Chromium here: asking Playwright to download one.');
  const manifest = require.resolve('@playwright/test/package.json');
  spawnSync(process.execPath, [join(dirname(manifest), 'cli.js'), 'install', 'chromium'], {
    stdio: 'inherit',
    timeout: 300_000,
  });
  return downloadedBrowser();
}

/** Returns the path of a browser, and downloads or installs a missing one; undefined if that fails. */
export async function provideBrowser(): Promise<string | undefined> {
  const here = findInstalledBrowser() ?? downloadedBrowser() ?? downloadBrowser();
  return here ?? ((await installPackages(...debianChromium.packages)) ? findInstalledBrowser() : undefined);
}
