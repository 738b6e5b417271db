/** The build that a command line names: files, folders and archives, or a release by its link or manifest. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type FamilyId, families, familyIds } from '@wirebench/boards';
import { familiesOf, shellText } from '@wirebench/flasher/callers';
import {
  buildFolders,
  type ChosenFiles,
  FileSets,
  type FilesOfFamily,
  type GivenFile,
  originOf,
  type PlannableFiles,
} from '@wirebench/flasher/given-files';
import {
  loadManifest,
  ManifestError,
  type ManifestRelease,
  type ManifestRequest,
  type ManifestVersion,
  manifestAddress,
} from '@wirebench/flasher/release';
import { givenText } from '@wirebench/port/given-text';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { ConnectionError, outgoingFetch } from '../network/outgoing-fetch.ts';
import { placedFile } from '../placed-file.ts';
import { oneOf } from '../port-options.ts';

/** Files for boards of one family, ready for a plan. */
export interface LocalBuild {
  readonly kind: 'files';
  readonly family: FamilyId;
  readonly chosen: ChosenFiles;
  /** Returns the files of a plan. */
  readonly forPlan: () => readonly object[];
  /** Returns the path of a file that has changed since it was read; null if none has. */
  readonly changed: () => Promise<string | null>;
}

export interface ReleaseToWrite {
  readonly kind: 'release';
  readonly family: FamilyId;
  readonly release: ManifestRelease;
  readonly version: ManifestVersion;
  /** Loads its files. */
  readonly request: ManifestRequest;
  /** Returns the path of a file of this machine that has changed since it was read; null if none has. */
  readonly changed: () => Promise<string | null>;
}

/** Reads files, and knows later whether they are still the ones that were read. */
class ReadFiles {
  readonly #files: { readonly name: string; readonly path: string; readonly stamp: string }[] = [];

  /** @param name Name under which the file is given. */
  async blob(path: string, name: string): Promise<Blob> {
    // A file that changes while it is read has another stamp afterwards.
    this.#files.push({ name, path, stamp: await stampOf(path) });
    return new Blob([await readFile(path)]);
  }

  /**
   * Returns the path of a file that is no longer the one that was read; null if all are.
   *
   * @param names Names of the files that matter. Missing: all.
   */
  async changed(names?: readonly string[]): Promise<string | null> {
    for (const { name, path, stamp } of this.#files) {
      if (names?.includes(name) === false) {
        continue;
      }
      if ((await stampOf(path).catch(() => null)) !== stamp) {
        return path;
      }
    }
    return null;
  }
}

async function stampOf(path: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(path, { bigint: true });
  return [mtimeNs, size, ino].join(' ');
}

/** Host that stands for the folder of a manifest that is a file. */
const LOCAL = 'http://manifest.invalid';

export const fileLoads = {
  esp: async () => (await import('@wirebench/flasher/esp/files')).espFiles,
  stm: async () => (await import('@wirebench/flasher/stm/files')).stmFiles,
  nrf: async () => (await import('@wirebench/flasher/nrf/files')).nrfFiles,
  avr: async () => (await import('@wirebench/flasher/avr/files')).avrFiles,
  rp: async () => (await import('@wirebench/flasher/rp/files')).rpFiles,
} satisfies Record<FamilyId, () => Promise<FilesOfFamily<PlannableFiles>>>;

/**
 * Reads what the arguments name, and finds the family of its boards.
 *
 * @param guessed Family that the port tells, where the files do not; null if it does not.
 * @throws CommandError for what cannot be read, and for a build that cannot be decided.
 */
export async function readBuild(
  named: readonly string[],
  options: OptionValues,
  guessed: FamilyId | null,
  signal: AbortSignal,
): Promise<LocalBuild | ReleaseToWrite> {
  const family = oneOf(options['family'], '--family', familyIds);
  const read = new ReadFiles();
  const [only] = named;
  if (only !== undefined && named.length === 1) {
    const place = await manifestPlace(only, read);
    if (place !== null) {
      return { ...(await readRelease(place, family, guessed, signal)), changed: () => read.changed() };
    }
  }
  const { found, likely } = await choicesOf(named, options, read);
  const build = likely.length === 1 ? likely[0] : likely.find((one) => one.family === guessed);
  if (build !== undefined) {
    const { files, list = '' } = build.chosen;
    const names = [list, ...files.map((file) => originOf(file).from)];
    return { ...build, changed: () => read.changed(names) };
  }
  if (likely.length > 1) {
    throw undecided(likely.map((one) => one.family));
  }
  throw new CommandError(
    exitCodes.refused,
    `there is nothing to write. ${reasonsOf(found).slice(0, 8).join(' ')}`.trim(),
  );
}

/** Files for the boards of one family, before anything decides for it. */
export type FileChoice = Omit<LocalBuild, 'changed'>;

interface FileChoices {
  /** Choices of all families, or of that of `--family`. */
  readonly found: readonly FileChoice[];
  /** Choices that are probably meant. Several: nothing in the files decides. */
  readonly likely: readonly FileChoice[];
  /** All files that were read, with their bytes. */
  readonly given: readonly GivenFile[];
}

async function choicesOf(named: readonly string[], options: OptionValues, read: ReadFiles): Promise<FileChoices> {
  const family = oneOf(options['family'], '--family', familyIds);
  const names = namesOf(named);
  const given = (await Promise.all(named.map((text, index) => givenFiles(text, names[index] ?? null, read)))).flat();
  const found = await Promise.all((family === null ? familyIds : [family]).map((id) => filesFor(id, given, options)));
  const fits = found.filter(({ chosen }) => isSomething(chosen));
  const placed = fits.filter(({ chosen }) => chosen.files.every(({ offset }) => offset !== null));
  return { found, likely: placed.length > 0 ? placed : fits, given };
}

/**
 * Reads files, folders and archives without a board.
 *
 * @throws CommandError for what cannot be read, and for a release.
 */
export async function readChoices(named: readonly string[], options: OptionValues): Promise<FileChoices> {
  const read = new ReadFiles();
  const [only = ''] = named;
  if (named.length === 1 && (await manifestPlace(only, read)) !== null) {
    throw new CommandError(
      exitCodes.usage,
      `${only} is a release with builds of its own: "wirebench pull" loads it, and its files can be named then.`,
    );
  }
  return choicesOf(named, options, read);
}

/** Returns why files are not written, each reason once. */
export function reasonsOf(choices: readonly FileChoice[]): readonly string[] {
  const reasons = choices.flatMap(({ chosen: { leftOut, elsewhere } }) => [
    ...leftOut.map(({ name, why }) => `${name}: ${why}`),
    ...(elsewhere === undefined ? [] : [`${elsewhere.names.join(', ')}: for ${families[elsewhere.family].name}.`]),
  ]);
  return [...new Set(reasons)].map(shellText);
}

const isSomething = ({ files, conflicts, builds, elsewhere }: ChosenFiles): boolean =>
  elsewhere === undefined && (files.length > 0 || builds !== undefined || conflicts.some(({ stops }) => stops));

/** Returns the failure for a board whose family nothing tells. */
export function undecided(ids: readonly FamilyId[]): CommandError {
  const words = ids.map((id) => `--family ${id}`).join(' or ');
  return new CommandError(exitCodes.refused, `nothing tells which boards this is for. Say it with ${words}.`);
}

async function filesFor(family: FamilyId, given: readonly GivenFile[], options: OptionValues): Promise<FileChoice> {
  // The sets of a family know the types of their own files.
  const files = (await fileLoads[family]()) as FilesOfFamily<PlannableFiles>;
  const sets = new FileSets(files);
  const added = await sets.add(given);
  const { build } = options;
  const chosen = added.builds !== undefined && typeof build === 'string' ? await sets.choose(build) : added;
  if (added.builds !== undefined && typeof build === 'string' && chosen.builds?.picked !== build) {
    const names = added.builds.options.map(({ name }) => name).join(', ');
    throw new CommandError(exitCodes.usage, `--build takes ${names}, and not ${build}.`);
  }
  const places = chosen.files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
  return { kind: 'files', family, chosen, forPlan: () => sets.of(undefined).forPlan(places) };
}

/**
 * Returns the paths of files below the folder that holds all of them, as if that folder was given, if some have the same name: a
 * list tells them apart by their folders, and without one they are builds to choose from. Null: the name alone.
 */
function namesOf(named: readonly string[]): readonly (string | null)[] {
  const places = named.map(placedFile).map(({ address, path }) => (address === null ? resolve(path) : null));
  const paths = places.flatMap((path) => path ?? []);
  if (new Set(paths.map((path) => basename(path))).size === paths.length) {
    return named.map(() => null);
  }
  let root = dirname(paths[0] ?? '');
  while (!paths.every((path) => path.startsWith(join(root, sep)))) {
    root = dirname(root);
  }
  return places.map((path) =>
    path === null ? null : [basename(root) || 'build', ...relative(root, path).split(sep)].join('/'),
  );
}

/**
 * Reads a file, or all files of a folder that may belong to its build.
 *
 * @param given Path by which the file is known. Null: its name.
 */
async function givenFiles(text: string, given: string | null, read: ReadFiles): Promise<readonly GivenFile[]> {
  const { address, path } = placedFile(text);
  try {
    if ((await stat(path)).isDirectory()) {
      if (address !== null) {
        throw new CommandError(exitCodes.usage, `${path} is a folder: an offset belongs to a file.`);
      }
      return await filesBelow(path, read);
    }
    const name = given ?? basename(path);
    return [{ name, content: await read.blob(path, name), ...(address !== null && { offset: Number(address) }) }];
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError(exitCodes.usage, `${path} cannot be read: ${(error as Error).message}`);
  }
}

async function filesBelow(root: string, read: ReadFiles): Promise<readonly GivenFile[]> {
  const files: GivenFile[] = [];
  let level = [{ path: root, name: basename(root) === '.' ? 'build' : basename(root) }];
  let folders = 0;
  for (let depth = 0; level.length > 0 && depth <= buildFolders.deepest; depth++) {
    const next: { path: string; name: string }[] = [];
    for (const folder of level) {
      for (const entry of await readdir(folder.path, { withFileTypes: true })) {
        const one = { path: join(folder.path, entry.name), name: `${folder.name}/${entry.name}` };
        if (entry.isFile()) {
          files.push({ name: one.name, content: await read.blob(one.path, one.name) });
        } else if (entry.isDirectory() && !buildFolders.passedBy.includes(entry.name) && folders < buildFolders.most) {
          folders++;
          next.push(one);
        }
      }
    }
    level = next;
  }
  return files;
}

interface ManifestPlace {
  readonly address: string;
  readonly fetch: ManifestRequest['fetch'];
}

/** Returns where a manifest is; null for an argument that names none. */
async function manifestPlace(text: string, read: ReadFiles): Promise<ManifestPlace | null> {
  if (/^https?:\/\//i.test(text)) {
    return { address: manifestAddress(text), fetch: outgoingFetch };
  }
  // A folder that `wirebench pull` has made holds a manifest with every build.
  const inside = join(text, 'manifest.json');
  const [path, isManifest] = text.endsWith('.json') ? [text, /"builds"\s*:/] : [inside, /"wirebench"\s*:/];
  const content = await readFile(path).then(givenText, () => '');
  if (!isManifest.test(content)) {
    return null;
  }
  const folder = dirname(path);
  return {
    address: `${LOCAL}/${basename(path)}`,
    fetch: async (address, init) => {
      const { origin, pathname } = new URL(address);
      const inFolder = decodeURIComponent(pathname);
      // An address keeps an encoded slash, and with it a `..` that leads out of the folder.
      if (origin === LOCAL && inFolder.split(/[/\\]/).includes('..')) {
        return new Response(null, { status: 404 });
      }
      return origin === LOCAL
        ? read.blob(join(folder, inFolder), pathname).then(
            (content) => new Response(content),
            () => new Response(null, { status: 404 }),
          )
        : outgoingFetch(address, init);
    },
  };
}

async function readRelease(
  { address, fetch: load }: ManifestPlace,
  wanted: FamilyId | null,
  guessed: FamilyId | null,
  signal: AbortSignal,
): Promise<Omit<ReleaseToWrite, 'changed'>> {
  const request: ManifestRequest = { fetch: load, signal, isSecurePage: false };
  const release = await loadManifest(address, request).catch((error: unknown) => {
    throw manifestFailure(error);
  });
  const [version] = release.versions;
  const offered = version === undefined ? [] : familiesOf(version);
  const family = wanted ?? (offered.length === 1 ? offered[0] : offered.find((one) => one === guessed));
  if (version === undefined || offered.length === 0) {
    throw manifestFailure(new ManifestError('no-builds'));
  }
  if (family === undefined) {
    throw undecided(offered);
  }
  return { kind: 'release', family, release, version, request };
}

/** Returns a failure to load a release as one for the shell. Others stay as they are. */
export function manifestFailure(error: unknown): unknown {
  if (!(error instanceof ManifestError)) {
    return error;
  }
  const { what, remedy } = error.cause instanceof ConnectionError ? error.cause : error;
  return new CommandError(exitCodes.failed, shellText(`${what} ${remedy}`));
}
