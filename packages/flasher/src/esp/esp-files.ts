/**
 * Holds the files that may be written, with their bytes, so that the page does not. All files are placed again when
 * one is added or removed, because one file can determine the place of another.
 */

import { baseName } from '../core/index.ts';
import type { ChosenFiles, FileFacts, FileId, GivenFile } from '../given-files/chosen-files.ts';
import {
  type ChosenPlace,
  type FilesOfFamily,
  type LeftOut,
  type OpenedFile,
  pathOf,
} from '../given-files/given-files.ts';
import { printedStartOf } from '../images/printed-start.ts';
import { sha256Of } from '../images/sha256.ts';
import {
  appName,
  besidesReason,
  buildsAmong,
  chipFacts,
  chipOfPart,
  type DroppedFile,
  type EspPlanFile,
  espWholeness,
  expandFiles,
  listKindOf,
  type PlacedFile,
  type Placement,
  placeFiles,
  pythonOf,
} from './index.ts';

interface KeptFile extends DroppedFile {
  readonly id: FileId;
  /** Name of the given file: this file itself, the archive that it is in, or the file that it is a piece of. */
  readonly from: string;
  /** Name of the opened file: this file itself, or the file that it is a piece of. */
  readonly source: string;
  /** Folder, archive or list that it came in, or the file that it is a piece of; null for a single file. */
  readonly build: string | null;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Prescribed offset, for example by a release; null if it is derived. */
  readonly given: number | null;
  /** Null: no interpreter of Python. Found once, because a merged image has to be parsed for it. */
  readonly python: ReturnType<typeof pythonOf>;
}

/** A file that is not examined yet, because most files of a build's folder are not kept. */
type FreshFile = Omit<KeptFile, 'id' | 'sha256' | 'python'>;
type PlacedFresh = Omit<KeptFile, 'id' | 'sha256'>;

/** Number of bytes that suffice to recognise why a file is not flashed. */
const BEGINNING = 4_096;

export class EspFiles {
  #files: readonly KeptFile[] = [];
  /** The build's own list of files and their offsets. */
  #list: (DroppedFile & { readonly from: string }) | null = null;
  #nextId = 1;

  /** Adds files. A file replaces an older one with its name. */
  async add(opened: readonly OpenedFile[], before: readonly LeftOut[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [...before];
    const added = !opened.some(({ name }) => listKindOf(name) !== null);
    const fresh = opened.flatMap((file) => this.#pieces(file, added, leftOut));
    const older = this.#files.filter((file) => !fresh.some((other) => replaces(other, file, this.#files)));
    const placement = placeFiles([...older, ...fresh, ...this.#lists]);
    const all: readonly (KeptFile | FreshFile)[] = [...older, ...fresh];
    const found = placement.files.flatMap((placed) => {
      const file = all.find(({ bytes }) => bytes === placed.bytes);
      if (file === undefined) {
        return [];
      }
      const python = 'python' in file ? file.python : pythonOf(placed.bytes, placed.part);
      return [{ ...file, python, offset: file.given ?? placed.offset }];
    });
    const { once, twice } = withoutDoubles(found);
    this.#files = await Promise.all(once.map(({ offset: _, ...file }) => this.#keep(file)));
    this.#list = [...fresh, ...this.#lists].find(({ name }) => name === placement.list) ?? null;
    const notUsed = placement.leftOut.map(({ name, why }) => ({ name: baseName(name), why }));
    return this.#chosen(placement, [...leftOut, ...notUsed, ...twice]);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ id }) => !ids.includes(id));
    if (this.#files.length === 0) {
      this.#list = null;
    }
    return this.#chosen(placeFiles([...this.#files, ...this.#lists]), []);
  }

  /** Returns the files of a plan. Files that were removed since are left out. */
  forPlan(files: readonly ChosenPlace[]): EspPlanFile[] {
    return files.flatMap(({ id, offset }) => {
      const file = this.#files.find((kept) => kept.id === id);
      return file === undefined ? [] : [{ name: baseName(file.name), offset, bytes: file.bytes }];
    });
  }

  get #lists() {
    return this.#list === null ? [] : [this.#list];
  }

  /** Expands a file that contains addresses into one file for each of them. Other files stay as they are. */
  #pieces({ name: source, from, bytes, given, group }: OpenedFile, added: boolean, unreadable: LeftOut[]): FreshFile[] {
    const expanded = expandFiles([{ name: source, bytes }]);
    unreadable.push(
      ...expanded.unreadable.map(({ name, reason, remedy }) => ({ name: baseName(name), why: `${reason} ${remedy}` })),
    );
    unreadable.push(...expanded.leftOut.map(({ name, why }) => ({ name: baseName(name), why })));
    // A piece of a file with addresses goes where the file says, not where its first byte is to go.
    return expanded.files.map((file) => {
      const build = group ?? (file.name === source ? null : baseName(source));
      return { ...file, from, source, build, given: file.bytes === bytes ? given : null, added };
    });
  }

  async #keep(file: KeptFile | PlacedFresh): Promise<KeptFile> {
    return 'id' in file ? file : { ...file, id: this.#nextId++, sha256: await sha256Of(file.bytes) };
  }

  #chosen({ files, conflicts }: Placement, leftOut: readonly LeftOut[]): ChosenFiles {
    return {
      files: files.flatMap((placed) => {
        const kept = this.#files.find(({ bytes }) => bytes === placed.bytes);
        return kept === undefined ? [] : [factsOf(kept, placed)];
      }),
      leftOut,
      ...(this.#list !== null && { list: this.#list.from }),
      // Overlaps are omitted: the page finds them itself after each typed offset. Missing files stay, as a warning,
      // because they may still be added.
      conflicts: conflicts
        .filter(({ code }) => code !== 'overlap' && code !== 'same-place')
        .map((one) => (one.code === 'listed-file-open' ? { ...one, stops: true } : one)),
    };
  }
}

export const espFiles: FilesOfFamily<EspFiles> = {
  family: 'esp',
  create: () => new EspFiles(),
  shorten: asNeeded,
  wholenessOf: espWholeness,
  // Archives may have been given side by side, so their names belong to the paths.
  buildsAmong: (files) =>
    buildsAmong(files.map((file) => ({ name: pathOf(file), bytes: file.bytes, file }))).map(
      ({ name, chip, files: own }) => ({
        name,
        chip: chip === null ? null : chipFacts[chip].label,
        // A manifest of several builds was reduced to one of them.
        files: own.map(({ file, bytes }) => ({ ...file, bytes })),
      }),
    ),
};

/** Shortens a file that is not flashed to its beginning, which shows the reason. Symbols and objects have megabytes. */
function asNeeded(file: GivenFile): GivenFile {
  const isBeside = listKindOf(file.name) === null && besidesReason(file.name) !== null;
  return isBeside ? { ...file, content: file.content.slice(0, BEGINNING) } : file;
}

/**
 * Returns true if `fresh` is the same file again, from the same folder or by itself. By itself, it replaces only a
 * file with a unique name.
 */
function replaces(fresh: FreshFile, old: KeptFile, all: readonly KeptFile[]): boolean {
  const isOnly = all.filter(({ name }) => baseName(name) === fresh.name).length === 1;
  return fresh.name === old.name || fresh.source === old.source || (isOnly && baseName(old.name) === fresh.name);
}

/** Separates files that would write the same bytes to the same place a second time. */
function withoutDoubles<File extends DroppedFile & { readonly offset: number | null }>(files: readonly File[]) {
  const once: File[] = [];
  const twice: LeftOut[] = [];
  for (const file of files) {
    const double = once.find(({ offset, bytes }) => offset === file.offset && isSame(bytes, file.bytes));
    if (double === undefined) {
      once.push(file);
    } else {
      twice.push({ name: baseName(file.name), why: `It is the same as ${baseName(double.name)}.` });
    }
  }
  return { once, twice };
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

function factsOf({ id, name, from, bytes, sha256, given, build, python }: KeptFile, placed: PlacedFile): FileFacts {
  const prints = printedStartOf(bytes);
  const chip = chipOfPart(placed.part);
  return {
    id,
    name: baseName(name),
    from,
    size: bytes.length,
    what: placed.what,
    offset: given ?? placed.offset,
    why: given === null ? placed.why : 'The release puts it here.',
    places: null,
    application: applicationOf(placed),
    ...(chip !== null && { chip: chipFacts[chip].label }),
    ...(build !== null && { build }),
    ...(python !== null && { python }),
    ...(prints !== null && { prints }),
    sha256,
  };
}

/** Returns name and version of an application: `weather-node 1.4.0`; null if the file does not contain them. */
function applicationOf({ part }: PlacedFile): string | null {
  if (part.kind !== 'app' || part.description === null) {
    return null;
  }
  const name = appName(part.description);
  return name === '' ? null : name;
}
