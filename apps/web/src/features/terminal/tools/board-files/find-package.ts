/**
 * Packages of micropython-lib, found as MicroPython's `mip` finds them: `package/py/<name>/<version>.json` lists the files by a
 * prefix of their SHA-256, and `file/<two digits>/<prefix>` has their contents (micropython-lib, `tools/build.py`). Sources are
 * taken, which every version of MicroPython reads.
 */

import { sha256Of } from '@wirebench/flasher/sha256';
import type { BoardFile } from '../../../../protocol/bench/board-files-part.ts';

export const packageIndex = 'https://micropython.org/pi/v2';

/** Limits of what one name may bring along. */
const MAX_PACKAGES = 30;
const MAX_FILES = 200;

/** Place of packages on a board: `mip` uses the first entry of `sys.path` that ends in `/lib`. */
const folder = '/lib';

interface PackageFile {
  readonly name: string;
  readonly address: string;
}

/** Loads files by their addresses, in their order. Rejects with an error whose message is a sentence. */
export type LoadFiles = (files: readonly PackageFile[]) => Promise<readonly Blob[]>;

export interface FoundPackage {
  /** Names with versions, such as `aiohttp 0.0.7`. The asked one is first, then those that it needs. */
  readonly packages: readonly string[];
  readonly files: readonly BoardFile[];
}

/** A package that cannot be installed. Its message is a sentence with a remedy. */
export class PackageError extends Error {}

interface PackageFacts {
  readonly version: string;
  /** Paths below the folder of libraries, each with the beginning of its SHA-256. */
  readonly hashes: readonly (readonly [string, string])[];
  /** Names and versions. */
  readonly deps: readonly (readonly [string, string])[];
}

/**
 * Finds a package with what it needs, and loads all files.
 *
 * @param version Empty: the newest one.
 * @throws PackageError, or the error of `load`.
 */
export async function findPackage(name: string, version: string, load: LoadFiles): Promise<FoundPackage> {
  const found = new Map<string, PackageFacts>();
  const wanted: (readonly [string, string])[] = [[name, version]];
  for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
    const [one, at] = next;
    if (!found.has(one)) {
      if (found.size === MAX_PACKAGES) {
        throw new PackageError(
          `${name} needs more than ${MAX_PACKAGES} packages. Install those that you need one by one.`,
        );
      }
      const facts = await factsOf(one, at, load);
      found.set(one, facts);
      wanted.push(...facts.deps);
    }
  }
  // Packages may share files.
  const places = new Map([...found.values()].flatMap(({ hashes }) => hashes));
  if (places.size > MAX_FILES) {
    throw new PackageError(`${name} has more than ${MAX_FILES} files, which no board takes.`);
  }
  const hashes = [...places];
  const contents = await load(
    hashes.map(([path, hash]) => ({ name: path, address: `${packageIndex}/file/${hash.slice(0, 2)}/${hash}` })),
  );
  const files = await Promise.all(
    hashes.map(async ([path, hash], index): Promise<BoardFile> => {
      const content = new Uint8Array((await contents[index]?.arrayBuffer()) ?? new ArrayBuffer(0));
      if (!(await sha256Of(content)).startsWith(hash)) {
        throw new PackageError(`${path} arrived with another content than the index says. Try again later.`);
      }
      return { path: `${folder}/${path}`, content };
    }),
  );
  return { packages: [...found].map(([one, facts]) => `${one} ${facts.version}`.trim()), files };
}

async function factsOf(name: string, version: string, load: LoadFiles): Promise<PackageFacts> {
  const at = version === '' ? 'latest' : version;
  if (!(/^[\w-][\w.-]{0,99}$/.test(name) && /^[\w-][\w.+-]{0,49}$/.test(at))) {
    throw new PackageError('Names and versions of packages have letters, digits, "-", "_" and ".", such as "aioble".');
  }
  const [file] = await load([{ name: `${name} ${at}`, address: `${packageIndex}/package/py/${name}/${at}.json` }]);
  let value: unknown;
  try {
    value = JSON.parse((await file?.text()) ?? '');
  } catch {
    value = null;
  }
  const facts = readFacts(value);
  if (facts === null) {
    throw new PackageError(
      `micropython.org describes ${name} in a way that is not known here. Install it with mip on the board.`,
    );
  }
  return facts;
}

/** Returns null for a description that is not of version 1, or has files outside of the index. */
function readFacts(value: unknown): PackageFacts | null {
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const { v, version = '', hashes = [], urls = [], deps = [] } = value as Readonly<Record<string, unknown>>;
  const isSound =
    v === 1 &&
    typeof version === 'string' &&
    arePairs(hashes) &&
    arePairs(deps) &&
    Array.isArray(urls) &&
    urls.length === 0;
  return isSound && hashes.every(([path, hash]) => isPlace(path) && /^[0-9a-f]{8,64}$/.test(hash))
    ? { version, hashes, deps }
    : null;
}

const arePairs = (value: unknown): value is readonly (readonly [string, string])[] =>
  Array.isArray(value) &&
  value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'));

/** Returns true for a path that stays below its folder. */
const isPlace = (path: string) =>
  path.length <= 200 && path.split('/').every((part) => /^[\w.-]+$/.test(part) && part !== '.' && part !== '..');
