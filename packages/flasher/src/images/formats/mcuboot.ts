/**
 * The header of an MCUboot image (MCUboot, design.md, "Image format"): 32 bytes, little endian. `nrf/package`
 * reads the rest of the image.
 */
import { viewOf } from '../../core/bytes.ts';
import type { ImageFormat } from './image-format.ts';

const MAGIC = 0x96f3b83d;
export const mcubootHeaderSize = 32;

export interface McubootHeader {
  readonly loadAddress: number;
  /** Bytes before the program, including padding. */
  readonly headerSize: number;
  /** Size of the protected records after the program, which the hash covers, in bytes. */
  readonly protectedSize: number;
  /** Size of the program in bytes. */
  readonly programSize: number;
  /** Bits `IMAGE_F_…`. */
  readonly flags: number;
  /** For example `1.2.3+4`. */
  readonly version: string;
}

export function startsLikeMcuboot(bytes: Uint8Array): boolean {
  return bytes.length >= mcubootHeaderSize && viewOf(bytes).getUint32(0, true) === MAGIC;
}

/** Reads the header. Returns null if the bytes do not begin with one. */
export function readMcubootHeader(bytes: Uint8Array): McubootHeader | null {
  if (!startsLikeMcuboot(bytes)) {
    return null;
  }
  const view = viewOf(bytes);
  return {
    loadAddress: view.getUint32(4, true),
    headerSize: view.getUint16(8, true),
    protectedSize: view.getUint16(10, true),
    programSize: view.getUint32(12, true),
    flags: view.getUint32(16, true),
    version: `${view.getUint8(20)}.${view.getUint8(21)}.${view.getUint16(22, true)}+${view.getUint32(24, true)}`,
  };
}

export const mcuboot = {
  kind: 'mcuboot',
  name: 'MCUboot image',
  holds: 'image',
  startsLike: startsLikeMcuboot,
} as const satisfies ImageFormat;
