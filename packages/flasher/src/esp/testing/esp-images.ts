/**
 * Builds images of Espressif's tools: images, their descriptions, merged images. Written from the documents, without
 * the code under test. The sources are in `esp-image.ts`.
 */
import { createHash } from 'node:crypto';

interface BuiltSegment {
  readonly address: number;
  readonly data: Uint8Array;
}

export interface BuiltImage {
  /** `chip_id`; null builds the short header of the ESP8266. */
  readonly chipId: number | null;
  readonly segments: readonly BuiltSegment[];
  readonly mode?: number;
  /** Size in the high nibble, frequency in the low nibble. */
  readonly sizeAndFrequency?: number;
  readonly entry?: number;
  readonly minimumRevision?: number;
  readonly maximumRevision?: number;
  readonly legacyRevision?: number;
  readonly withHash?: boolean;
}

export const chipIds = { esp32: 0, esp32s2: 2, esp32c3: 5, esp32s3: 9, esp32c6: 13, esp32p4: 18 } as const;
export const memoryAddress = 0x40080400;
const mappedAddress = 0x3f400020;
export const esp8266Address = 0x40100000;

export function buildImage({
  chipId,
  segments,
  mode = 2,
  sizeAndFrequency = 0x20,
  entry = memoryAddress,
  minimumRevision = 0,
  maximumRevision = 0xffff,
  legacyRevision = 0,
  withHash = true,
}: BuiltImage): Uint8Array {
  const header = Buffer.alloc(chipId === null ? 8 : 24);
  header.set([0xe9, segments.length, mode, sizeAndFrequency]);
  header.writeUInt32LE(entry, 4);
  if (chipId !== null) {
    header[8] = 0xee;
    header.writeUInt16LE(chipId, 12);
    header[14] = legacyRevision;
    header.writeUInt16LE(minimumRevision, 15);
    header.writeUInt16LE(maximumRevision, 17);
    header[23] = withHash ? 1 : 0;
  }
  const body = Buffer.concat([header, ...segments.flatMap(({ address, data }) => [words(address, data.length), data])]);
  const end = Math.ceil((body.length + 1) / 16) * 16;
  const image = Buffer.alloc(end);
  body.copy(image);
  image[end - 1] = segments.flatMap(({ data }) => [...data]).reduce((sum, byte) => sum ^ byte, 0xef);
  const hash = createHash('sha256').update(image).digest();
  return Uint8Array.from(chipId !== null && withHash ? Buffer.concat([image, hash]) : image);
}

export interface BuiltApp extends Partial<BuiltImage> {
  readonly project?: string;
  readonly version?: string;
  readonly idfVersion?: string;
  /** Bytes of code and data besides the description. */
  readonly size?: number;
  /** SHA-256 of the ELF file in hexadecimal; empty: not stated. */
  readonly elfHash?: string;
}

/** Builds an application with its description at 0x20. */
export function buildApp({
  project = 'blink',
  version = '1.2.3',
  idfVersion = 'v5.1.2',
  size = 1_000,
  elfHash = '',
  ...image
}: BuiltApp = {}): Uint8Array {
  const description = Buffer.alloc(256);
  description.writeUInt32LE(0xabcd5432);
  description.write(version, 16);
  description.write(project, 48);
  description.write('12:00:00', 80);
  description.write('Nov 20 2026', 96);
  description.write(idfVersion, 112);
  description.write(elfHash, 144, 'hex');
  const data = Buffer.concat([description, filler(size)]);
  return buildImage({ chipId: chipIds.esp32, segments: [{ address: mappedAddress, data }], ...image });
}

export interface BuiltBootloader extends Partial<BuiltImage> {
  /** Null: without a description, as before ESP-IDF 5.1. */
  readonly idfVersion?: string | null;
  readonly size?: number;
}

export function buildBootloader({ idfVersion = 'v5.1.2', size = 2_000, ...image }: BuiltBootloader = {}): Uint8Array {
  const description = Buffer.alloc(80);
  description[0] = 80;
  description.writeUInt32LE(1, 4);
  description.write(idfVersion ?? '', 8);
  description.write('Nov 20 2026 12:00:00', 40);
  const head = idfVersion === null ? Buffer.alloc(0) : description;
  const data = Buffer.concat([head, filler(size)]);
  return buildImage({ chipId: chipIds.esp32, segments: [{ address: 0x3fff0030, data }], ...image });
}

/** Returns bytes that match no format, the same on each call. */
export function filler(size: number): Uint8Array {
  return Uint8Array.from({ length: Math.ceil(size / 4) * 4 }, (_, index) => (index * 7 + (index >> 8)) & 0x7f);
}

/** Merges files at their offsets into one file that begins at `start`, with 0xFF between them. */
export function buildMerged(files: readonly (readonly [offset: number, bytes: Uint8Array])[], start = 0): Uint8Array {
  const end = Math.max(...files.map(([offset, bytes]) => offset + bytes.length));
  const merged = new Uint8Array(end - start).fill(0xff);
  for (const [offset, bytes] of files) {
    merged.set(bytes, offset - start);
  }
  return merged;
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, 4 * index);
  });
  return bytes;
}
