/**
 * Judges whether a file is complete while a build may still be writing it. A format with a length, an end or a hash
 * proves it. A raw binary proves nothing by itself, and is compared with the ELF file that it is made from.
 */

import { givenText } from '@wirebench/port/given-text';
import { readDfuSuffix } from './formats/dfu-suffix.ts';
import { readElf } from './formats/elf.ts';
import { memoryFormatNamed } from './formats/file-extensions.ts';
import { formatOf, isMemoryFormat } from './formats/formats.ts';
import { readNestedZip } from './formats/zip.ts';
import { ImageError, orNull } from './image-error.ts';

/**
 * `torn`: a part is missing or damaged, so the build has not finished. `stale`: made from another ELF file than the one
 * beside it. `unproven`: nothing in the file or beside it says whether it is complete.
 */
export type Wholeness = 'whole' | 'torn' | 'stale' | 'unproven';

/**
 * Largest distance of a section that a raw binary contains, in bytes. Linkers place option bytes and backup memory
 * further away, and builds leave these out of the binary.
 */
const farAway = 64 * 1_048_576;

/**
 * Judges a file of any family but Espressif's own images.
 *
 * @param program The ELF file beside a raw binary; null without one.
 */
export function wholenessOf(name: string, bytes: Uint8Array, program: Uint8Array | null): Wholeness {
  const format = formatOf(bytes);
  if (bytes.length === 0 || (format === null && memoryFormatNamed(name) !== null)) {
    return 'torn';
  }
  if (/\.json$/i.test(name)) {
    return isRead(() => JSON.parse(givenText(bytes)));
  }
  switch (format?.kind) {
    case 'zip':
      return isRead(() => readNestedZip(bytes));
    case 'dfu':
      return isRead(() => readDfuSuffix(bytes));
    default:
      return isMemoryFormat(format) ? isRead(() => format.read(bytes)) : comparedWith(program, bytes);
  }
}

function isRead(read: () => unknown): Wholeness {
  try {
    read();
    return 'whole';
  } catch (error) {
    if (error instanceof ImageError || error instanceof SyntaxError) {
      return 'torn';
    }
    throw error;
  }
}

/** Compares a raw binary with the ELF file that `objcopy` has made it from. */
function comparedWith(program: Uint8Array | null, bytes: Uint8Array): Wholeness {
  if (program === null) {
    return 'unproven';
  }
  const segments = orNull(() => readElf(program).segments);
  const [first] = segments ?? [];
  if (segments === null || first === undefined) {
    return 'torn';
  }
  const inside = segments.filter(({ address }) => address - first.address < farAway);
  const isContained = inside.every((segment) => {
    const at = segment.address - first.address;
    return segment.bytes.every((byte, index) => bytes[at + index] === byte);
  });
  return isContained ? 'whole' : 'stale';
}
