/** Reads and checks the command line of `npm run build:static`. `build.ts` executes it. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../build/web.ts';

export interface StaticBuild {
  /** Path of the folder on the host, beginning and ending with a slash. */
  readonly base: string;
  /** Absolute path of the folder to write. */
  readonly out: string;
  /** Absolute path of the folder with manifests and files; null without firmware. */
  readonly releases: string | null;
}

/** A build that failed for a reason that the caller can remove. */
export class StaticBuildError extends Error {
  override readonly name = 'StaticBuildError';
}

/**
 * Returns the folder that is written unless `--out` names another one. It ends like the path on the host, so that a
 * server of the folder above serves it there.
 */
const defaultOut = (base: string): string =>
  base === '/' ? join(root, 'dist', 'static') : join(root, 'dist', `static${base.replaceAll('/', '-')}host`, base);

export const usage = `Usage: npm run build:static -- [--base <path>] [--releases <folder>] [--out <folder>]

Builds Wirebench without its server: a folder of files for any web host. It has the terminal, the flashers,
the ESP32 bench and the guides. It works offline after the first visit.

Options:
  --base <path>        folder of the host that will hold the files, such as /tools/ (default: /, the whole host)
  --releases <folder>  firmware to offer: folders with a manifest.json (ESP Web Tools) or a flasher_args.json, and the
                       files that it names; the home page lists them
  --out <folder>       folder to write (default: in dist)
  --help               show this help`;

/**
 * Parses the command line.
 *
 * @param cwd Folder that relative paths start from.
 * @throws Error with a message of one line.
 */
export function readArguments(args: readonly string[], cwd: string): StaticBuild | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: 'string', default: '/' },
      out: { type: 'string' },
      releases: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const base = baseOf(values.base);
  return {
    base,
    out: values.out === undefined ? resolve(defaultOut(base)) : resolve(cwd, given('out', values.out)),
    releases: values.releases === undefined ? null : resolve(cwd, given('releases', values.releases)),
  };
}

function given(option: string, value: string): string {
  if (value.trim() === '') {
    throw new Error(`--${option} names no folder`);
  }
  return value;
}

/** Adds missing slashes. Shells on Windows replace a path that begins with one, so `tools` has to do. */
function baseOf(text: string): string {
  const names = text.trim().replace(/^\/|\/$/g, '');
  if (names === '') {
    return '/';
  }
  const valid = names.split('/').every((name) => /^[\w.~-]+$/.test(name) && !/^\.+$/.test(name));
  if (!valid) {
    throw new Error(
      `--base must be the path of a folder on the host, such as /tools/, with letters, digits, ".", "-", "_" and "~" in its names, not ${text}`,
    );
  }
  return `/${names}/`;
}
