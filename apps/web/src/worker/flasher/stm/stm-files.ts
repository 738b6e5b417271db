/**
 * Holds the files that may be written to an STM32, as data at addresses. A .bin has the address that it is given.
 * Intel HEX, ELF and other formats contain their own addresses.
 */
import { baseName } from '@wirebench/flasher/core';
import {
  ImageError,
  imageFaultText,
  isBlank,
  isMemoryFile,
  type MemoryFile,
  memoryFileExtensions,
  notFirmware,
  notFirmwareText,
  notFirmwareTitle,
  readMemoryFile,
  usualExtensions,
  vectorTableOf,
} from '@wirebench/flasher/images';
import { type StmPlanFile, stmChips, stmFlashStart } from '@wirebench/flasher/stm32';
import type { ChosenFiles, FileFacts, FileId, GivenFile } from '../../../protocol/flash-protocol.ts';
import { sha256Of } from '../../../shared/files/sha256.ts';
import { type ChosenPlace, type LeftOut, type OpenedFile, openedFiles, withinLimit } from '../given-files.ts';

interface KeptFile {
  readonly id: FileId;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly memory: MemoryFile;
  readonly sha256: string;
  /** Prescribed address, for example by a release; null for the start of flash. */
  readonly given: number | null;
}

/** File extensions of firmware. The folder or archive of a build contains other files as well. */
const firmware = new RegExp(`\\.(?:${['bin', ...memoryFileExtensions].join('|')})$`, 'i');

const dotted = ['bin', ...usualExtensions].map((extension) => `.${extension}`);
/** Reason for leaving out a file with another name. */
const otherNameText = `Only ${dotted.slice(0, -1).join(', ')} and ${dotted.at(-1)} files are written.`;

export class StmFiles {
  #files: readonly KeptFile[] = [];
  #nextId = 1;
  readonly #limit: number;

  /** @param limit Maximum number of files. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds files. A file replaces an older one with its name. */
  async add(given: readonly GivenFile[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [];
    const opened = (await Promise.all(given.map((file) => openedFiles(file, leftOut)))).flat();
    const fresh = (await Promise.all(opened.map((file) => this.#keep(file, leftOut)))).flatMap((file) => file ?? []);
    const older = this.#files.filter(({ name }) => !fresh.some((file) => file.name === name));
    const { taken, tooMany } = withinLimit([...older, ...fresh], this.#limit);
    this.#files = taken;
    return this.#chosen([...leftOut, ...tooMany]);
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

  async #keep({ name, bytes, given }: OpenedFile, leftOut: LeftOut[]): Promise<KeptFile | null> {
    if (!firmware.test(name) && !isMemoryFile(name, bytes)) {
      leftOut.push({ name: baseName(name), why: otherNameText });
      return null;
    }
    try {
      const memory = readFile(name, bytes, given ?? stmFlashStart);
      const not = memory.format === 'elf' ? notFirmware(bytes, 'stm32') : null;
      if (not !== null && not.contents !== 'elf') {
        const { what, remedy } = notFirmwareText(not);
        leftOut.push({ name: baseName(name), why: `${what} ${remedy}` });
        return null;
      }
      return { id: this.#nextId++, name, bytes, memory, sha256: await sha256Of(bytes), given };
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

function factsOf({ id, name, memory, sha256, given }: KeptFile): FileFacts {
  const { format, segments } = memory;
  const places = segments.map((segment) => ({ offset: segment.address, length: segment.bytes.length }));
  const hasOwn = format !== 'bin';
  return {
    id,
    name: baseName(name),
    size: places.reduce((sum, { length }) => sum + length, 0),
    what: whatIs(memory),
    offset: places[0]?.offset ?? given ?? stmFlashStart,
    why: hasOwn ? 'The file itself says so.' : given === null ? 'Flash begins here.' : 'The release puts it here.',
    places: hasOwn ? places : null,
    application: null,
    sha256,
  };
}

/** Describes a file: `Intel HEX, program, 2 pieces`, `UF2, program for STM32F4, without the part for RP2040`. */
function whatIs({ format, formatName, segments, target, others }: MemoryFile): string {
  const [first] = segments;
  const not = format === 'bin' && first !== undefined ? notFirmware(first.bytes, 'stm32') : null;
  if (not !== null && !isBlank(not.contents)) {
    return notFirmwareTitle(not);
  }
  const isProgram = segments.some((segment) => vectorTableOf(segment.bytes) !== null);
  const whose = target === null ? '' : ` for ${target}`;
  const pieces = segments.length > 1 ? `, ${segments.length} pieces` : '';
  const without = others.map(({ name }) => `, without the part for ${name}`).join('');
  return `${formatName}, ${isProgram ? 'program' : 'data'}${whose}${pieces}${without}`;
}
