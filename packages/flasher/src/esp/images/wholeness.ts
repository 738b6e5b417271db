/** Judges whether a file for an Espressif chip is complete, by the checksums and hashes of its parts. */
import { isErased } from '../../core/bytes.ts';
import { sectorSize } from '../../core/region.ts';
import { formatOf } from '../../images/formats/formats.ts';
import { sha256 } from '../../images/sha256.ts';
import { type Wholeness, wholenessOf } from '../../images/wholeness.ts';
import { listKindOf } from '../build-output/file-list.ts';
import { findImageFaults } from './esp-image.ts';
import { type ImagePart, imagePartOf } from './image-part.ts';
import { innerPartsOf } from './inner-parts.ts';

/**
 * Judges a file. An application names the ELF file that it is made from by its hash, which finds one that is older than
 * the program beside it.
 *
 * @param program The ELF file beside it; null without one.
 */
export async function espWholeness(name: string, bytes: Uint8Array, program: Uint8Array | null): Promise<Wholeness> {
  if (bytes.length > 0 && isErased(bytes)) {
    return bytes.length % sectorSize === 0 ? 'whole' : 'torn';
  }
  if (listKindOf(name) !== null && !/\.json$/i.test(name)) {
    // Lists without a syntax of their own end with a line.
    return bytes.at(-1) === 0x0a ? 'whole' : 'unproven';
  }
  if (formatOf(bytes) !== null || listKindOf(name) !== null || bytes.length === 0) {
    return wholenessOf(name, bytes, program);
  }
  const part = imagePartOf(bytes);
  return part.kind === 'merged' ? mergedWholeness(bytes) : partWholeness(bytes, part, program);
}

async function partWholeness(bytes: Uint8Array, part: ImagePart, program: Uint8Array | null): Promise<Wholeness> {
  switch (part.kind) {
    case 'app': {
      const isIntact = (await findImageFaults(bytes, part.image)).length === 0;
      const named = part.description?.elfHash ?? null;
      const isOther = named !== null && program !== null && !isSame(named, await sha256(program));
      return !isIntact ? 'torn' : isOther ? 'stale' : 'whole';
    }
    case 'bootloader':
      return (await findImageFaults(bytes.subarray(part.position), part.image)).length === 0 ? 'whole' : 'torn';
    case 'partition-table':
    case 'ota-data':
    case 'nvs-keys':
      // They are recognised only if their checksums are right.
      return 'whole';
    case 'broken':
      return 'torn';
    default:
      return 'unproven';
  }
}

/** A merged image is complete if its programs are, and if nothing without a hash follows the last of them. */
async function mergedWholeness(bytes: Uint8Array): Promise<Wholeness> {
  const parts = innerPartsOf(bytes);
  const judged = await Promise.all(parts.map(({ at, part }) => partWholeness(bytes.subarray(at), part, null)));
  return judged.find((one) => one === 'torn') ?? judged.find((one) => one === 'unproven') ?? 'whole';
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => other[index] === byte);
