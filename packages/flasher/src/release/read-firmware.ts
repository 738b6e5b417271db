/**
 * What the bytes of one firmware file tell, as far as a release depends on it. For most files the beginning is enough; only the
 * checksum of an image needs all of it.
 */
import { isErased } from '../core/bytes.ts';
import { espImageMagic } from '../espressif/images/esp-image.ts';
import { type ImagePart, imagePartOf } from '../espressif/images/image-part.ts';
import { hasBootloaderDigest } from '../espressif/images/merged-image.ts';
import { type Damage, findDamage } from '../espressif/plan/check-images.ts';
import { contentsOf, contentsSampleSize, type FileContents, isUniform } from '../images/contents/contents.ts';
import { type VectorTable, vectorTableOf } from '../images/formats/memory-file.ts';

/** Plain values, which cross a worker's border. */
export interface FirmwareReading {
  /** For an Espressif chip. */
  readonly part: ImagePart;
  /** Of an image for an Espressif chip; empty when it is whole. */
  readonly damage: readonly Damage[];
  /** For an STM32: null when the file does not begin with a program. */
  readonly vectors: VectorTable | null;
  /** What it is instead of firmware; null for firmware and data. */
  readonly contents: FileContents | null;
}

/** Bytes of a file's beginning that tell whether the rest matters. */
export const firmwareHeadSize = contentsSampleSize;

/** Bootloaders begin at one of these in a merged image. */
const imageStarts = [0, 0x1000, 0x2000];

/**
 * @param head the first `firmwareHeadSize` bytes, or all of a smaller file
 * @returns null when only the whole file tells: it begins like an image, whose checksum covers all of it, or with the same byte
 * throughout, which is nothing only if the rest is the same.
 */
export async function readFirmwareHead(head: Uint8Array, size: number): Promise<FirmwareReading | null> {
  const beginsImage = imageStarts.some(
    (at) => head[at] === espImageMagic && (isErased(head.subarray(0, at)) || hasBootloaderDigest(head)),
  );
  return size > head.length && (beginsImage || isUniform(head)) ? null : readFirmware(head);
}

/** Never rejects for what a file holds. @param bytes the whole file */
export async function readFirmware(bytes: Uint8Array): Promise<FirmwareReading> {
  const part = imagePartOf(bytes);
  return { part, damage: await findDamage(part, bytes), vectors: vectorTableOf(bytes), contents: contentsOf(bytes) };
}
