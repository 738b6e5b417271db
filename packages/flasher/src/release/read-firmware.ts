/**
 * Reads the properties of a firmware file that a release depends on. For most files the beginning is enough; the
 * checksum of an image needs all of it.
 */
import { isErased } from '../core/bytes.ts';
import type { AppDescription } from '../esp/images/description.ts';
import { espImageMagic } from '../esp/images/esp-image.ts';
import { type ImagePart, imagePartOf } from '../esp/images/image-part.ts';
import { type InnerPart, innerPartsOf } from '../esp/images/inner-parts.ts';
import { hasBootloaderDigest } from '../esp/images/merged-image.ts';
import { startsLikeTable } from '../esp/images/partition-table.ts';
import { type Damage, findDamage } from '../esp/plan/check-images.ts';
import { contentsOf, contentsSampleSize, type FileContents, isUniform } from '../images/contents/contents.ts';
import { type VectorTable, vectorTableOf } from '../images/formats/memory-file.ts';
import { appIn } from './app-version.ts';

/** Plain values, which can be posted to a worker. */
export interface FirmwareReading {
  /** Kind of the file for an Espressif chip. */
  readonly part: ImagePart;
  /** Parts that it puts into the flash of an Espressif chip, sector by sector. */
  readonly inner: readonly InnerPart[];
  /** Damage of an Espressif image; empty for an intact image. */
  readonly damage: readonly Damage[];
  /** Description of the app in the file. Missing or null: it has none. */
  readonly app?: AppDescription | null;
  /** Vector table of an STM32 program; null if the file does not begin with one. */
  readonly vectors: VectorTable | null;
  /** Content that is not firmware, such as a picture; null for firmware and data. */
  readonly contents: FileContents | null;
}

/** A file of a release, with its place in flash. */
export interface ReleaseFileInfo {
  readonly name: string;
  /** Flash address in bytes. */
  readonly offset: number;
  /** Size in bytes. */
  readonly size: number;
  /** Null before the bytes were read. Then only the layout is checked. */
  readonly reading: FirmwareReading | null;
}

/** Bytes of a file's beginning that decide if the rest has to be read. */
export const firmwareHeadSize = contentsSampleSize;

/** Offsets at which a bootloader can begin in a merged image. */
const imageStarts = [0, 0x1000, 0x2000];

/**
 * Reads the beginning of a file.
 *
 * @param head The first `firmwareHeadSize` bytes, or all of a smaller file.
 * @returns null if the whole file has to be read. It begins like an image, whose checksum covers all of it, or
 *   repeats one byte; or it begins like a partition table, which other parts may follow.
 */
export async function readFirmwareHead(head: Uint8Array, size: number): Promise<FirmwareReading | null> {
  const beginsImage = imageStarts.some(
    (at) => head[at] === espImageMagic && (isErased(head.subarray(0, at)) || hasBootloaderDigest(head)),
  );
  const isLonger = size > head.length && (beginsImage || startsLikeTable(head) || isUniform(head));
  return isLonger ? null : readFirmware(head);
}

/** Reads the whole file. Never rejects because of its contents. */
export async function readFirmware(bytes: Uint8Array): Promise<FirmwareReading> {
  const [part, inner] = [imagePartOf(bytes), innerPartsOf(bytes)];
  return {
    part,
    inner,
    damage: await findDamage({ part, inner, bytes }),
    app: appIn(bytes, part),
    vectors: vectorTableOf(bytes),
    contents: contentsOf(bytes),
  };
}
