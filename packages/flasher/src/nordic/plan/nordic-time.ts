/**
 * Estimates the duration of a write before it begins. The bootloaders alternate between receiving and writing, so
 * both times are added.
 */

import { eraseTime, pageSize, pageWrite } from '../legacy/legacy-timing.ts';
import type { NordicBootloader } from '../nordic-board.ts';
import type { NordicImage } from '../package/nordic-firmware.ts';

/** Bits on the wire per byte: start bit, eight data bits, stop bit. */
const BITS_A_BYTE = 10;
/** Bytes per millisecond over the chip's own USB: full speed with an acknowledgement after each block. */
const USB_RATE = 100;
/** Bytes on the wire for each byte of the image, including frames, escapes, base64 and answers. */
const overhead = { 'secure-dfu': 1.04, 'adafruit-dfu': 1.05, mcuboot: 1.48 } as const satisfies Record<
  NordicBootloader,
  number
>;
/**
 * Milliseconds for a page of 4 KiB (nRF52840 Product Specification 1.7, "NVMC"): an erase of 85 ms, and 1,024 words
 * of 41 µs.
 */
const PAGE_ERASE = 85;
const PAGE_WRITE = 42;
/** Milliseconds for a restart between two images. */
const RESTART = 3_000;

/**
 * Returns the estimated duration in milliseconds.
 *
 * @param baudRate Null on USB.
 */
export function estimateNordicTime(
  images: readonly NordicImage[],
  bootloader: NordicBootloader,
  baudRate: number | null,
): number {
  const rate = baudRate === null ? USB_RATE : baudRate / BITS_A_BYTE / 1_000;
  const times = images.map(({ bytes }) => {
    const pages = Math.ceil(bytes.length / pageSize);
    const flash =
      bootloader === 'adafruit-dfu'
        ? eraseTime(bytes.length) + pages * (baudRate === null ? PAGE_WRITE : pageWrite)
        : pages * (PAGE_ERASE + PAGE_WRITE);
    return (bytes.length * overhead[bootloader]) / rate + flash;
  });
  const restarts = bootloader === 'mcuboot' ? 0 : Math.max(0, images.length - 1) * RESTART;
  return times.reduce((sum, time) => sum + time, restarts);
}
