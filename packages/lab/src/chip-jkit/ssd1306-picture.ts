/**
 * A picture for a display with an SSD1306 of 128 × 64 points (Solomon Systech SSD1306, revision 1.1, sections 8.1.5,
 * 8.7 and 10.1). It uses horizontal addressing of the whole memory. Each byte holds eight points of a column, the
 * topmost in the lowest bit.
 */
import type { ChipTransfer } from './transfers.ts';

const [width, height] = [128, 64];
const commands = 0x00;
const data = 0x40;
/** Data bytes of one transfer, without the control byte. */
const chunk = 30;

/**
 * Returns the transfers that draw a picture.
 *
 * @param points 128 × 64 values of 0 or 1, in rows from the upper left.
 */
export function pictureTransfers(address: number, points: Uint8Array): readonly ChipTransfer[] {
  const memory = Uint8Array.from({ length: (width * height) / 8 }, (_, at) => {
    const x = at % width;
    const top = Math.floor(at / width) * 8;
    return [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, bit) => byte | ((points[(top + bit) * width + x] ?? 0) << bit), 0);
  });
  const send = (...bytes: number[]): ChipTransfer => ({ address, write: Uint8Array.from(bytes), read: 0, delay: 0 });
  const pieces = Array.from({ length: Math.ceil(memory.length / chunk) }, (_, index) =>
    send(data, ...memory.subarray(index * chunk, (index + 1) * chunk)),
  );
  // Sets the addressing mode, the first and last column, and the first and last page. These commands also move the
  // write position to the start.
  return [send(commands, 0x20, 0x00, 0x21, 0, width - 1, 0x22, 0, height / 8 - 1), ...pieces];
}
