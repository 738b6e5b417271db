/** Finds the programs in the files of a plan. */
import type { EspImage } from '../images/esp-image.ts';
import { partitionType } from '../images/partition-types.ts';
import type { KnownFile } from './known-file.ts';

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

/**
 * Returns the programs in a file: one, or those of a merged image. Programs in data partitions are left out: they may be
 * for another chip. Damage is found elsewhere.
 */
export function programsIn({ name, part, bytes, inner }: KnownFile): PlannedProgram[] {
  if (part.kind === 'app') {
    return [{ file: name, role: 'app', bytes, image: part.image, hasDigest: false }];
  }
  if (part.kind === 'bootloader') {
    const own = bytes.subarray(part.position);
    return [{ file: name, role: 'bootloader', bytes: own, image: part.image, hasDigest: part.hasDigest }];
  }
  const partitions = part.kind === 'merged' ? part.table.partitions : [];
  const start = part.kind === 'merged' ? part.offset : 0;
  const isData = (offset: number) =>
    partitions.some((one) => one.type === partitionType.data && offset >= one.offset && offset < one.offset + one.size);
  return inner.flatMap(({ at, part: own }): PlannedProgram[] =>
    (own.kind === 'app' || own.kind === 'bootloader') && !isData(start + at)
      ? [{ file: name, role: own.kind, bytes: bytes.subarray(at), image: own.image, hasDigest: false }]
      : [],
  );
}
