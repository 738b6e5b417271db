/**
 * Holds the files that may be written to an AVR: sketches, and data for EEPROM. All formats but .bin contain their
 * addresses. EEPROM has addresses from `EEPROM_START` on.
 */

import { baseName, offsetByName } from '../core/index.ts';
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
import { ImageError, imageFaultText, isMemoryFile, memoryFileExtensions, orNull } from '../images/index.ts';
import { sha256Of } from '../images/sha256.ts';
import { type AvrFile, type AvrPlanFile, avrPlanFile, EEPROM_START, readAvrFile } from './index.ts';

interface KeptFile {
  readonly id: FileId;
  readonly name: string;
  readonly from: string;
  readonly contents: AvrFile;
  readonly sha256: string;
  /** Prescribed address, for example by a release; null for the start of flash. */
  readonly given: number | null;
  /** Folder or archive that it came in; null for a single file. */
  readonly build: string | null;
}

/** File extensions of firmware. The folder of a build contains other files as well. */
const firmware = new RegExp(`\\.(?:${['bin', 'eep', ...memoryFileExtensions].join('|')})$`, 'i');

const otherNameText = 'Only .hex, .eep, .elf, .bin and .srec files are written.';
const withBootloaderText =
  'It contains a bootloader besides the sketch, which a bootloader cannot write. The file without “with_bootloader” in its name is the sketch.';
const debugText = 'It is the same sketch as the .hex file beside it.';

export class AvrFiles {
  #files: readonly KeptFile[] = [];
  #nextId = 1;

  /** Adds files. A file replaces an older one with its name. The folder of a build gives its sketch. */
  async add(opened: readonly OpenedFile[], before: readonly LeftOut[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [...before];
    const sketches = withoutTwins(opened, leftOut);
    const fresh = (await Promise.all(sketches.map((file) => this.#keep(file, leftOut)))).flatMap((file) => file ?? []);
    const older = this.#files.filter(({ name }) => !fresh.some((file) => file.name === name));
    this.#files = [...older, ...fresh];
    return this.#chosen(leftOut);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ id }) => !ids.includes(id));
    return this.#chosen([]);
  }

  forPlan(places: readonly ChosenPlace[]): AvrPlanFile[] {
    return places.flatMap(({ id, offset }) => {
      const file = this.#files.find((kept) => kept.id === id);
      return file === undefined ? [] : [avrPlanFile(file.contents, baseName(file.name), offset)];
    });
  }

  async #keep({ name, from, bytes, given, group }: OpenedFile, leftOut: LeftOut[]): Promise<KeptFile | null> {
    if (!firmware.test(name) && !isMemoryFile(name, bytes)) {
      leftOut.push({ name: baseName(name), why: otherNameText });
      return null;
    }
    try {
      const contents = readAvrFile(bytes, baseName(name));
      // The Arduino tools write an .eep file for every sketch, and nearly all are empty.
      if (contents.isEeprom && contents.eeprom.length === 0) {
        return null;
      }
      if (contents.hasBootloader) {
        leftOut.push({ name: baseName(name), why: withBootloaderText });
        return null;
      }
      return { id: this.#nextId++, name, from, contents, sha256: await sha256Of(bytes), given, build: group };
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

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Leaves out the ELF file of a sketch whose .hex file is there. Both would be written to the same addresses. */
function withoutTwins(opened: readonly OpenedFile[], leftOut: LeftOut[]): readonly OpenedFile[] {
  const hexes = new Set(opened.filter(({ name }) => /\.hex$/i.test(name)).map(({ name }) => stemOf(name)));
  const isTwin = ({ name }: OpenedFile) => /\.elf$/i.test(name) && hexes.has(stemOf(name));
  leftOut.push(...opened.filter(isTwin).map(({ name }) => ({ name: baseName(name), why: debugText })));
  return opened.filter((file) => !isTwin(file));
}

/** Returns the addresses of a sketch in flash; none for data of EEPROM, and for a file that is not written. */
function rangesOf({ name, bytes }: OpenedFile) {
  const isFirmware = firmware.test(name) || isMemoryFile(name, bytes);
  const contents = isFirmware ? orNull(() => readAvrFile(bytes, baseName(name))) : null;
  const isSketch = contents !== null && !contents.hasBootloader && !contents.isEeprom;
  return isSketch ? contents.segments.map((one) => ({ offset: one.address, length: one.bytes.length })) : [];
}

export const avrFiles: FilesOfFamily<AvrFiles> = {
  family: 'avr',
  create: () => new AvrFiles(),
  buildsAmong: (files) => overlappingBuilds(files, rangesOf),
};

function factsOf({ id, name, from, contents, sha256, given, build }: KeptFile): FileFacts {
  const places = [
    ...contents.segments.map(({ address, bytes }) => ({ offset: address, length: bytes.length })),
    ...contents.eeprom.map(({ address, bytes }) => ({ offset: EEPROM_START + address, length: bytes.length })),
  ];
  const hasOwn = contents.format !== 'bin';
  return {
    id,
    name: baseName(name),
    from,
    size: places.reduce((sum, { length }) => sum + length, 0),
    what: `${whatIs(contents)}${backupNote(name)}`,
    offset: hasOwn ? (places[0]?.offset ?? 0) : (given ?? offsetByName(name) ?? 0),
    why: hasOwn ? 'The file itself says so.' : whyHere(given, offsetByName(name)),
    places: hasOwn ? places : null,
    application: null,
    ...(build !== null && { build }),
    sha256,
  };
}

/** Describes a file: `Intel HEX, sketch`, `Intel HEX, EEPROM data`, `ELF, sketch and EEPROM data`. */
function whatIs({ formatName, segments, eeprom }: AvrFile): string {
  const parts = [...(segments.length > 0 ? ['sketch'] : []), ...(eeprom.length > 0 ? ['EEPROM data'] : [])];
  return `${formatName}, ${parts.join(' and ')}`;
}
