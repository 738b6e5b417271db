/**
 * Firmware files as the flasher's package understands them: what each is, where it goes, what the lists of a build say. The
 * package is fetched with the first file.
 */
import { deviceModels, releaseLimits } from '@wirebench/contract';
import type { DroppedEntry } from './dropped-entries.ts';
import type { FileFacts, FilesRead } from './model/file-facts.ts';
import type { FlashTarget } from './model/suggest-offsets.ts';
import type { ChosenFile } from './model/version-draft.ts';

export interface BuildOutput {
  /** Offsets are those of the build's list; null without one. */
  readonly files: readonly ChosenFile[];
  /** Name of the list that was followed; null when there was none. */
  readonly list: string | null;
  /** Parts that did not fit, one sentence each. */
  readonly notes: readonly string[];
}

/** A project of many environments has many; these are read at most, the least deep ones first. */
const MAX_READ = 32;

/** Bytes. Lists of builds have a few thousand; what is larger is something else. */
const LARGEST_LIST = 1_048_576;

/** Reads facts from the bytes of files that belong to one version. Families other than Espressif's give none. */
export async function readFileFacts(files: readonly File[], target: FlashTarget): Promise<FilesRead> {
  if (target.deviceFamily !== 'esp') {
    return { byFile: new Map(), warnings: [] };
  }
  const { placeFiles, chipNames, chipFacts } = await import('@wirebench/flasher/espressif');
  const chip = chipNames.find((name) => name === target.deviceModel) ?? null;
  // Two files may have one name: their number tells them apart.
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
  // Files for a chip that another project could be for are refused (`release-check.ts`); for this one there is no project.
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

/** The files of a build out of everything that was dropped. */
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

/** Only the beginning of what is too large anyway. */
async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, releaseLimits.fileSize).arrayBuffer());
}
