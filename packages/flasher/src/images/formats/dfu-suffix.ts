/**
 * The suffix of DFU files (USB, "Device Class Specification for Device Firmware Upgrade", 1.1, appendix B): the last
 * 16 bytes, little endian. It is not part of the firmware. dfu-util adds it to a plain image; ST's files have it
 * after their own format.
 */
import { hasBytesAt, viewOf } from '../../core/bytes.ts';
import { crc32 } from '../crc32.ts';
import { ImageError } from '../image-error.ts';
import type { ImageFormat, UsbIds } from './image-format.ts';

const SUFFIX_SIZE = 16;
const CRC_SIZE = 4;
/** "DFU" in reverse. The offsets in `at` count from the end of the file. */
const signature = Uint8Array.from([0x55, 0x46, 0x44]);
const at = { product: 14, vendor: 12, version: 10, signature: 8, length: 5, crc: 4 } as const;
/** High byte of `bcdDFU` for 1.0, 1.1, and ST's 1.1a. */
const MAJOR_VERSION = 0x01;
/** ID that matches every vendor or product. */
const ANY = 0xffff;

export interface DfuFile {
  /** File without its suffix. */
  readonly content: Uint8Array;
  /** USB device that the file is for; a null ID in it matches any. Null: the file names no device. */
  readonly device: UsbIds | null;
}

export function endsLikeDfu(bytes: Uint8Array): boolean {
  const end = bytes.length;
  const length = bytes[end - at.length] ?? 0;
  return (
    hasBytesAt(bytes, end - at.signature, signature) &&
    bytes[end - at.version + 1] === MAJOR_VERSION &&
    length >= SUFFIX_SIZE &&
    length <= end
  );
}

/**
 * Removes the suffix.
 *
 * @param bytes File that ends with one.
 * @throws ImageError `dfu-cut-short` if there is no suffix, or `dfu-checksum`.
 */
export function readDfuSuffix(bytes: Uint8Array): DfuFile {
  if (!endsLikeDfu(bytes)) {
    throw new ImageError('dfu-cut-short');
  }
  const view = viewOf(bytes);
  const end = bytes.length;
  // The CRC covers everything but itself. Unlike in zip, the result is not complemented.
  if (view.getUint32(end - at.crc, true) !== ~crc32(bytes.subarray(0, end - CRC_SIZE)) >>> 0) {
    throw new ImageError('dfu-checksum');
  }
  const idAt = (offset: number) => {
    const id = view.getUint16(end - offset, true);
    return id === ANY ? null : id;
  };
  const device = { vendorId: idAt(at.vendor), productId: idAt(at.product) };
  return {
    content: bytes.subarray(0, end - view.getUint8(end - at.length)),
    device: device.vendorId === null && device.productId === null ? null : device,
  };
}

/** An image without an address, such as a .bin, with a suffix. */
export const dfu = {
  kind: 'dfu',
  name: 'DFU image',
  holds: 'image',
  startsLike: endsLikeDfu,
} as const satisfies ImageFormat;
