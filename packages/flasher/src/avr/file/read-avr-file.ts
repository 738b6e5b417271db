/**
 * Reads a file for an AVR: a program (Intel HEX, ELF, raw binary and the other formats with addresses), or contents of
 * EEPROM (`.eep`). A build of the Arduino IDE also leaves files with a bootloader, which only a programmer can write.
 */

import { sizeText } from '../../core/bytes.ts';
import { overlapOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { foreignElf } from '../../images/contents/not-firmware.ts';
import { type MemoryFile, readMemoryFile } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { ImageError } from '../../images/image-error.ts';
import { isWithBootloader } from '../../images/sketch-name.ts';
import { avrChips } from '../parts/model.ts';

/**
 * Address ranges in files for AVR. The linker places each memory at its own offset (avr-libc, "Memory Sections";
 * binutils, `avr.em`): flash from 0, then data memory, EEPROM, fuses, lock bits, signature, user signatures.
 */

type AvrMemory = 'flash' | 'data' | 'eeprom' | 'fuse' | 'lock' | 'signature' | 'user-signature';

const SPACE = 0x1_0000;

const memories: readonly (FlashRange & { readonly memory: AvrMemory; readonly name: string })[] = [
  { memory: 'flash', name: 'flash', offset: 0, length: 0x80_0000 },
  { memory: 'data', name: 'data memory', offset: 0x80_0000, length: SPACE },
  { memory: 'eeprom', name: 'EEPROM', offset: 0x81_0000, length: SPACE },
  { memory: 'fuse', name: 'fuses', offset: 0x82_0000, length: SPACE },
  { memory: 'lock', name: 'lock bits', offset: 0x83_0000, length: SPACE },
  { memory: 'signature', name: 'the signature', offset: 0x84_0000, length: SPACE },
  { memory: 'user-signature', name: 'user signatures', offset: 0x85_0000, length: SPACE },
];

/** Part of a file that is never written. */
interface AvrLeftOut {
  readonly memory: AvrMemory | 'unknown';
  /** Description in words: `3 bytes of fuses`. */
  readonly name: string;
}

interface AvrContents {
  /** Flash, from address 0. */
  readonly segments: readonly MemorySegment[];
  /** EEPROM, with addresses from its start. */
  readonly eeprom: readonly MemorySegment[];
  readonly leftOut: readonly AvrLeftOut[];
}

/** Splits segments of a file by memory. */
function splitByMemory(all: readonly MemorySegment[]): AvrContents {
  const segments: MemorySegment[] = [];
  const eeprom: MemorySegment[] = [];
  const leftOut: AvrLeftOut[] = [];
  for (const { address, bytes } of all) {
    let known = 0;
    for (const { memory, name, ...range } of memories) {
      const part = overlapOf(range, { offset: address, length: bytes.length });
      if (part === null) {
        continue;
      }
      known += part.length;
      const start = part.offset - address;
      const piece = bytes.subarray(start, start + part.length);
      if (memory === 'flash') {
        segments.push({ address: part.offset, bytes: piece });
      } else if (memory === 'eeprom') {
        eeprom.push({ address: part.offset - range.offset, bytes: piece });
      } else {
        leftOut.push({ memory, name: `${sizeText(part.length)} of ${name}` });
      }
    }
    if (known < bytes.length) {
      leftOut.push({ memory: 'unknown', name: `${sizeText(bytes.length - known)} for no memory of an AVR` });
    }
  }
  return { segments, eeprom, leftOut };
}

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
    isForAvr: foreignElf(bytes, 'avr') === null,
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
