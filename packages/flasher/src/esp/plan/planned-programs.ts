/** Finds the programs in the files of a plan, which may have several: a merged file, or one that begins at any part. */
import type { EspImage } from '../images/esp-image.ts';
import type { ImagePart } from '../images/image-part.ts';
import { hasBootloaderDigest } from '../images/merged-image.ts';
import { partitionType } from '../images/partition-types.ts';
import { type FlashAfter, isOnePart } from './flash-after.ts';
import type { KnownFile } from './known-file.ts';
import type { PlacedPart } from './placed-part.ts';

/** A program in a file. */
export interface PlannedProgram {
  readonly file: string;
  readonly role: 'app' | 'bootloader';
  /** Bytes from the first byte of the image on. */
  readonly bytes: Uint8Array;
  readonly image: EspImage;
  /** True: a digest of Secure Boot V1 precedes the image. */
  readonly hasDigest: boolean;
}

interface ProgramPart {
  /** Position of the image in the file. */
  readonly at: number;
  readonly part: Extract<ImagePart, { readonly kind: 'app' | 'bootloader' }>;
}

/**
 * Returns the programs of a file without their bytes. Programs in data partitions of the table in place are left out: they may
 * be for another chip. Damage is found elsewhere.
 */
export function programPartsIn(file: PlacedPart, after: Pick<FlashAfter, 'partitionAt'>): ProgramPart[] {
  const { part, offset, inner } = file;
  if (isOnePart(file)) {
    return part.kind === 'app' ? [{ at: 0, part }] : part.kind === 'bootloader' ? [{ at: part.position, part }] : [];
  }
  return inner.flatMap(({ at, part: own }) =>
    (own.kind === 'app' || own.kind === 'bootloader') && after.partitionAt(offset + at)?.type !== partitionType.data
      ? [{ at, part: own }]
      : [],
  );
}

export function programsIn(file: KnownFile, after: Pick<FlashAfter, 'partitionAt'>): PlannedProgram[] {
  return programPartsIn(file, after).map(({ at, part }) => ({
    file: file.name,
    role: part.kind,
    bytes: file.bytes.subarray(at),
    image: part.image,
    hasDigest: part.kind === 'bootloader' && (part.hasDigest || (at > 0 && isFirstBootloader(file, at))),
  }));
}

/** A digest is at the start of flash, so that its file begins there. */
const isFirstBootloader = ({ bytes, inner }: KnownFile, at: number): boolean =>
  hasBootloaderDigest(bytes) && inner.find(({ part }) => part.kind === 'bootloader')?.at === at;
