/**
 * Reads type and size of a picture from its bytes, never from its name. It knows no pixels: it checks that the file is
 * one of four formats, still, and complete as far as its structure tells.
 *
 * Sources: PNG (W3C, third edition, 5), JPEG (ITU-T T.81, B), WebP (RFC 9649, 2), AVIF (AOM, version 1.1) in its
 * container (ISO/IEC 14496-12, 4.2, and 23008-12, 6.5.3).
 */
import type { PictureType } from '@wirebench/contract';

export interface PictureFacts {
  readonly type: PictureType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Reason why bytes are not a picture that is shown. */
export type PictureFault = 'unknown' | 'damaged' | 'moving';

/** Returns the facts of a picture, or the reason why it is refused. */
export function pictureFacts(bytes: Buffer): PictureFacts | PictureFault {
  try {
    const type = typeOf(bytes);
    return type === null ? 'unknown' : readers[type](bytes);
  } catch (error) {
    // A read beyond the end of the file.
    if (error instanceof RangeError) {
      return 'damaged';
    }
    throw error;
  }
}

const ascii = (bytes: Buffer, start: number, length: number): string => bytes.toString('latin1', start, start + length);

function typeOf(bytes: Buffer): PictureType | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') {
    return 'image/png';
  }
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') {
    return 'image/jpeg';
  }
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') {
    return 'image/webp';
  }
  // Brands of AVIF: a still picture, and a sequence.
  return ascii(bytes, 4, 4) === 'ftyp' && /^avi[fs]$/.test(ascii(bytes, 8, 4)) ? 'image/avif' : null;
}

const readers: Readonly<Record<PictureType, (bytes: Buffer) => PictureFacts | PictureFault>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/avif': readAvif,
};

function readPng(bytes: Buffer): PictureFacts | PictureFault {
  if (ascii(bytes, 12, 4) !== 'IHDR') {
    return 'damaged';
  }
  for (let start = 8; ; start += 12 + bytes.readUInt32BE(start)) {
    const chunk = ascii(bytes, start + 4, 4);
    if (chunk === 'acTL') {
      return 'moving';
    }
    if (chunk === 'IEND') {
      // Its checksum is the last part of the file.
      bytes.readUInt32BE(start + 8);
      return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    }
  }
}

function readJpeg(bytes: Buffer): PictureFacts | PictureFault {
  let size: { readonly width: number; readonly height: number } | null = null;
  for (let start = 2; ; start += 2 + bytes.readUInt16BE(start + 2)) {
    const marker = bytes.readUInt16BE(start);
    if (marker < 0xff01) {
      return 'damaged';
    }
    // Start of a frame, of any coding. C4, C8 and CC are tables and an extension.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      size = { height: bytes.readUInt16BE(start + 5), width: bytes.readUInt16BE(start + 7) };
    }
    // Start of the scan, whose length is not known. The end of the image has to follow.
    if (marker === 0xffda) {
      return size === null || bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < start
        ? 'damaged'
        : { type: 'image/jpeg', ...size };
    }
  }
}

function readWebp(bytes: Buffer): PictureFacts | PictureFault {
  const type = 'image/webp';
  if (bytes.readUInt32LE(4) + 8 > bytes.length) {
    return 'damaged';
  }
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return (bytes.readUInt8(20) & 0x02) !== 0
        ? 'moving'
        : { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return 'damaged';
  }
}

interface Box {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Returns the boxes one after the other.
 *
 * @throws RangeError for a box that is longer than the bytes.
 */
function boxesOf(bytes: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  for (let start = 0; start < bytes.length; ) {
    const size = bytes.readUInt32BE(start);
    // 0: up to the end of the file. Sizes of 64 bits are for files beyond 4 GB.
    const end = size === 0 ? bytes.length : start + size;
    if (end > bytes.length || end < start + 8) {
      throw new RangeError(`A box of ${size} bytes at ${start}`);
    }
    boxes.push({ name: ascii(bytes, start + 4, 4), content: bytes.subarray(start + 8, end) });
    start = end;
  }
  return boxes;
}

const inside = (boxes: readonly Box[], name: string, skipped = 0): readonly Box[] =>
  boxes.filter((box) => box.name === name).flatMap(({ content }) => boxesOf(content.subarray(skipped)));

function readAvif(bytes: Buffer): PictureFacts | PictureFault {
  if (ascii(bytes, 8, 4) === 'avis') {
    return 'moving';
  }
  // `meta` begins with four bytes of version and flags, and so does each `ispe`, before width and height.
  const boxes = boxesOf(bytes);
  const properties = inside(inside(inside(boxes, 'meta', 4), 'iprp'), 'ipco');
  const sizes = properties
    .filter(({ name }) => name === 'ispe')
    .map(({ content }) => ({ width: content.readUInt32BE(4), height: content.readUInt32BE(8) }))
    // A picture of tiles has their sizes and its own, which is the largest.
    .toSorted((one, other) => other.width * other.height - one.width * one.height);
  const [size] = sizes;
  const hasPixels = boxes.some(({ name }) => name === 'mdat');
  return size === undefined || !hasPixels ? 'damaged' : { type: 'image/avif', ...size };
}
