/**
 * The folder of a pulled version: its files, and a manifest that names them with their hashes. Files are loaded into a
 * folder beside them first, so that an interrupted pull goes on, and the manifest is written last.
 */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { addressText } from '@wirebench/flasher/core';
import {
  loadManifestFile,
  type ManifestBuild,
  ManifestError,
  type ManifestFile,
  type ManifestRelease,
  type ManifestRequest,
  type ManifestVersion,
  manifestLimits,
} from '@wirebench/flasher/release';
import { CommandError, exitCodes } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { TargetFolder } from '../target-folder.ts';

const manifestName = 'manifest.json';
/** Folder of files that were loaded and verified, and are not in their places yet. */
const loadingFolder = '.wirebench-pull';

/** A version, and the way to its files. */
export interface PullableVersion {
  readonly release: ManifestRelease;
  readonly version: ManifestVersion;
  readonly request: ManifestRequest;
}

/** `unverified`: the manifest states no hash. */
type PulledState = 'kept' | 'loaded' | 'unverified';

interface PulledFile {
  /** Path in the folder, with slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

interface PullOptions {
  /** True: local files that differ are replaced. */
  readonly isForced: boolean;
  readonly onFile: (file: PulledFile, state: PulledState) => void;
  /** Receives the bytes of the current file that have arrived. */
  readonly onProgress: (done: number, total: number) => void;
}

/** A file with its place in the folder. */
interface PlacedFile {
  readonly names: readonly string[];
  readonly file: ManifestFile;
}

interface PlacedBuild {
  readonly build: ManifestBuild;
  readonly files: readonly PlacedFile[];
}

/**
 * Brings the folder to the version. Only what is missing or differs is loaded.
 *
 * @throws CommandError for local files that were changed, and for names that lead out of the folder. Nothing is changed then.
 * @throws ManifestError for a file that cannot be loaded, or is not the one that the manifest states.
 */
export async function pullInto(
  path: string,
  { release, version, request }: PullableVersion,
  { isForced, onFile, onProgress }: PullOptions,
): Promise<{ readonly fetched: number; readonly kept: number }> {
  // The strictest rules for names, so that the folder can be carried to any system.
  const folder = new TargetFolder(path, 'win32');
  const builds = placed(version.builds.filter(({ fault }) => fault === null));
  const files = [
    ...new Map(builds.flatMap((build) => build.files).map((file) => [file.names.join('/'), file])).values(),
  ];
  const before = await pulledBefore(folder, isForced);
  const local = new Map<PlacedFile, string | null>();
  const changed: string[] = [];
  for (const file of files) {
    const hash = await hashIn(folder, file.names);
    local.set(file, hash);
    const name = file.names.join('/');
    if (hash !== null && hash !== file.file.sha256 && hash !== before.get(name)) {
      changed.push(name);
    }
  }
  if (changed.length > 0 && !isForced) {
    throw new CommandError(
      exitCodes.refused,
      `nothing was written. Changed on this computer: ${printable(changed.join(', '))}. With --force they are replaced.`,
    );
  }
  const hashes = new Map<PlacedFile, PulledFile & { readonly isNew: boolean }>();
  await checkSizes(builds);
  for (const placedFile of files) {
    const { file, names } = placedFile;
    const own = local.get(placedFile) ?? null;
    if (own !== null && own === file.sha256) {
      const { length: size } = await readFile(folder.pathOf(names));
      hashes.set(placedFile, { path: names.join('/'), size, sha256: own, isNew: false });
      continue;
    }
    const loaded = await loadedBefore(folder, file.sha256);
    const bytes = loaded ?? (await loadManifestFile(file, request, (done) => onProgress(done, file.size ?? done)));
    const sha256 = hashOf(bytes);
    if (loaded === null) {
      await folder.write([loadingFolder, sha256], bytes);
    }
    hashes.set(placedFile, { path: names.join('/'), size: bytes.length, sha256, isNew: sha256 !== own });
  }
  // From here on nothing waits for the server, so that the folder changes at once.
  for (const [{ names }, { sha256, isNew }] of hashes) {
    if (isNew) {
      await folder.write(names, await readFile(folder.pathOf([loadingFolder, sha256])));
    }
  }
  const manifest = manifestOf(builds, hashes, { release, version });
  if ((await textIn(folder, [manifestName])) !== manifest) {
    await folder.write([manifestName], manifest);
  }
  await rm(folder.pathOf([loadingFolder]), { recursive: true, force: true });
  for (const [{ file }, { isNew, ...facts }] of hashes) {
    onFile(facts, isNew ? (file.sha256 === null ? 'unverified' : 'loaded') : 'kept');
  }
  const fetched = [...hashes.values()].filter(({ isNew }) => isNew).length;
  return { fetched, kept: hashes.size - fetched };
}

/** Gives each file its place: in the folder for a version with one build, else in a folder of its build. */
function placed(builds: readonly ManifestBuild[]): PlacedBuild[] {
  const folders = new Set<string>();
  return builds.map((build) => {
    const model = build.deviceModel.replaceAll(/[^\w-]+/g, '-');
    const own = builds.length === 1 ? [] : [freeName(folders, model, (number) => `${model}-${number}`)];
    const names = new Set([manifestName]);
    const places = build.files.map((file): PlacedFile => {
      const name = freeName(names, file.name, (number) =>
        number === 2
          ? `${addressText(file.offset)}-${file.name}`
          : `${addressText(file.offset)}-${number}-${file.name}`,
      );
      return { names: [...own, name], file };
    });
    return { build, files: places };
  });
}

/** Returns the first name that is not taken, upper and lower case being the same, and takes it. */
function freeName(taken: Set<string>, name: string, other: (number: number) => string): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) {
    free = other(number);
  }
  taken.add(free.toLowerCase());
  return free;
}

/** @throws ManifestError for a build that is larger than any is. */
async function checkSizes(builds: readonly PlacedBuild[]): Promise<void> {
  for (const { files } of builds) {
    const size = files.reduce((sum, { file }) => sum + (file.size ?? 0), 0);
    if (size > manifestLimits.buildSize) {
      const limit = `${manifestLimits.buildSize / 1_048_576} MB together with the others`;
      throw new ManifestError('file-too-large', { name: files[0]?.file.name ?? '', limit });
    }
  }
}

/**
 * Returns the hashes of the pull before, by path. Empty for a folder without one.
 *
 * @throws CommandError for another manifest in its place.
 */
async function pulledBefore(folder: TargetFolder, isForced: boolean): Promise<ReadonlyMap<string, string>> {
  const text = await textIn(folder, [manifestName]);
  const listed = text === null ? [] : hashesIn(text);
  if (listed === null && !isForced) {
    throw new CommandError(
      exitCodes.refused,
      `nothing was written. ${manifestName} in ${folder.path} is not of a pull. With --force it is replaced.`,
    );
  }
  return new Map(listed ?? []);
}

/** Returns path and hash of each file in a manifest that a pull has written; null for any other text. */
function hashesIn(text: string): (readonly [string, string])[] | null {
  try {
    const { wirebench } = JSON.parse(text) as { readonly wirebench?: { readonly builds?: readonly PulledBuild[] } };
    const listed = wirebench?.builds?.flatMap(({ files = [] }) =>
      files.map(({ path, sha256 }) => [decodeURIComponent(path), sha256] as const),
    );
    return listed ?? null;
  } catch {
    return null;
  }
}

interface PulledBuild {
  readonly files?: readonly { readonly path: string; readonly sha256: string }[];
}

/** Manifest in the form of a Wirebench server, whose paths start in the folder. */
function manifestOf(
  builds: readonly PlacedBuild[],
  hashes: ReadonlyMap<PlacedFile, PulledFile>,
  { release, version }: Omit<PullableVersion, 'request'>,
): string {
  const byPath = new Map([...hashes.values()].map((facts) => [facts.path, facts]));
  const manifest = {
    name: release.name,
    version: version.version,
    new_install_prompt_erase: release.promptsErase,
    builds: [],
    wirebench: {
      ...(release.publisher !== null && { publisher: release.publisher }),
      ...(version.shareId !== null && { shareId: version.shareId }),
      ...(release.isDemo && { demo: true }),
      builds: builds.map(({ build, files }) => ({
        ...(build.id !== null && { _id: build.id }),
        deviceFamily: build.deviceFamily,
        deviceModel: build.deviceModel,
        guards: build.guards,
        ...(build.improv !== null && { improv: build.improv }),
        files: files.map(({ names, file }) => {
          const { size, sha256 } = byPath.get(names.join('/')) ?? { size: file.size, sha256: file.sha256 };
          return {
            path: names.map(encodeURIComponent).join('/'),
            fileName: file.name,
            offset: addressText(file.offset),
            size,
            sha256,
          };
        }),
      })),
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the bytes that an interrupted pull has loaded; null without them, and for damaged ones. */
async function loadedBefore(folder: TargetFolder, sha256: string | null): Promise<Uint8Array<ArrayBuffer> | null> {
  if (sha256 === null || !(await folder.hasFile([loadingFolder, sha256]))) {
    return null;
  }
  const bytes = new Uint8Array(await readFile(folder.pathOf([loadingFolder, sha256])));
  return hashOf(bytes) === sha256 ? bytes : null;
}

async function hashIn(folder: TargetFolder, names: readonly string[]): Promise<string | null> {
  return (await folder.hasFile(names)) ? hashOf(await readFile(folder.pathOf(names))) : null;
}

async function textIn(folder: TargetFolder, names: readonly string[]): Promise<string | null> {
  return (await folder.hasFile(names)) ? readFile(folder.pathOf(names), 'utf8') : null;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
