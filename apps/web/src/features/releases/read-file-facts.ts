/**
 * Analyses firmware files with the flasher's package: their kind, their offsets, and a build's lists. The package is
 * loaded with the first file.
 */
import { deviceModels, releaseLimits } from '@wirebench/contract';
import type { DroppedEntry } from './dropped-entries.ts';
import type { FileFacts, FilesRead } from './model/file-facts.ts';
import type { FlashTarget } from './model/suggest-offsets.ts';
import type { ChosenFile } from './model/version-draft.ts';

export interface BuildOutput {
  /** With the offsets of the build's list; null without a list. */
  readonly files: readonly ChosenFile[];
  /** Name of the list that was used; null without one. */
  readonly list: string | null;
  /** Parts that were left out, one sentence each. */
  readonly notes: readonly string[];
}

/** Maximum number of files to read, shallow folders first. A project with many environments has many files. */
const MAX_READ = 32;

/** In bytes. Lists of builds have a few thousand bytes. */
const LARGEST_LIST = 1_048_576;

/**
 * Reads facts from the bytes of files that belong to one version. Files of families other than Espressif give no
 * facts.
 */
export async function readFileFacts(files: readonly File[], target: FlashTarget): Promise<FilesRead> {
  if (target.deviceFamily !== 'esp') {
    return { byFile: new Map(), warnings: [] };
  }
  const { placeFiles, chipNames, chipFacts } = await import('@wirebench/flasher/espressif');
  const chip = chipNames.find((name) => name === target.deviceModel) ?? null;
  // Two files may have the same name, so their index makes the names unique.
  const dropped = await Promise.all(
    files.map(async (file, index) => ({ name: `${index}/${file.name}`, bytes: await bytesOf(file) })),
  );
  const placement = placeFiles(dropped, { chip });
  const byFile = new Map<File, FileFacts>();
  for (const { name, what, why, offset } of placement.files) {
    const file = files[Number.parseInt(name, 10)];
    if (file !== undefined) {
      byFile.set(file, { what, why, offset });
    }
  }
  // For other chips, files of the wrong chip are refused (`release-check.ts`). For this one no project is possible.
  const known: readonly string[] = deviceModels.esp;
  const { chip: built } = placement;
  const warnings =
    built === null || known.includes(built)
      ? []
      : [
          `The files were built for ${chipFacts[built].label}, but this project is for ${chip === null ? target.deviceModel : chipFacts[chip].label}.`,
        ];
  return { byFile, warnings };
}

/** Selects the files of a build from everything that was dropped. */
export async function readBuildOutput(entries: readonly DroppedEntry[], target: FlashTarget): Promise<BuildOutput> {
  const depth = ({ path }: DroppedEntry) => path.split('/').length;
  const isBin = ({ path }: DroppedEntry) => /\.bin$/i.test(path);
  const bins = entries.filter(isBin).toSorted((one, other) => depth(one) - depth(other));
  const folder = await filesOf(fullestFolder(bins));
  const single = await filesOf(entries.filter((entry) => depth(entry) === 1 && !isBin(entry)));
  if (target.deviceFamily !== 'esp') {
    return { files: withoutOffsets([...folder, ...single]), list: null, notes: [] };
  }
  const perhapsLists = entries.filter(({ path }) => /\.json$|(^|\/)flash_(project_)?args$/i.test(path));
  const lists = (await filesOf(perhapsLists)).filter(({ file }) => file.size <= LARGEST_LIST);
  if (lists.length > 0) {
    const listed = await place([...lists, ...(await filesOf(bins.slice(0, MAX_READ)))], target);
    if (listed.list !== null || listed.notes.length > 0) {
      return listed;
    }
  }
  const placed = await place(folder, target);
  const strangers = single.filter(({ file }) => !lists.some((list) => list.file === file));
  return { ...placed, files: [...placed.files, ...withoutOffsets(strangers)] };
}

/** Groups files that belong together, with the offsets of the build's list if there is one. */
async function place(read: readonly ReadEntry[], target: FlashTarget): Promise<BuildOutput> {
  const { placeFiles, chipNames } = await import('@wirebench/flasher/espressif');
  const dropped = await Promise.all(read.map(async ({ path, file }) => ({ name: path, bytes: await bytesOf(file) })));
  const chip = chipNames.find((name) => name === target.deviceModel) ?? null;
  const { files, leftOut, conflicts, list } = placeFiles(dropped, { chip });
  const byPath = new Map(read.map(({ path, file }) => [path, file]));
  // Builds usually leave an application beside a list unlisted. A complete image that is left out is reported.
  const left = list === null ? leftOut.map(({ name, why }) => `${baseName(name)} is left out. ${why}`) : [];
  return {
    files: files.flatMap(({ name, offset }) => {
      const file = byPath.get(name);
      return file === undefined ? [] : [{ file, offset: list === null ? null : offset }];
    }),
    list,
    notes: [...conflicts.map(({ what, remedy }) => `${what} ${remedy}`), ...left],
  };
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const withoutOffsets = (read: readonly ReadEntry[]): ChosenFile[] => read.map(({ file }) => ({ file, offset: null }));

/** Returns the environment with the most files: a bootloader and a partition table beside the application. */
function fullestFolder(bins: readonly DroppedEntry[]): readonly DroppedEntry[] {
  const folders = [...Map.groupBy(bins, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1)).values()];
  return folders.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

interface ReadEntry {
  readonly path: string;
  readonly file: File;
}

async function filesOf(entries: readonly DroppedEntry[]): Promise<ReadEntry[]> {
  return Promise.all(entries.map(async ({ path, file }) => ({ path, file: await file() })));
}

/** Reads only the beginning of files that are too large in any case. */
async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, releaseLimits.fileSize).arrayBuffer());
}
