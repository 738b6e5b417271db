/** Reads and checks an image in a board's flash. Only as much is read as belongs to the image. */
import { viewOf } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';
import { ImageError, type ImageFault } from '../../images/image-error.ts';
import { type EspImage, espImageMagic, findImageFaults, readEspImage } from './esp-image.ts';

/** Reads a range of flash. */
export type ReadFlash = (range: FlashRange) => Promise<Uint8Array>;

/** Bytes of the header and the extended header. */
const HEADERS = 24;
const SEGMENT_HEADER = 8;
/** `ESP_IMAGE_MAX_SEGMENTS`. */
const MAX_SEGMENTS = 16;
const HASH_SIZE = 32;
const SECTOR = 4_096;

/**
 * Reads the image at the start of a partition, with the sector behind it, which may hold a signature.
 *
 * @param place The partition.
 * @returns Null if no image begins there, or if it would end behind the partition.
 */
export async function readStoredImage(place: FlashRange, read: ReadFlash): Promise<Uint8Array | null> {
  const end = place.offset + place.length;
  if (place.length < HEADERS) {
    return null;
  }
  const head = await read({ offset: place.offset, length: HEADERS });
  const count = head[1] ?? 0;
  if (head[0] !== espImageMagic || count === 0 || count > MAX_SEGMENTS) {
    return null;
  }
  let at = place.offset + HEADERS;
  for (let index = 0; index < count; index++) {
    if (at + SEGMENT_HEADER > end) {
      return null;
    }
    const header = await read({ offset: at, length: SEGMENT_HEADER });
    at += SEGMENT_HEADER + viewOf(header).getUint32(4, true);
  }
  const hashed = head[23] === 1 ? HASH_SIZE : 0;
  const size = (at - place.offset) | 15;
  const whole = size + 1 + hashed;
  if (whole > place.length) {
    return null;
  }
  const withSignature = Math.ceil(whole / SECTOR) * SECTOR + SECTOR;
  return read({ offset: place.offset, length: Math.min(withSignature, place.length) });
}

export interface CheckedImage {
  readonly image: EspImage;
  /** Faults of checksum and SHA-256; empty for an intact image. */
  readonly faults: readonly ImageFault[];
}

/** Checks the header, the checksum and the SHA-256. @param bytes Result of `readStoredImage`. @returns Null: no image. */
export async function checkStoredImage(bytes: Uint8Array): Promise<CheckedImage | null> {
  try {
    const image = readEspImage(bytes);
    return { image, faults: await findImageFaults(bytes, image) };
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}
