/**
 * An image in flash as the ROM and the bootloader read it. Format: esptool documentation, "Firmware Image Format".
 * The application description: ESP-IDF, "App Image Format". All numbers are little-endian.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { viewOf } from '../../byte-fields.ts';

/** Reads flash as the processor sees it, thus decrypted. */
export type ReadFlash = (offset: number, length: number) => Uint8Array;

interface ImageSegment {
  readonly address: number;
  /** Offset of the segment's data in flash. */
  readonly offset: number;
  readonly length: number;
}

export interface EspImage {
  readonly mode: number;
  readonly sizeAndFrequency: number;
  readonly entry: number;
  /** Null on ESP8266, which has no extended header. */
  readonly chipId: number | null;
  readonly segments: readonly ImageSegment[];
  readonly checksum: { readonly stored: number; readonly calculated: number };
  /** SHA-256; null if none is appended. */
  readonly digest: { readonly stored: Uint8Array; readonly calculated: Uint8Array } | null;
  /** Bytes from the image's offset to its end, including checksum and digest. */
  readonly length: number;
}

export interface AppDescription {
  readonly version: string;
  readonly project: string;
  readonly time: string;
  readonly date: string;
  readonly idf: string;
  /** SHA-256 of the ELF file in 64 hex digits; null if the field is empty. */
  readonly elfHash: string | null;
}

const magic = 0xe9;
const maxSegments = 16;
const maxSegmentBytes = 0x1000000;
const checksumSeed = 0xef;
const appMagic = 0xabcd5432;

/** Returns the first word at `offset`. The ROM prints it if there is no image. */
export function headerWord(read: ReadFlash, offset: number): number {
  return viewOf(read(offset, 4)).getUint32(0, true);
}

/**
 * Parses the image at `offset`. Returns null without an image, or if a segment is longer than 16 MiB.
 * @param extended True for an image with the extended header (all chips but the ESP8266).
 */
export function readImage(read: ReadFlash, offset: number, extended: boolean): EspImage | null {
  const headerSize = extended ? 24 : 8;
  const header = read(offset, headerSize);
  const [first, count = 0, mode = 0, sizeAndFrequency = 0] = header;
  if (first !== magic || count === 0 || count > maxSegments) {
    return null;
  }
  const segments: ImageSegment[] = [];
  let at = offset + headerSize;
  let sum = checksumSeed;
  for (let index = 0; index < count; index++) {
    const head = viewOf(read(at, 8));
    const segment = { address: head.getUint32(0, true), offset: at + 8, length: head.getUint32(4, true) };
    if (segment.length > maxSegmentBytes) {
      return null;
    }
    for (const byte of read(segment.offset, segment.length)) {
      sum ^= byte;
    }
    segments.push(segment);
    at = segment.offset + segment.length;
  }
  // The checksum is the last byte of a block of 16.
  const end = offset + Math.ceil((at - offset + 1) / 16) * 16;
  const hashed = extended && header[23] === 1;
  return {
    mode,
    sizeAndFrequency,
    entry: viewOf(header).getUint32(4, true),
    chipId: extended ? viewOf(header).getUint16(12, true) : null,
    segments,
    checksum: { stored: read(end - 1, 1)[0] ?? 0, calculated: sum },
    digest: hashed ? { stored: read(end, 32), calculated: sha256(read(offset, end - offset)) } : null,
    length: end - offset + (hashed ? 32 : 0),
  };
}

export function digestFits({ digest }: EspImage): boolean {
  return digest === null || digest.stored.every((byte, index) => byte === digest.calculated[index]);
}

/** Returns the application description at the start of the first segment; null if it is missing. */
export function appDescription(read: ReadFlash, image: EspImage): AppDescription | null {
  const [first] = image.segments;
  if (first === undefined || first.length < 256) {
    return null;
  }
  const bytes = read(first.offset, 256);
  if (viewOf(bytes).getUint32(0, true) !== appMagic) {
    return null;
  }
  const hash = bytes.subarray(144, 176);
  const text = (from: number, length: number) => {
    const field = bytes.subarray(from, from + length);
    const end = field.indexOf(0);
    return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
  };
  return {
    version: text(16, 32),
    project: text(48, 32),
    time: text(80, 16),
    date: text(96, 16),
    idf: text(112, 32),
    elfHash: hash.some((byte) => byte !== 0) ? hexOf(hash) : null,
  };
}

/** Precedes the text that a demo application prints. The text ends with a NUL. */
const bootTextMark = new TextEncoder().encode('wirebench-boot-text:');

/** Returns the text after the mark in one of the segments; null without a mark. */
export function bootText(read: ReadFlash, image: EspImage): string | null {
  for (const { offset, length } of image.segments) {
    const data = read(offset, length);
    for (let at = data.indexOf(0x77); at !== -1; at = data.indexOf(0x77, at + 1)) {
      if (bootTextMark.every((byte, index) => data[at + index] === byte)) {
        const text = data.subarray(at + bootTextMark.length);
        const end = text.indexOf(0);
        return new TextDecoder().decode(end === -1 ? text : text.subarray(0, end));
      }
    }
  }
  return null;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
