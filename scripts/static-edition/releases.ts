/**
 * Firmware beside the static edition: finds the manifests of a folder, checks them by the flasher's own reader, and
 * copies them with the files that they name. Other files of the folder stay where they are.
 */

import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { modelName } from '@wirebench/boards';
import { ManifestError, type ManifestRelease, manifestLimits, readManifest } from '@wirebench/flasher/release';
import { StaticBuildError } from './arguments.ts';

/** One line of the list on the home page, as `releases.json` has it. */
export interface ListedRelease {
  readonly name: string;
  /** Empty if the manifest states none. */
  readonly version: string;
  /** Family of the flasher that opens it. */
  readonly family: string;
  /** Names of the chips that it has builds for. */
  readonly chips: readonly string[];
  /** Path of the manifest, relative to the pages. */
  readonly manifest: string;
}

interface FoundRelease {
  readonly listed: readonly ListedRelease[];
  /** Paths of the manifest and of its files, relative to the folder. */
  readonly files: readonly string[];
}

/** Folder of the edition with the copies. */
const folderName = 'releases';

/** Stands for the folder of the edition. Its host is not known yet, and what is outside of the folder is not copied. */
const home = 'http://releases.invalid/inside/';
const { origin } = new URL(home);

/**
 * Reads the manifests of a folder and of the folders in it.
 *
 * @throws StaticBuildError that names the file if one cannot be read or flashed, or the folder if it has none.
 */
export async function readReleases(folder: string): Promise<FoundRelease[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new StaticBuildError(`${folder} cannot be read: --releases must name a folder.`, { cause: error });
  });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .sort();
  const lists = files.filter((path) => /\.json$/i.test(path));
  const found = await Promise.all(lists.map((path) => readRelease(folder, path, files)));
  const releases = found.filter((release) => release !== null);
  if (releases.length === 0) {
    const others =
      lists.length === 0 ? '' : ` ${lists.slice(0, MAX_NAMED).join(', ')} list${lists.length === 1 ? 's' : ''} none.`;
    throw new StaticBuildError(
      `${folder} holds no firmware: put a folder with a manifest.json (ESP Web Tools) or a flasher_args.json into it.${others}`,
    );
  }
  return releases;
}

/** Number of files that a sentence names. */
const MAX_NAMED = 5;

/** Returns null for a JSON file that is no manifest. */
async function readRelease(folder: string, path: string, files: readonly string[]): Promise<FoundRelease | null> {
  const { size } = await statOf(folder, path);
  const isNamed = /^(?:.*manifest.*|flasher_args)\.json$/i.test(basename(path));
  if (size > manifestLimits.size) {
    // Builds leave large lists of other things behind.
    if (isNamed) {
      throw new StaticBuildError(`${path} is larger than ${manifestLimits.size / 1_024} KB, which no manifest is.`);
    }
    return null;
  }
  const text = await readFile(join(folder, path), 'utf8');
  const address = new URL(encodePath(path), home).href;
  let release: ManifestRelease;
  try {
    release = readManifest(text, address);
  } catch (error) {
    if (!(error instanceof ManifestError)) {
      throw error;
    }
    const isList = /["']?\b(?:builds|flash_files)["']?\s*:/.test(text) || (isNamed && error.code !== 'not-a-manifest');
    if (!isList) {
      return null;
    }
    throw new StaticBuildError(`${path}: ${textOf(error)}`, { cause: error });
  }
  const [fault] = release.versions.flatMap(({ faults }) => faults);
  if (fault !== undefined) {
    throw new StaticBuildError(`${path}: ${fault}`);
  }
  const listed = release.versions.flatMap(({ builds }) => builds).flatMap((build) => build.files);
  // Files of other hosts stay there: whether they let pages read them is known when they are opened.
  const own = listed.filter((file) => new URL(file.address).origin === origin);
  const named = [...new Set(own.map((file) => pathOf(file.address, path)))];
  await Promise.all(named.map((file) => checkFile(folder, file, path, files)));
  return { listed: listedOf(release, path), files: [path, ...named] };
}

/** The folder stands in for the host, whose name the sentence of a fault has. */
const textOf = ({ what, remedy, code }: ManifestError): string =>
  (code === 'not-json' ? `${what} ${remedy.replace(/ If it is not yours, .*$/, '')}` : what).replace(
    ' from releases.invalid',
    '',
  );

async function statOf(folder: string, path: string) {
  return stat(join(folder, path)).catch((error: unknown) => {
    throw new StaticBuildError(`${path} cannot be read.`, { cause: error });
  });
}

/**
 * Returns the path of a file that a manifest names, relative to the folder.
 *
 * @throws StaticBuildError for a path that leaves the folder, or that hosts cannot decode.
 */
function pathOf(address: string, manifest: string): string {
  const { href, pathname } = new URL(address);
  if (!href.startsWith(home)) {
    throw new StaticBuildError(
      `${manifest} names ${shown(pathname)}, which is outside of the folder of the firmware. Name its files by paths that start at the manifest.`,
    );
  }
  const names = pathname.slice(new URL(home).pathname.length).split('/');
  try {
    const decoded = names.map(decodeURIComponent);
    if (decoded.every((name) => name !== '..' && !/[/\\\0]/.test(name))) {
      return decoded.join('/');
    }
  } catch (cause) {
    throw new StaticBuildError(
      `${manifest} names ${names.join('/')}, which is not valid percent encoding. Write %25 for a percent sign in a file name.`,
      { cause },
    );
  }
  throw new StaticBuildError(`${manifest} names ${names.join('/')}, which is no path of a file.`);
}

const shown = (pathname: string): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
};

/** @param files Paths of the folder as they are spelt. Some disks find a file by another spelling; web hosts do not. */
async function checkFile(folder: string, file: string, manifest: string, files: readonly string[]): Promise<void> {
  if (!files.includes(file)) {
    const key = (path: string) => path.normalize('NFC').toLowerCase();
    const similar = files.find((path) => key(path) === key(file));
    throw new StaticBuildError(
      similar === undefined
        ? `${manifest} names ${file}, which is not in ${folder}.`
        : `${manifest} names ${file}, but the file is ${similar}. Spell both alike, because web hosts tell them apart.`,
    );
  }
  const found = await statOf(folder, file);
  if (!found.isFile()) {
    throw new StaticBuildError(`${manifest} names ${file}, which is no file.`);
  }
  if (found.size > manifestLimits.fileSize) {
    throw new StaticBuildError(`${file} is larger than ${manifestLimits.fileSize / 1_048_576} MB.`);
  }
}

/** Returns a line for each family, whose flasher it opens. */
function listedOf({ kind, name, versions }: ManifestRelease, path: string): ListedRelease[] {
  const [newest] = versions;
  const builds = newest?.builds ?? [];
  return [...new Set(builds.map(({ deviceFamily }) => deviceFamily))].map((family) => ({
    // A build of ESP-IDF has no name: its folder has one, or the project's around `build`.
    name:
      kind === 'flasher-args'
        ? (dirname(path)
            .split('/')
            .findLast((part) => !/^(?:build|\.)$/.test(part)) ?? path)
        : name,
    version: newest?.version ?? '',
    family,
    chips: [
      ...new Set(builds.filter((build) => build.deviceFamily === family).map((build) => modelName(build.deviceModel))),
    ],
    manifest: `${folderName}/${encodePath(path)}`,
  }));
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/**
 * Copies releases into an edition and writes its list, which is empty without releases.
 *
 * @param from Folder of the releases; null without any.
 * @param out Folder of the edition.
 * @returns The lines of the list.
 */
export async function addReleases(
  from: string | null,
  releases: readonly FoundRelease[],
  out: string,
): Promise<ListedRelease[]> {
  const files = new Set(from === null ? [] : releases.flatMap((release) => release.files));
  for (const file of files) {
    const target = join(out, folderName, file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from ?? '', file), target);
  }
  const listed = releases.flatMap((release) => release.listed).sort((one, other) => one.name.localeCompare(other.name));
  await writeFile(join(out, 'releases.json'), `${JSON.stringify({ releases: listed }, null, 2)}\n`);
  return listed;
}
