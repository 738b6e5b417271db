/**
 * Firmware beside the static edition: finds the manifests of a folder, checks them by the flasher's own reader, and
 * copies them with the files that they name. Other files of the folder stay where they are.
 */
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ManifestError, type ManifestRelease, manifestLimits, readManifest } from '@wirebench/flasher/release';
import { modelName } from '@wirebench/flasher/release/builds';
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

/** Stands for the host of the edition, which is not known yet. */
const host = 'http://releases.invalid';

/**
 * Reads the manifests of a folder and of the folders in it.
 *
 * @throws StaticBuildError if there are none, or if one cannot be flashed.
 */
export async function readReleases(folder: string): Promise<FoundRelease[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new StaticBuildError(`${folder} cannot be read: --releases must name a folder.`, { cause: error });
  });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .sort();
  const found = await Promise.all(paths.map((path) => readRelease(folder, path)));
  const releases = found.filter((release) => release !== null);
  if (releases.length === 0) {
    throw new StaticBuildError(
      `${folder} holds no firmware: put a folder with a manifest.json (ESP Web Tools) or a flasher_args.json into it.`,
    );
  }
  return releases;
}

/** Returns null for a JSON file that is no manifest. */
async function readRelease(folder: string, path: string): Promise<FoundRelease | null> {
  const { size } = await stat(join(folder, path));
  if (size > manifestLimits.size) {
    return null;
  }
  const address = new URL(encodePath(path), `${host}/`).href;
  try {
    const release = readManifest(await readFile(join(folder, path), 'utf8'), address);
    const files = release.versions.flatMap(({ builds }) => builds).flatMap((build) => build.files);
    // Files of other hosts stay there: whether they let pages read them is known when they are opened.
    const own = files.filter((file) => file.address.startsWith(`${host}/`));
    const named = [...new Set(own.map((file) => decodeURIComponent(new URL(file.address).pathname.slice(1))))];
    await Promise.all(named.map((file) => checkFile(folder, file, path)));
    return { listed: listedOf(release, path), files: [path, ...named] };
  } catch (error) {
    if (!(error instanceof ManifestError)) {
      throw error;
    }
    if (error.code === 'not-a-manifest') {
      return null;
    }
    throw new StaticBuildError(`${path}: ${error.what}`, { cause: error });
  }
}

async function checkFile(folder: string, file: string, manifest: string): Promise<void> {
  const found = await stat(join(folder, file)).catch(() => null);
  if (!found?.isFile()) {
    throw new StaticBuildError(`${manifest} names ${file}, which is not in ${folder}.`);
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
