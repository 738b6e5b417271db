/**
 * Address ranges in files for AVR. The linker places each memory at its own offset (avr-libc, "Memory Sections";
 * binutils, `avr.em`): flash from 0, then data memory, EEPROM, fuses, lock bits, signature, user signatures.
 */
import { sizeText } from '../../core/bytes.ts';
import { overlapOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';

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

export interface AvrContents {
  /** Flash, from address 0. */
  readonly segments: readonly MemorySegment[];
  /** EEPROM, with addresses from its start. */
  readonly eeprom: readonly MemorySegment[];
  readonly leftOut: readonly AvrLeftOut[];
}

/** Splits segments of a file by memory. */
export function splitByMemory(all: readonly MemorySegment[]): AvrContents {
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
