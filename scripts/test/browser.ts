/**
 * Finds a Chromium for the end-to-end tests and benchmarks: the CHROME variable, an installed Chromium or Chrome,
 * Playwright's own download, the system's package manager; in this order.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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

/** Path of a browser that is already here, or undefined. Throws when CHROME names a file that does not exist. */
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

/** Debian's own build of Chromium for pages that nobody looks at. */
const installedShell = '/usr/bin/chromium-headless-shell';

/**
 * Chromium without its windows, menus and permissions, which is faster than the whole one: what Playwright itself takes where no browser is named.
 * Undefined where there is none, or where CHROME says that another browser is to be used.
 */
export function findHeadlessShell(): string | undefined {
  const { CHROME, CHROME_HEADLESS_SHELL } = process.env;
  return CHROME_HEADLESS_SHELL ?? (!CHROME && existsSync(installedShell) ? installedShell : undefined);
}

/** As `findHeadlessShell`, after installing it where that is possible. */
export function provideHeadlessShell(): string | undefined {
  if (!process.env.CHROME && findInstalledBrowser() !== undefined && findHeadlessShell() === undefined) {
    installPackages('chromium-headless-shell');
  }
  return findHeadlessShell();
}

async function downloadedBrowser(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

async function downloadBrowser(): Promise<string | undefined> {
  console.log('No Chromium here: asking Playwright to download one.');
  const manifest = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  spawnSync(process.execPath, [join(dirname(manifest), 'cli.js'), 'install', 'chromium'], {
    stdio: 'inherit',
    timeout: 300_000,
  });
  return downloadedBrowser();
}

/** Installs packages with apt when this is a Debian-like system and we may. True when that worked. */
export function installPackages(...names: string[]): boolean {
  if (!updatePackageLists()) {
    return false;
  }
  console.log(`Installing ${names.join(', ')} with apt-get.`);
  return apt('install', '-y', '--no-install-recommends', ...names);
}

/** Asks for apt's lists of packages again when this is a Debian-like system and we may. True when that worked. */
export function updatePackageLists(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && apt('update');
}

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 900_000 }).status ===
    0
  );
}

/** Path of a browser, got from wherever one can be had; undefined when there is none. */
export async function provideBrowser(): Promise<string | undefined> {
  const here = findInstalledBrowser() ?? (await downloadedBrowser());
  if (here) {
    return here;
  }
  return (await downloadBrowser()) ?? (installPackages('chromium') ? findInstalledBrowser() : undefined);
}
