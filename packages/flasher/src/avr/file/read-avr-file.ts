/**
 * Reads a file for an AVR: a program (Intel HEX, ELF, raw binary and the other formats with addresses), or contents of
 * EEPROM (`.eep`). A build of the Arduino IDE also leaves files with a bootloader, which only a programmer can write.
 */
import { readElf } from '../../images/formats/elf.ts';
import { type MemoryFile, readMemoryFile } from '../../images/formats/memory-file.ts';
import { avrChips } from '../parts/model.ts';
import { type AvrContents, splitByMemory } from './avr-memory.ts';

export interface AvrFile extends AvrContents, Pick<MemoryFile, 'format' | 'formatName'> {
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
  const { format, formatName, segments } = readMemoryFile(bytes, 0, { own: avrChips, name });
  const isEeprom = /\.eep$/i.test(name);
  const split = splitByMemory(segments);
  const contents = isEeprom && split.eeprom.length === 0 ? { ...split, segments: [], eeprom: split.segments } : split;
  return {
    ...contents,
    format,
    formatName,
    hasBootloader: isWithBootloader(name),
    isForAvr: format !== 'elf' || readElf(bytes).machine === 'avr',
  };
}

/** Returns true for the second file of an Arduino build: `Blink.ino.with_bootloader.hex`. */
function isWithBootloader(name: string): boolean {
  return /\.with_bootloader\.[^./\\]+$/i.test(name);
}
