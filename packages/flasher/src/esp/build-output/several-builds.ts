/**
 * Separates several builds that came together, in an archive or in folders: one for each board or for each chip. Which
 * of them is written is for a person to say, or for the chip of the connected board.
 */

import { givenText } from '@wirebench/port/given-text';
import { baseName } from '../../core/base-name.ts';
import { alternativeFolders, folderOf, shortNames } from '../../core/folders.ts';
import { formatOf, isMemoryFormat } from '../../images/formats/formats.ts';
import { ImageError } from '../../images/image-error.ts';
import { parseJson } from '../../images/json-fields.ts';
import { type ChipName, chipFacts, chipNames } from '../chips/chip-facts.ts';
import { chipOfPart, type ImagePart, imagePartOf } from '../images/image-part.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import { isApp } from '../images/partition-types.ts';
import { listedBuilds, listKindOf, readFileLists } from './file-list.ts';
import { besidesReason } from './file-name.ts';
import type { DroppedFile } from './placement.ts';

export interface FoundBuild<File extends DroppedFile = DroppedFile> {
  /** Folder, chip or file by which a person tells it from the others. Unique. */
  readonly name: string;
  /** Null if the build names none, or several. */
  readonly chip: ChipName | null;
  /** Its own files, and those that belong to all builds. */
  readonly files: readonly File[];
}

interface Read<File extends DroppedFile> {
  readonly file: File;
  readonly part: ImagePart;
  /** Folder of the program that the file belongs to. */
  readonly folder: string;
}

/**
 * Returns the builds among files that came together; a single one if they belong together.
 *
 * @param files Names are paths within the folder or archive. Archives have been opened.
 */
export function buildsAmong<File extends DroppedFile>(files: readonly File[]): readonly FoundBuild<File>[] {
  const lists = files.flatMap((file) => readable(file));
  const described = ownFolders(lists.map(({ folder }) => folder));
  const [only, second] = described;
  if (second !== undefined) {
    return named(
      described.map((folder) => {
        const others = described.filter((other) => other !== folder && !isInside(folder, other));
        const own = files.filter(({ name }) => isInside(name, folder) && !others.some((at) => isInside(name, at)));
        const shared = files.filter(({ name }) => !described.some((at) => isInside(name, at)));
        return {
          name: folder,
          chip: soleOf(chipsOf(lists, folder)) ?? soleOf(chipsIn(own)),
          files: [...own, ...shared],
        };
      }),
    );
  }
  if (only !== undefined) {
    // A list of one build is better than a manifest beside it.
    const [manifest] = lists.every(({ chips }) => chips.length > 1) ? lists : [];
    return manifest === undefined ? [{ name: '', chip: null, files }] : ofManifest(manifest.file, files);
  }
  return byContents(files);
}

interface ReadList<File> {
  readonly file: File;
  readonly folder: string;
  /** Chips of its builds, null for one that names none. */
  readonly chips: readonly (ChipName | null)[];
}

/** Reads a list; none for other files, and for a list that cannot be read. */
function readable<File extends DroppedFile>(file: File): readonly ReadList<File>[] {
  if (listKindOf(file.name) === null) {
    return [];
  }
  try {
    const chips = readFileLists(file.name, file.bytes).map(({ chip }) => chip);
    return [{ file, folder: folderOf(file.name), chips }];
  } catch (error) {
    if (error instanceof ImageError) {
      return [];
    }
    throw error;
  }
}

/** Folders of a build in which ESP-IDF has lists of their own for the parts. */
const partFolder = /(?:^|\/)(?:bootloader|partition_table|partition-table)\/$/;

/** Returns the folder of the program that the files in this folder belong to. */
const buildFolderOf = (folder: string): string =>
  folder.replace(partFolder, (found) => (found.startsWith('/') ? '/' : ''));

/** Returns the folders of lists, each once, without those of the parts of a build. */
function ownFolders(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  return all.filter((folder) => buildFolderOf(folder) === folder || !all.includes(buildFolderOf(folder)));
}

const isInside = (path: string, folder: string) => path.startsWith(folder);

function chipsOf<File>(lists: readonly ReadList<File>[], folder: string): readonly ChipName[] {
  return lists.filter((list) => list.folder === folder).flatMap(({ chips }) => chips.flatMap((chip) => chip ?? []));
}

const chipsIn = (files: readonly DroppedFile[]): readonly ChipName[] =>
  files.flatMap(({ name, bytes }) => (isBeside(name) ? [] : (chipOfPart(imagePartOf(bytes)) ?? [])));

const isBeside = (name: string) => besidesReason(name) !== null || listKindOf(name) !== null;

/** Returns the only different value; null for none and for several. */
function soleOf<Value>(values: readonly Value[]): Value | null {
  const [only, second] = [...new Set(values)];
  return second === undefined ? (only ?? null) : null;
}

/** Returns a build for each of a manifest: the manifest with this build alone, and all files. */
function ofManifest<File extends DroppedFile>(manifest: File, files: readonly File[]): readonly FoundBuild<File>[] {
  const json = parseJson(givenText(manifest.bytes));
  const chips = readFileLists(manifest.name, manifest.bytes);
  const builds = listedBuilds(json['builds']).map((build, index) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...json, builds: [build] }));
    const { chip = null, spoilt = null } = chips[index] ?? {};
    const connection = (build as { readonly serialType?: unknown } | null)?.serialType;
    const name = chip === null ? `Build ${index + 1}` : chipFacts[chip].label;
    return {
      name: typeof connection === 'string' ? `${name} (${connection})` : name,
      chip,
      files: files.map((file) => (file === manifest ? { ...file, bytes } : file)),
      spoilt,
    };
  });
  const usable = builds.filter(({ spoilt }) => spoilt === null);
  const unique = new Set(usable.map(({ name }) => name)).size === usable.length;
  return usable.length === 0
    ? [{ name: '', chip: null, files }]
    : usable.map(({ name, chip, files: own }, index) => ({
        name: unique ? name : `${name}, build ${index + 1}`,
        chip,
        files: own,
      }));
}

/** Separates files without a list: by folder, then by chip, then whole images by name. */
function byContents<File extends DroppedFile>(files: readonly File[]): readonly FoundBuild<File>[] {
  const read = files.map((file): Read<File> => {
    const part = isBeside(file.name) ? imagePartOf(new Uint8Array()) : imagePartOf(file.bytes);
    return { file, part, folder: buildFolderOf(folderOf(file.name)) };
  });
  const groups = alternativeFolders(read, (some) => areAlternatives(some));
  if (groups.length > 1) {
    return named(
      groups.map(({ folder, files: own }) => ({
        name: folder,
        chip: soleOf(own.flatMap(({ part }) => chipOfPart(part) ?? [])),
        files: own.map(({ file }) => file),
      })),
    );
  }
  const chips = [...new Set(read.flatMap(({ part }) => chipOfPart(part) ?? []))];
  if (chips.length > 1) {
    return chips.map((chip) => ({
      name: chipFacts[chip].label,
      chip,
      files: read
        .filter(({ part, file }) => (chipOfPart(part) ?? chipInName(file.name, chips) ?? chip) === chip)
        .map(({ file }) => file),
    }));
  }
  const whole = read.filter(({ part }) => part.kind === 'merged' && part.offset === 0);
  const others = read.filter((one) => !whole.includes(one)).map(({ file }) => file);
  return whole.length > 1 && !read.some(({ part }) => part.kind === 'bootloader')
    ? whole.map(({ file, part }) => ({ name: baseName(file.name), chip: chipOfPart(part), files: [file, ...others] }))
    : [{ name: '', chip: chips[0] ?? null, files }];
}

/** Returns the chip that a file's name contains, such as `esp32c3` in `partitions-esp32-c3.bin`. */
function chipInName(path: string, chips: readonly ChipName[]): ChipName | null {
  const name = baseName(path).toLowerCase().replaceAll(/[-_]/g, '');
  const longest = chipNames.filter((chip) => chips.includes(chip)).sort((one, other) => other.length - one.length);
  return longest.find((chip) => name.includes(chip)) ?? null;
}

/**
 * Returns true if files of different folders are alternatives: a board has one bootloader, one table, one image of
 * everything. Two apps are alternatives too, unless a table has a place for each: a small factory app beside slots.
 */
function areAlternatives<File extends DroppedFile>(read: readonly Read<File>[]): boolean {
  const isRepeated = (some: readonly Read<File>[]) => new Set(some.map(({ folder }) => folder)).size > 1;
  const ofKind = (kind: ImagePart['kind']) => read.filter(({ part }) => part.kind === kind);
  const addressed = read.filter(({ file }) => !isBeside(file.name) && isMemoryFormat(formatOf(file.bytes)));
  const singles = [ofKind('bootloader'), ofKind('partition-table'), [...ofKind('merged'), ...addressed]];
  if (singles.some(isRepeated)) {
    return true;
  }
  const apps = ofKind('app');
  const tables = read.flatMap(({ part }) => (part.kind === 'partition-table' ? [part.table] : []));
  const names = new Set(apps.map(({ file }) => baseName(file.name)));
  const areParts = names.size === apps.length && tables.some((table) => hasLoader(table));
  return isRepeated(apps) && !areParts;
}

/** Returns true for a table with a factory app and slots for updates. */
function hasLoader({ partitions }: PartitionTable): boolean {
  const apps = partitions.filter(isApp);
  return apps.some(({ subtype }) => subtype === 0) && apps.some(({ subtype }) => subtype !== 0);
}

/** Names builds by what their folders do not have in common. */
function named<File extends DroppedFile>(builds: readonly FoundBuild<File>[]): readonly FoundBuild<File>[] {
  const names = shortNames(builds.map(({ name }) => name));
  return builds.map((build, index) => ({ ...build, name: names[index] ?? build.name }));
}
