/**
 * Draws a text on a UART line, 8N1: idle high, a low start bit, eight data bits with the lowest first, a high stop
 * bit.
 */

export interface TraceSize {
  /** Width of one bit. */
  readonly bit: number;
  /** Y coordinates of the high and the low level, downwards as in SVG. */
  readonly high: number;
  readonly low: number;
  /** Width of the idle line before the text, and of the gap after each character. */
  readonly idle: number;
  readonly gap: number;
}

/** Returns the bits of one byte on the wire, including start and stop bit. */
export function frameBits(byte: number): readonly (0 | 1)[] {
  const data = Array.from({ length: 8 }, (_, bit) => (((byte >> bit) & 1) === 1 ? 1 : 0));
  return [0, ...data, 1];
}

/** Returns the SVG path of a text (in UTF-8) or of bytes, and its width. */
export function uartTrace(
  sent: string | Uint8Array,
  { bit, high, low, idle, gap }: TraceSize,
): { path: string; width: number } {
  let x = idle;
  let level: 0 | 1 = 1;
  let path = `M0 ${high}H${x}`;
  const go = (next: 0 | 1, length: number) => {
    if (next !== level) {
      path += `V${next === 1 ? high : low}`;
      level = next;
    }
    x += length;
    path += `H${x}`;
  };
  for (const byte of typeof sent === 'string' ? new TextEncoder().encode(sent) : sent) {
    for (const value of frameBits(byte)) {
      go(value, bit);
    }
    go(1, gap);
  }
  return { path, width: x };
}
