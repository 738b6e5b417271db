/** Exports samples as a CSV file. */
import { inOrder } from '../curves/picture.ts';
import type { SampledPin } from '../store/adc-samples.ts';

/** Number of lines in one piece of text. */
const linesOfPiece = 50_000;

/**
 * Returns the CSV with one line for each sample (RFC 4180), times as ISO 8601. It comes in pieces, because the whole
 * text may exceed the longest string.
 */
export function samplesCsv(pins: readonly SampledPin[]): readonly string[] {
  const ranges = pins.map(({ times }) => ({ first: 0, end: times.length }));
  const pieces: string[] = [];
  let lines = ['time,gpio,raw,about_volts\r\n'];
  for (const { at, curve: pin, index } of inOrder(pins, ranges)) {
    const sampled = pins[pin];
    lines.push(
      `${new Date(at).toISOString()},${sampled?.gpio},${sampled?.raw[index]},${sampled?.volts[index]?.toFixed(3)}\r\n`,
    );
    if (lines.length === linesOfPiece) {
      pieces.push(lines.join(''));
      lines = [];
    }
  }
  return [...pieces, lines.join('')];
}
