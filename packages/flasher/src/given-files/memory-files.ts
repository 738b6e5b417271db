/**
 * Holds the files that may be written to chips whose bootloader writes to addresses: AVR, STM32, RP2040 and RP2350. A raw
 * binary has the address that it is given. Other formats contain their own addresses. The rules of each family are data.
 */
import type { FamilyId } from '@wirebench/boards';
import { baseName, offsetByName } from '../core/base-name.ts';
import { groupedBy } from '../core/grouped-by.ts';
import type { FlashRange } from '../core/region.ts';
import { memoryFileExtensions } from '../images/formats/file-extensions.ts';
import { isMemoryFile } from '../images/formats/memory-file.ts';
import { ImageError, imageFaultText, orNull } from '../images/image-error.ts';
import { sha256Of } from '../images/sha256.ts';
import type { ChosenFiles, FileFacts, FileId } from './chosen-files.ts';
import { overlappingBuilds } from './given-builds.ts';
import {
  type ChosenPlace,
  type FilesOfFamily,
  type LeftOut,
  type OpenedFile,
  type PlannableFiles,
  pathOf,
} from './given-files.ts';

/** A file that was read. */
interface ReadFile<Contents> {
  /** Without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contents: Contents;
  /** In the order of addresses. */
  readonly places: readonly FlashRange[];
}

/** Facts that a family finds in a file. */
type FoundFacts = Pick<FileFacts, 'what'> &
  Partial<Pick<FileFacts, 'size' | 'application' | 'chip' | 'python' | 'about' | 'prints'>>;

/** Rules of a family for its files. */
export interface MemoryFileRules<Contents extends { readonly format: string }, PlanFile extends object> {
  readonly family: FamilyId;
  /** First address of flash. A raw binary goes there unless a release or its name gives another address. */
  readonly start: number;
  /** File extensions besides `bin` and those of the formats with addresses. Missing: there are none. */
  readonly ownExtensions?: readonly string[];
  /** Reason for leaving out a file with another extension. */
  readonly otherNameText: string;
  /** Returns one format of each program, and adds the other files to `leftOut`. */
  readonly oneFormat: (opened: readonly OpenedFile[], leftOut: LeftOut[]) => readonly OpenedFile[];
  /**
   * Reads a file.
   *
   * @param name Name without folders.
   * @param address Address of a raw binary.
   * @throws ImageError of its format.
   */
  readonly read: (name: string, bytes: Uint8Array, address: number) => Contents;
  /** Returns the ranges of all data, in the order of addresses. */
  readonly placesOf: (contents: Contents, address: number) => readonly FlashRange[];
  /** Returns the ranges at which another file is an alternative to this one. Missing: all of its ranges. */
  readonly rangesOf?: (file: ReadFile<Contents>) => readonly FlashRange[];
  /** Returns the reason for leaving out a file; `null` for no reason, an empty text for a file that is not mentioned. */
  readonly refuse?: (contents: Contents) => string | null;
  readonly describe: (file: ReadFile<Contents>, address: number) => FoundFacts | Promise<FoundFacts>;
  /** @param offset Address of a raw binary. */
  readonly planFile: (file: ReadFile<Contents>, offset: number) => PlanFile;
}

interface KeptFile<Contents> extends ReadFile<Contents> {
  /** Name, or path within a folder or an archive. */
  readonly path: string;
  readonly facts: FileFacts;
}

const firmwareNames = (own: readonly string[] = []) =>
  new RegExp(`\\.(?:${['bin', ...own, ...memoryFileExtensions].join('|')})$`, 'i');

/** Names of firmware of every family. The folder or archive of a build contains other files as well. */
const firmware = firmwareNames();

class MemoryFiles<Contents extends { readonly format: string }, PlanFile extends object>
  implements PlannableFiles<PlanFile>
{
  readonly #rules: MemoryFileRules<Contents, PlanFile>;
  #files: readonly KeptFile<Contents>[] = [];
  #nextId = 1;

  constructor(rules: MemoryFileRules<Contents, PlanFile>) {
    this.#rules = rules;
  }

  /** Adds files. A file replaces an older one with its name. */
  async add(opened: readonly OpenedFile[], before: readonly LeftOut[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [...before];
    const single = this.#rules.oneFormat(opened, leftOut);
    const read = await Promise.all(single.map((file) => this.#read(file, leftOut)));
    const fresh = read.flatMap((file) =>
      file === null ? [] : [{ ...file, facts: { ...file.facts, id: this.#nextId++ } }],
    );
    const older = this.#files.filter(({ path }) => !fresh.some((file) => file.path === path));
    this.#files = [...older, ...fresh];
    return this.#chosen(leftOut);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ facts }) => !ids.includes(facts.id));
    return this.#chosen([]);
  }

  forPlan(places: readonly ChosenPlace[]): PlanFile[] {
    return places.flatMap(({ id, offset }) => {
      const file = this.#files.find(({ facts }) => facts.id === id);
      return file === undefined ? [] : [this.#rules.planFile(file, offset)];
    });
  }

  /** Returns the file, whose id is not set yet; null if it is left out. */
  async #read(file: OpenedFile, leftOut: LeftOut[]): Promise<KeptFile<Contents> | null> {
    const name = baseName(file.name);
    try {
      const read = readWith(this.#rules, file);
      const why = read === null ? this.#rules.otherNameText : (this.#rules.refuse?.(read.contents) ?? null);
      if (read === null || why !== null) {
        leftOut.push(...(why ? [{ name, why }] : []));
        return null;
      }
      return { ...read, path: file.name, facts: await factsOf(this.#rules, file, read) };
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      leftOut.push({ name, why: `${error.message} ${imageFaultText[error.code].remedy}` });
      return null;
    }
  }

  #chosen(leftOut: readonly LeftOut[]): ChosenFiles {
    const files = this.#files.map(({ facts }) => facts);
    return { files: files.toSorted((one, other) => (one.offset ?? 0) - (other.offset ?? 0)), leftOut, conflicts: [] };
  }
}

/** Reads a file; null for one that is no firmware by its name and contents. */
function readWith<Contents extends { readonly format: string }>(
  rules: MemoryFileRules<Contents, object>,
  file: OpenedFile,
): ReadFile<Contents> | null {
  const { bytes } = file;
  if (!firmwareNames(rules.ownExtensions).test(file.name) && !isMemoryFile(file.name, bytes)) {
    return null;
  }
  const name = baseName(file.name);
  const address = addressOf(rules, file);
  const contents = rules.read(name, bytes, address);
  return { name, bytes, contents, places: rules.placesOf(contents, address) };
}

async function factsOf<Contents extends { readonly format: string }>(
  rules: MemoryFileRules<Contents, object>,
  file: OpenedFile,
  read: ReadFile<Contents>,
): Promise<FileFacts> {
  const { places, contents, name } = read;
  const address = addressOf(rules, file);
  const hasOwn = contents.format !== 'bin';
  const { what, ...found } = await rules.describe(read, address);
  return {
    id: 0,
    name,
    from: file.from,
    size: places.reduce((sum, { length }) => sum + length, 0),
    what: `${what}${backupNote(name)}`,
    offset: places[0]?.offset ?? (hasOwn ? rules.start : address),
    why: hasOwn ? 'The file itself says so.' : whyHere(file.given, namedAddress(name, rules.start)),
    places: hasOwn ? places : null,
    application: null,
    ...found,
    ...(file.group !== null && { build: file.group }),
    sha256: await sha256Of(file.bytes),
  };
}

/** Returns the address of a raw binary: as prescribed, as its name says, or the start of flash. */
const addressOf = ({ start }: { readonly start: number }, { name, given }: OpenedFile): number =>
  given ?? namedAddress(name, start) ?? start;

/** Returns the address in the name of a file; null without one. A number below `start` is no address. */
function namedAddress(name: string, start: number): number | null {
  const named = offsetByName(name);
  return named !== null && named >= start ? named : null;
}

/**
 * Returns why a raw binary of a family without a partition table has its address.
 *
 * @param given Prescribed address; null without one.
 * @param named Address in the file's name; null without one.
 */
function whyHere(given: number | null, named: number | null): string {
  if (given !== null) {
    return 'The release puts it here.';
  }
  return named === null ? 'Flash begins here.' : 'The file name gives this address.';
}

/** Names of backups that hold nothing but bytes: with their time and contents, as `backupName` makes them. */
const plainBackups = /-\d{4}-\d{2}-\d{2}-\d{4}-(?:flash|region|sketch|eeprom)[-.]/;

/** Returns what cannot be checked of a backup that holds nothing but bytes; empty for other files. */
function backupNote(name: string): string {
  return plainBackups.test(baseName(name)) ? '. A backup that names no chip: not checked for this board' : '';
}

/** Returns how a family keeps its files, by its rules. */
export function memoryFiles<Contents extends { readonly format: string }, PlanFile extends object>(
  rules: MemoryFileRules<Contents, PlanFile>,
): FilesOfFamily<PlannableFiles<PlanFile>> {
  const { rangesOf = ({ places }) => places } = rules;
  return {
    family: rules.family,
    create: () => new MemoryFiles(rules),
    buildsAmong: (files) =>
      overlappingBuilds(files, (file) => {
        const read = orNull(() => readWith(rules, file));
        return read === null ? [] : rangesOf(read);
      }),
  };
}

/**
 * Leaves out other formats of a program in the folder or archive of a build.
 *
 * @param order Extensions of the formats, the one that says most about the program first.
 * @param leftOut Receives the others, with the reason.
 * @param part Names of files that are a part of each program already. They are left out, too. Missing: there are none.
 */
export function oneFormat(
  opened: readonly OpenedFile[],
  order: readonly string[],
  leftOut: LeftOut[],
  part: RegExp | null = null,
): readonly OpenedFile[] {
  const built = opened.filter(({ name, group }) => group !== null && firmware.test(name));
  const parts = built.filter(({ name }) => part?.test(name));
  const programs = built.filter((file) => !parts.includes(file));
  const stems = groupedBy(programs, (file) => pathOf(file).replace(/\.[^.]*$/, ''));
  const rank = ({ name }: OpenedFile) => {
    const place = order.indexOf(name.split('.').at(-1)?.toLowerCase() ?? '');
    return place < 0 ? order.length : place;
  };
  const twins = [...stems.values()].flatMap((same) => {
    const [first, ...others] = same.toSorted((one, other) => rank(one) - rank(other));
    return others.map((file) => ({ file, why: `It is the same program as ${baseName(first?.name ?? '')} beside it.` }));
  });
  const left = [...twins, ...parts.map((file) => ({ file, why: 'It is a part of each program already.' }))];
  leftOut.push(...left.map(({ file, why }) => ({ name: baseName(file.name), why })));
  return opened.filter((file) => !left.some((one) => one.file === file));
}
