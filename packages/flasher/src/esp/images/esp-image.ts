/**
 * The image that an Espressif chip loads: header, segments, checksum, SHA-256 (esptool documentation, "Firmware Image
 * Format"; ESP-IDF, `esp_app_format.h`). All numbers are little endian. `description.ts` reads the description,
 * `flash-settings.ts` decodes the settings.
 */

import { isErased, isFilledWith, viewOf } from '../../core/bytes.ts';
import { ImageError, type ImageFault } from '../../images/image-error.ts';
import { sha256 } from '../../images/sha256.ts';
import { type ChipName, chipOfId } from '../chips/chip-facts.ts';

export const espImageMagic = 0xe9;

const HEADER_SIZE = 8;
const EXTENDED_HEADER_SIZE = 24;
const SEGMENT_HEADER_SIZE = 8;
/** `ESP_IMAGE_MAX_SEGMENTS`. */
const MAX_SEGMENTS = 16;
const CHECKSUM_SEED = 0xef;
const HASH_SIZE = 32;
const SECTOR = 4_096;
/** First byte of a signature block of Secure Boot V2, which is in its own sector (ESP-IDF, "Secure Boot V2"). */
const SIGNATURE_MAGIC = 0xe7;
/**
 * Signature of Secure Boot V1 and of signed apps without it (ESP-IDF, `esp_secure_boot.h`,
 * `esp_secure_boot_sig_block_t`). A version word of zero is followed by the two numbers of an ECDSA signature. It
 * comes after the checksum and hash.
 */
const V1_VERSION_SIZE = 4;
const V1_SIGNATURE_SIZE = 64;
/** Bytes after the signature in images that are padded for signing (esptool, `bin_image.py`, `secure_pad`). */
const V1_PADDING_SIZE = 12;
/** `ESP_IMAGE_SPI_MODE_SLOW_READ`, the highest mode. */
const HIGHEST_MODE = 5;
const LARGEST_SEGMENT = 16 * 1_048_576;
/** Range of all addresses to which segments are loaded or mapped (esptool, `targets/*.py`, `MEMORY_MAP`). */
const segmentAddresses = { start: 0x3c00_0000, end: 0x6001_0000 };
/** `max_chip_rev_full` of a build without an upper bound. */
const NO_REVISION_LIMIT = 0xffff;

/** Address ranges of ESP8266 programs. A first segment in one of them means that the header is the short one. */
const esp8266Memory = [
  [0x3ffe8000, 0x40000000],
  [0x40100000, 0x40110000],
  [0x40200000, 0x40300000],
] as const;

/** Flash settings as codes in the header. Their meaning depends on the chip. */
export interface FlashCodes {
  readonly mode: number;
  /** High nibble of byte 3, 0 to 15. */
  readonly size: number;
  /** Low nibble of byte 3, 0 to 15. */
  readonly frequency: number;
}

/** Chip revisions that an image supports, as `major × 100 + minor`. */
interface RevisionRange {
  readonly minimum: number;
  /** Null: no upper bound. */
  readonly maximum: number | null;
  /** Minimum of older builds: the major revision, or the minor one for the ESP32-C3. Zero if `minimum` applies. */
  readonly legacyMinimum: number;
}

export interface EspSegment {
  /** Address to which the chip loads or maps the segment. */
  readonly address: number;
  /** Offset of the data in the file. */
  readonly position: number;
  readonly size: number;
}

export interface EspImage {
  /** Null for an unknown chip ID. */
  readonly chip: ChipName | null;
  /** Null on the ESP8266, whose images have no chip ID. */
  readonly chipId: number | null;
  readonly entry: number;
  readonly flash: FlashCodes;
  /** Null on ESP8266. */
  readonly revisions: RevisionRange | null;
  readonly segments: readonly EspSegment[];
  /** Offset of the checksum, the last byte of a block of 16. */
  readonly checksumAt: number;
  /** True: a SHA-256 follows the checksum. */
  readonly hasHash: boolean;
  /** Bytes up to the end of checksum and hash. A signature or padding may follow. */
  readonly size: number;
  /** True: a signature of Secure Boot V1 or V2 follows. */
  readonly isSigned: boolean;
}

/**
 * Returns true if the header is that of an image, so that any fault after it is damage. The first byte alone is not
 * enough: other data may begin with it, and so does every 256th encrypted image.
 */
export function hasImageHeader(bytes: Uint8Array): boolean {
  if (bytes[0] !== espImageMagic || bytes.length < HEADER_SIZE) {
    return false;
  }
  const [, count = 0, mode = 0] = bytes;
  const hasCount = count > 0 && count <= MAX_SEGMENTS;
  const hasMode = mode <= HIGHEST_MODE;
  const view = viewOf(bytes);
  if (
    bytes.length < EXTENDED_HEADER_SIZE + SEGMENT_HEADER_SIZE ||
    isEsp8266Address(view.getUint32(HEADER_SIZE, true))
  ) {
    return hasCount && hasMode;
  }
  const [address, size] = [view.getUint32(EXTENDED_HEADER_SIZE, true), view.getUint32(EXTENDED_HEADER_SIZE + 4, true)];
  const signs = [
    hasCount,
    hasMode,
    chipOfId(view.getUint16(12, true)) !== null,
    isFilledWith(bytes.subarray(19, 23), 0) && (bytes[23] ?? 0) <= 1,
    address >= segmentAddresses.start && address < segmentAddresses.end && size <= LARGEST_SEGMENT,
  ];
  // One mismatch is allowed, because it may be the damage.
  return signs.filter((sign) => sign).length >= signs.length - 1;
}

/**
 * Reads the structure. `findImageFaults` checks the contents.
 *
 * @throws ImageError `not-esp-image`, `image-segments`, `image-cut-short`.
 */
export function readEspImage(bytes: Uint8Array): EspImage {
  if (bytes[0] !== espImageMagic || bytes.length < HEADER_SIZE) {
    throw new ImageError('not-esp-image');
  }
  const count = bytes[1] ?? 0;
  if (count === 0 || count > MAX_SEGMENTS) {
    throw new ImageError('image-segments');
  }
  if (bytes.length < EXTENDED_HEADER_SIZE) {
    throw new ImageError('image-cut-short');
  }
  const view = viewOf(bytes);
  const isShort = isEsp8266Address(view.getUint32(HEADER_SIZE, true));
  if (!isShort && (bytes[23] ?? 0) > 1) {
    throw new ImageError('image-segments');
  }
  const segments = readSegments(view, isShort ? HEADER_SIZE : EXTENDED_HEADER_SIZE, count);
  const checksumAt = (segmentsEnd(segments) & ~15) + 15;
  const hasHash = !isShort && bytes[23] === 1;
  const size = checksumAt + 1 + (hasHash ? HASH_SIZE : 0);
  if (size > bytes.length) {
    throw new ImageError('image-cut-short');
  }
  const chipId = isShort ? null : view.getUint16(12, true);
  return {
    chip: chipId === null ? 'esp8266' : chipOfId(chipId),
    chipId,
    entry: view.getUint32(4, true),
    flash: { mode: view.getUint8(2), size: view.getUint8(3) >> 4, frequency: view.getUint8(3) & 15 },
    revisions: isShort ? null : readRevisions(view),
    segments,
    checksumAt,
    hasHash,
    size,
    isSigned:
      bytes[Math.ceil(size / SECTOR) * SECTOR] === SIGNATURE_MAGIC ||
      (!isShort && (hasV1Signature(bytes.subarray(size)) || hasSignatureBehindPadding(bytes, size))),
  };
}

/** @param rest Bytes after the image in its file. Other files may follow at the next sector. */
function hasV1Signature(rest: Uint8Array): boolean {
  const end = V1_VERSION_SIZE + V1_SIGNATURE_SIZE;
  const numbers = [V1_VERSION_SIZE, V1_VERSION_SIZE + V1_SIGNATURE_SIZE / 2].map((at) =>
    rest.subarray(at, at + V1_SIGNATURE_SIZE / 2),
  );
  return (
    rest.length >= end &&
    isFilledWith(rest.subarray(0, V1_VERSION_SIZE), 0) &&
    numbers.every((number) => !isFilledWith(number, 0) && !isErased(number)) &&
    isPadding(rest.subarray(end, end + V1_PADDING_SIZE))
  );
}

/**
 * Finds a signature of a file that was padded before it was signed, for example to 64 KiB. One of V1 has to end the file: behind
 * padding, other data may look like it.
 *
 * @param size Of the image.
 */
function hasSignatureBehindPadding(bytes: Uint8Array, size: number): boolean {
  const rest = bytes.subarray(size);
  const filler = rest[0] === 0 ? 0 : 0xff;
  let end = 0;
  while (end < rest.length && rest[end] === filler) {
    end++;
  }
  if (end === 0 || end === rest.length) {
    return false;
  }
  // Zeros of the padding, the version and the first number run into each other: a number of 32 bytes seldom begins with more than one.
  const starts = filler === 0 ? [0, 1, 2].map((zeros) => end - V1_VERSION_SIZE - zeros) : [end];
  return (
    ((size + end) % SECTOR === 0 && rest[end] === SIGNATURE_MAGIC) ||
    starts.some(
      (start) =>
        start >= 0 &&
        start + V1_VERSION_SIZE + V1_SIGNATURE_SIZE + V1_PADDING_SIZE >= rest.length &&
        hasV1Signature(rest.subarray(start)),
    )
  );
}

function isPadding(bytes: Uint8Array): boolean {
  return isErased(bytes) || isFilledWith(bytes, 0);
}

/** Returns faults of checksum and hash; empty for an intact image. */
export async function findImageFaults(bytes: Uint8Array, image: EspImage): Promise<ImageFault[]> {
  const faults: ImageFault[] = [];
  if (bytes[image.checksumAt] !== checksumOf(bytes, image.segments)) {
    faults.push('image-checksum');
  }
  if (image.hasHash) {
    const hash = await sha256(bytes.subarray(0, image.checksumAt + 1));
    if (!hash.every((byte, index) => bytes[image.checksumAt + 1 + index] === byte)) {
      faults.push('image-hash');
    }
  }
  return faults;
}

/** Returns the XOR of 0xEF and the data of all segments. */
function checksumOf(bytes: Uint8Array, segments: readonly EspSegment[]): number {
  let sum = CHECKSUM_SEED;
  for (const { position, size } of segments) {
    for (let at = position; at < position + size; at++) {
      sum ^= bytes[at] ?? 0;
    }
  }
  return sum;
}

function isEsp8266Address(address: number): boolean {
  return esp8266Memory.some(([start, end]) => address >= start && address < end);
}

function readSegments(view: DataView, start: number, count: number): EspSegment[] {
  const segments: EspSegment[] = [];
  let position = start;
  for (let index = 0; index < count; index++) {
    if (position + SEGMENT_HEADER_SIZE > view.byteLength) {
      throw new ImageError('image-cut-short');
    }
    const [address, size] = [view.getUint32(position, true), view.getUint32(position + 4, true)];
    position += SEGMENT_HEADER_SIZE;
    if (position + size > view.byteLength) {
      throw new ImageError('image-cut-short');
    }
    segments.push({ address, position, size });
    position += size;
  }
  return segments;
}

function segmentsEnd(segments: readonly EspSegment[]): number {
  const last = segments.at(-1);
  return last === undefined ? 0 : last.position + last.size;
}

/**
 * Reads the supported revisions. esptool decides which of the two minimum fields applies in the same way (`cmds.py`,
 * "which min_rev to use").
 */
function readRevisions(view: DataView): RevisionRange {
  const [legacy, minimum, maximum] = [view.getUint8(14), view.getUint16(15, true), view.getUint16(17, true)];
  const isLegacy = maximum === 0 || (maximum === NO_REVISION_LIMIT && minimum === 0);
  return {
    minimum: isLegacy ? 0 : minimum,
    maximum: maximum === 0 || maximum === NO_REVISION_LIMIT ? null : maximum,
    legacyMinimum: isLegacy ? legacy : 0,
  };
}
