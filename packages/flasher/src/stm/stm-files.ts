/**
 * Holds the files that may be written to an STM32, as data at addresses. A .bin has the address that it is given.
 * Intel HEX, ELF and other formats contain their own addresses.
 */

import { baseName } from '../core/index.ts';
import type { ChosenFiles, FileFacts, FileId } from '../given-files/chosen-files.ts';
import { overlappingBuilds } from '../given-files/given-builds.ts';
import {
  backupNote,
  type ChosenPlace,
  type FilesOfFamily,
  type LeftOut,
  type OpenedFile,
  whyHere,
} from '../given-files/given-files.ts';
import { namedAddress, withoutTwins } from '../given-files/one-format.ts';
import {
  ImageError,
  imageFaultText,
  isBlank,
  isMemoryFile,
  type MemoryFile,
  memoryFileExtensions,
  notFirmware,
  notFirmwareTitle,
  orNull,
  readMemoryFile,
  usualExtensions,
  vectorTableOf,
} from '../images/index.ts';
import { printedStartOf } from '../images/printed-start.ts';
import { sha256Of } from '../images/sha256.ts';
import { type StmPlanFile, stmChips, stmFlashStart } from './index.ts';

interface KeptFile {
  readonly id: FileId;
  readonly name: string;
  readonly from: string;
  readonly bytes: Uint8Array;
  readonly memory: MemoryFile;
  readonly sha256: string;
  /** Prescribed address, for example by a release; null for the start of flash. */
  readonly given: number | null;
  /** Folder or archive that it came in; null for a single file. */
  readonly build: string | null;
}

/** File extensions of firmware. The folder or archive of a build contains other files as well. */
const firmware = new RegExp(`\\.(?:${['bin', ...memoryFileExtensions].join('|')})$`, 'i');

const dotted = ['bin', ...usualExtensions].map((extension) => `.${extension}`);
/** Reason for leaving out a file with another name. */
const otherNameText = `Only ${dotted.slice(0, -1).join(', ')} and ${dotted.at(-1)} files are written.`;

export class StmFiles {
  #files: readonly KeptFile[] = [];
  #nextId = 1;

  /** Adds files. A file replaces an older one with its name. */
  async add(opened: readonly OpenedFile[], before: readonly LeftOut[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [...before];
    const built = opened.filter(({ name, group }) => group !== null && firmware.test(name));
    const single = withoutTwins(opened, built, formatOrder, leftOut);
    const fresh = (await Promise.all(single.map((file) => this.#keep(file, leftOut)))).flatMap((file) => file ?? []);
    const older = this.#files.filter(({ name }) => !fresh.some((file) => file.name === name));
    this.#files = [...older, ...fresh];
    return this.#chosen(leftOut);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ id }) => !ids.includes(id));
    return this.#chosen([]);
  }

  /** Returns the files of a plan. Files that were removed since are left out. */
  forPlan(places: readonly ChosenPlace[]): StmPlanFile[] {
    return places.flatMap(({ id, offset }) => {
      const file = this.#files.find((kept) => kept.id === id);
      if (file === undefined) {
        return [];
      }
      const memory = file.memory.format === 'bin' ? readFile(file.name, file.bytes, offset) : file.memory;
      const { segments, target, device, others } = memory;
      return [{ name: baseName(file.name), segments, target, device, others }];
    });
  }

  async #keep({ name, from, bytes, given, group }: OpenedFile, leftOut: LeftOut[]): Promise<KeptFile | null> {
    if (!firmware.test(name) && !isMemoryFile(name, bytes)) {
      leftOut.push({ name: baseName(name), why: otherNameText });
      return null;
    }
    try {
      const memory = readFile(name, bytes, addressOf({ name, given }));
      return { id: this.#nextId++, name, from, bytes, memory, sha256: await sha256Of(bytes), given, build: group };
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      leftOut.push({ name: baseName(name), why: `${error.message} ${imageFaultText[error.code].remedy}` });
      return null;
    }
  }

  #chosen(leftOut: readonly LeftOut[]): ChosenFiles {
    const files = this.#files.map(factsOf);
    return { files: files.toSorted((one, other) => (one.offset ?? 0) - (other.offset ?? 0)), leftOut, conflicts: [] };
  }
}

const readFile = (name: string, bytes: Uint8Array, address: number) =>
  readMemoryFile(bytes, address, { name: baseName(name), own: stmChips });

/** Formats of one program, the one that says most about it first. */
const formatOrder: readonly string[] = [...usualExtensions, 'bin'];

/** Returns the addresses of a file; none for a file that is not written. */
function rangesOf({ name, bytes, given }: OpenedFile) {
  if (!firmware.test(name) && !isMemoryFile(name, bytes)) {
    return [];
  }
  const { segments } = orNull(() => readFile(name, bytes, addressOf({ name, given }))) ?? { segments: [] };
  return segments.map((segment) => ({ offset: segment.address, length: segment.bytes.length }));
}

export const stmFiles: FilesOfFamily<StmFiles> = {
  family: 'stm',
  create: () => new StmFiles(),
  buildsAmong: (files) => overlappingBuilds(files, rangesOf),
};

/** Returns the address of a raw binary: as prescribed, as its name says, or the start of flash. */
const addressOf = ({ name, given }: Pick<KeptFile, 'name' | 'given'>): number =>
  given ?? namedAddress(name, stmFlashStart) ?? stmFlashStart;

function factsOf({ id, name, from, memory, sha256, given, build }: KeptFile): FileFacts {
  const { format, segments } = memory;
  const places = segments.map((segment) => ({ offset: segment.address, length: segment.bytes.length }));
  const hasOwn = format !== 'bin';
  const prints = printedStartOf(...segments.map((segment) => segment.bytes));
  return {
    id,
    name: baseName(name),
    from,
    size: places.reduce((sum, { length }) => sum + length, 0),
    what: `${whatIs(memory)}${backupNote(name)}`,
    offset: places[0]?.offset ?? addressOf({ name, given }),
    why: hasOwn ? 'The file itself says so.' : whyHere(given, namedAddress(name, stmFlashStart)),
    places: hasOwn ? places : null,
    application: null,
    ...(build !== null && { build }),
    ...(prints !== null && { prints }),
    sha256,
  };
}

/** Describes a file: `Intel HEX, program, 2 pieces`, `UF2, program for STM32F4, without the part for RP2040`. */
function whatIs({ format, formatName, segments, target, others }: MemoryFile): string {
  const [first] = segments;
  const not = format === 'bin' && first !== undefined ? notFirmware(first.bytes, 'stm') : null;
  if (not !== null && !isBlank(not.contents)) {
    return notFirmwareTitle(not);
  }
  const isProgram = segments.some((segment) => vectorTableOf(segment.bytes) !== null);
  const whose = target === null ? '' : ` for ${target}`;
  const pieces = segments.length > 1 ? `, ${segments.length} pieces` : '';
  const without = others.map(({ name }) => `, without the part for ${name}`).join('');
  return `${formatName}, ${isProgram ? 'program' : 'data'}${whose}${pieces}${without}`;
}
