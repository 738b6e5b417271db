/**
 * Reads a file for an AVR: a program (Intel HEX, ELF, raw binary and the other formats with addresses), or contents of
 * EEPROM (`.eep`). A build of the Arduino IDE also leaves files with a bootloader, which only a programmer can write.
 */
import { readElf } from '../../images/formats/elf.ts';
import { type MemoryFile, readMemoryFile } from '../../images/formats/memory-file.ts';
import { ImageError } from '../../images/image-error.ts';
import { isWithBootloader } from '../../images/sketch-name.ts';
import { avrChips } from '../parts/model.ts';
import { type AvrContents, splitByMemory } from './avr-memory.ts';

export interface AvrFile extends AvrContents, Pick<MemoryFile, 'format' | 'formatName'> {
  /** True: a file for EEPROM, by its name. Without data for EEPROM, an Arduino build leaves an empty one. */
  readonly isEeprom: boolean;
  /** True: a build's file that contains a bootloader, by its name. */
  readonly hasBootloader: boolean;
  /** False: an ELF file for another processor. */
  readonly isForAvr: boolean;
}

/**
 * Reads a file of any format.
 *
 * @param name A name that ends in `.eep` makes addresses those of EEPROM.
 * @throws ImageError of the format's reader.
 */
export function readAvrFile(bytes: Uint8Array, name: string): AvrFile {
  const isEeprom = /\.eep$/i.test(name);
  const { format, formatName, segments } = isEeprom ? readOrEmpty(bytes, name) : readFile(bytes, name);
  const split = splitByMemory(segments);
  const contents = isEeprom && split.eeprom.length === 0 ? { ...split, segments: [], eeprom: split.segments } : split;
  return {
    ...contents,
    format,
    formatName,
    isEeprom,
    hasBootloader: isWithBootloader(name),
    isForAvr: format !== 'elf' || readElf(bytes).machine === 'avr',
  };
}

type FileParts = Pick<MemoryFile, 'format' | 'formatName' | 'segments'>;

function readFile(bytes: Uint8Array, name: string): FileParts {
  return readMemoryFile(bytes, 0, { own: avrChips, name });
}

/** Reads a file that may have no data. */
function readOrEmpty(bytes: Uint8Array, name: string): FileParts {
  try {
    return readFile(bytes, name);
  } catch (error) {
    if (error instanceof ImageError && error.code === 'nothing-to-load') {
      return { format: 'intel-hex', formatName: 'Intel HEX', segments: [] };
    }
    throw error;
  }
}
