/**
 * Finds a Firefox for the end-to-end tests, or installs Debian's. Playwright starts it through
 * `e2e/firefox/bridge.ts` and needs a single program for that. This file writes that script.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { installPackages, type Tool } from './packages.ts';

/** Oldest version with Web Serial on every channel (Firefox 151 release notes). */
const OLDEST = 151;

const installedNames: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
  darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
};

const launcher = join(root, '.cache', 'firefox', 'firefox-through-bridge');

/**
 * Returns the path of an installed Firefox; undefined if it is not installed.
 *
 * @throws Error if FIREFOX names a file that does not exist.
 */
function findFirefox(): string | undefined {
  const { FIREFOX } = process.env;
  if (FIREFOX) {
    if (!existsSync(FIREFOX)) {
      throw new Error(`FIREFOX names ${FIREFOX}, which does not exist: set it to the path of Firefox.`);
    }
    return FIREFOX;
  }
  return installedNames[process.platform]?.find((path) => existsSync(path));
}

/** Debian's extended support release. */
export const firefox: Tool = {
  group: 'e2e',
  packages: ['firefox-esr'],
  isHere: () => process.platform !== 'linux' || findFirefox() !== undefined,
};

/**
 * Returns environment variables for Playwright (`e2e/firefox`), or the reason for skipping the tests in Firefox.
 * Prints the version in use.
 */
export async function provideFirefox(): Promise<{ readonly WIREBENCH_FIREFOX: string } | { readonly missing: string }> {
  if (installedNames[process.platform] === undefined) {
    return { missing: `tests in Firefox are for Linux and macOS; this is ${process.platform}` };
  }
  const program = findFirefox() ?? ((await installPackages(...firefox.packages)) ? findFirefox() : undefined);
  if (program === undefined) {
    return { missing: 'no Firefox could be found or installed: set FIREFOX to its path' };
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  const version = /Firefox (\d+)[\d.]*\S*/.exec(stdout ?? '');
  if (version === null) {
    return { missing: `${program} does not start here` };
  }
  if (Number(version[1]) < OLDEST) {
    return { missing: `${version[0]} has no Web Serial: Firefox ${OLDEST} or later is needed` };
  }
  console.log(`Tests in Firefox run in ${version[0]} (${program}).`);
  mkdirSync(join(launcher, '..'), { recursive: true });
  const command = [process.execPath, join(root, 'e2e', 'firefox', 'bridge.ts'), program].map(quoted).join(' ');
  writeFileSync(launcher, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(launcher, 0o755);
  return { WIREBENCH_FIREFOX: launcher };
}

/** Quotes a word for a shell command. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
