/**
 * Times for which Adafruit's bootloader is busy with its flash, in milliseconds. It acknowledges a packet on arrival,
 * then erases and writes without receiving. The values are those of adafruit-nrfutil (`dfu_transport_serial.py`) for
 * the slowest part, the nRF52832.
 */

/** Bytes of flash that are erased at once, and that the bootloader collects before it writes. */
export const pageSize = 4_096;

/** `FLASH_PAGE_ERASE_TIME`, and `FLASH_PAGE_WRITE_TIME` with 0.1 ms per word. */
const ERASE = 89.7;
export const pageWrite = (pageSize / 4) * 0.1;
/** Minimum of `get_erase_wait_time`. */
const LEAST = 500;

/**
 * Returns the time after the start packet, which erases the place of the image.
 *
 * @param size Bytes of the image.
 */
export function eraseTime(size: number): number {
  return Math.max(LEAST, (Math.floor(size / pageSize) + 1) * ERASE);
}

/**
 * Returns the time after the last packet. For an application the settings are saved; a SoftDevice or bootloader is
 * copied.
 */
export function activateTime(size: number, isApplication: boolean): number {
  return isApplication ? ERASE + pageWrite : eraseTime(size) + (Math.floor(size / pageSize) + 1) * pageWrite;
}
