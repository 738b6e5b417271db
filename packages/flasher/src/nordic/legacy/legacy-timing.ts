/**
 * How long Adafruit's bootloader is busy with its flash: it acknowledges a packet when it arrives, and is deaf while it erases and
 * writes afterwards. Milliseconds; the figures of adafruit-nrfutil (`dfu_transport_serial.py`), which are those of the slowest
 * part, the nRF52832.
 */

/** Of flash, in bytes: what is erased at once, and what the bootloader collects before it writes. */
export const pageSize = 4_096;

/** `FLASH_PAGE_ERASE_TIME`, `FLASH_PAGE_WRITE_TIME`: 0.1 ms a word. */
const ERASE = 89.7;
export const pageWrite = (pageSize / 4) * 0.1;
/** `get_erase_wait_time` never gives less. */
const LEAST = 500;

/** After the start packet, which erases the place of the image. @param size of the image, in bytes. */
export function eraseTime(size: number): number {
  return Math.max(LEAST, (Math.floor(size / pageSize) + 1) * ERASE);
}

/** After the last packet: an application needs its settings saved, a SoftDevice and a bootloader are copied. */
export function activateTime(size: number, isApplication: boolean): number {
  return isApplication ? ERASE + pageWrite : eraseTime(size) + (Math.floor(size / pageSize) + 1) * pageWrite;
}
