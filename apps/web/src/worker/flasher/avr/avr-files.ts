/**
 * Holds the files that may be written to an AVR: sketches, and data for EEPROM. All formats but .bin contain their
 * addresses. EEPROM has addresses from `EEPROM_START` on.
 */
import { type AvrFile, type AvrPlanFile, avrPlanFile, readAvrFile } from '@wirebench/flasher/avr';
import { baseName } from '@wirebench/flasher/core';
import { ImageError, imageFaultText, isMemoryFile, memoryFileExtensions } from '@wirebench/flasher/images';
import { EEPROM_START } from '../../../protocol/avr-types.ts';
import type { ChosenFiles, FileFacts, FileId, GivenFile } from '../../../protocol/flash-protocol.ts';
import { sha256Of } from '../../../shared/files/sha256.ts';
import { type ChosenPlace, type LeftOut, type OpenedFile, openedFiles, withinLimit } from '../given-files.ts';

interface KeptFile {
  readonly id: FileId;
  readonly name: string;
  readonly contents: AvrFile;
  readonly sha256: string;
  /** Prescribed address, for example by a release; null for the start of flash. */
  readonly given: number | null;
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
  readonly #limit: number;

  /** @param limit Maximum number of files. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds files. A file replaces an older one with its name. The folder of a build gives its sketch. */
  async add(given: readonly GivenFile[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [];
    const opened = (await Promise.all(given.map((file) => openedFiles(file, leftOut)))).flat();
    const sketches = withoutTwins(opened, leftOut);
    const fresh = (await Promise.all(sketches.map((file) => this.#keep(file, leftOut)))).flatMap((file) => file ?? []);
    const older = this.#files.filter(({ name }) => !fresh.some((file) => file.name === name));
    const { taken, tooMany } = withinLimit([...older, ...fresh], this.#limit);
    this.#files = taken;
    return this.#chosen([...leftOut, ...tooMany]);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ id }) => !ids.includes(id));
    return this.#chosen([]);
  }

  /**
   * Returns the files of a plan. Files that were removed since are left out.
   *
   * @param withEeprom False: data for EEPROM is left out, and so are files that hold nothing else.
   */
  forPlan(places: readonly ChosenPlace[], withEeprom: boolean): AvrPlanFile[] {
    return places.flatMap(({ id, offset }) => {
      const file = this.#files.find((kept) => kept.id === id);
      if (file === undefined || (!withEeprom && file.contents.segments.length === 0)) {
        return [];
      }
      const planned = avrPlanFile(file.contents, baseName(file.name), offset);
      return [withEeprom ? planned : { ...planned, eeprom: [] }];
    });
  }

  async #keep({ name, bytes, given }: OpenedFile, leftOut: LeftOut[]): Promise<KeptFile | null> {
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
      return { id: this.#nextId++, name, contents, sha256: await sha256Of(bytes), given };
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

function factsOf({ id, name, contents, sha256, given }: KeptFile): FileFacts {
  const places = [
    ...contents.segments.map(({ address, bytes }) => ({ offset: address, length: bytes.length })),
    ...contents.eeprom.map(({ address, bytes }) => ({ offset: EEPROM_START + address, length: bytes.length })),
  ];
  const hasOwn = contents.format !== 'bin';
  return {
    id,
    name: baseName(name),
    size: places.reduce((sum, { length }) => sum + length, 0),
    what: whatIs(contents),
    offset: hasOwn ? (places[0]?.offset ?? 0) : (given ?? 0),
    why: hasOwn ? 'The file itself says so.' : given === null ? 'Flash begins here.' : 'The release puts it here.',
    places: hasOwn ? places : null,
    application: null,
    sha256,
  };
}

/** Describes a file: `Intel HEX, sketch`, `Intel HEX, EEPROM data`, `ELF, sketch and EEPROM data`. */
function whatIs({ formatName, segments, eeprom }: AvrFile): string {
  const parts = [...(segments.length > 0 ? ['sketch'] : []), ...(eeprom.length > 0 ? ['EEPROM data'] : [])];
  return `${formatName}, ${parts.join(' and ')}`;
}
