/**
 * Decodes asynchronous serial characters and their errors from captured levels. The least significant bit comes
 * first.
 */
import { isHighAt, isRising, type Wave } from './wave.ts';

export interface UartFormat {
  /** Baud. */
  readonly baudRate: number;
  /** 5 to 9. */
  readonly dataBits: number;
  readonly parity: 'none' | 'even' | 'odd';
  readonly stopBits: 1 | 2;
  /** True: the line idles low, as on the RS-232 side of a driver. */
  readonly isInverted?: boolean;
}

/** `break`: all data, parity and first stop bits had the start level. */
type UartError = 'framing' | 'parity' | 'break';

export interface UartItem {
  /** Edge of the start bit, and end of the last stop bit, in nanoseconds. */
  readonly at: number;
  readonly end: number;
  readonly value: number;
  readonly errors: readonly UartError[];
}

/**
 * Decodes a line. A character cut off by the end of the capture is left out.
 *
 * @throws RangeError for a rate that is not above 0.
 */
export function decodeUart(wave: Wave, format: UartFormat): UartItem[] {
  if (!(format.baudRate > 0)) {
    throw new RangeError('The baud rate is a number above 0.');
  }
  const line = format.isInverted ? { ...wave, isHighAtFirst: !wave.isHighAtFirst } : wave;
  const items: UartItem[] = [];
  let free = 0;
  for (const [index, at] of line.edges.entries()) {
    if (at >= free && !isRising(line, index)) {
      const item = characterAt(line, at, format);
      if (item !== null) {
        items.push(item);
        // Resumes half a bit early, so that a slightly fast sender's next start bit is found. A line that stays low
        // has no edge to start from.
        free = item.end - 5e8 / format.baudRate;
      }
    }
  }
  return items;
}

/**
 * Decodes the character that starts at `at`. Null for a glitch shorter than half a bit, and at the end of the
 * capture.
 */
function characterAt(line: Wave, at: number, { baudRate, dataBits, parity, stopBits }: UartFormat): UartItem | null {
  const bit = 1e9 / baudRate;
  const levelOf = (index: number) => isHighAt(line, at + (index + 0.5) * bit);
  const parityBits = parity === 'none' ? 0 : 1;
  const stopAt = 1 + dataBits + parityBits;
  const end = at + (stopAt + stopBits) * bit;
  // The end of the capture may cut off half of the last stop bit.
  if (levelOf(0) || end - bit / 2 > line.end) {
    return null;
  }
  const bits = Array.from({ length: dataBits }, (_, index) => (levelOf(1 + index) ? 1 : 0));
  const value = bits.reduce<number>((sum, one, index) => sum | (one << index), 0);
  const errors: UartError[] = [];
  const ones = bits.filter((one) => one === 1).length + (parityBits && levelOf(1 + dataBits) ? 1 : 0);
  const isBreak = ones === 0 && !levelOf(stopAt);
  if (isBreak) {
    errors.push('break');
  } else {
    if (parityBits && (ones % 2 === 1) !== (parity === 'odd')) {
      errors.push('parity');
    }
    if (Array.from({ length: stopBits }, (_, index) => levelOf(stopAt + index)).includes(false)) {
      errors.push('framing');
    }
  }
  return { at, end, value, errors };
}
