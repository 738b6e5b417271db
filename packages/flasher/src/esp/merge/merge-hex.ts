/**
 * Intel HEX with gaps, as `esptool merge-bin --format hex` writes it: records of 16 bytes from the start of each
 * stretch, none across a boundary of 64 KiB.
 */
import { joinRanges } from '../../core/ranges.ts';
import { type MergePart, sortedParts } from './merge-raw.ts';

const RECORD = 16;
const BANK = 0x10000;

/** Returns the text, in lines that end with a line feed. */
export function mergeHex(parts: readonly MergePart[]): string {
  const sorted = sortedParts(parts).filter(({ bytes }) => bytes.length > 0);
  const end = Math.max(...sorted.map(({ offset, bytes }) => offset + bytes.length));
  const lines: string[] = [];
  // A file below 64 KiB needs no upper half of its addresses.
  let bank = end > BANK ? -1 : 0;
  for (const { offset, bytes } of stretchesOf(sorted)) {
    for (let at = 0; at < bytes.length; ) {
      const address = offset + at;
      const upper = Math.floor(address / BANK);
      if (upper !== bank) {
        bank = upper;
        lines.push(record(0, 4, Uint8Array.of(upper >> 8, upper & 0xff)));
      }
      const length = Math.min(RECORD, BANK - (address % BANK), bytes.length - at);
      lines.push(record(address % BANK, 0, bytes.subarray(at, at + length)));
      at += length;
    }
  }
  return `${lines.join('\n')}\n:00000001FF\n`;
}

/** Joins adjacent parts, because a record may cross from one into the next. */
function stretchesOf(sorted: readonly MergePart[]): { readonly offset: number; readonly bytes: Uint8Array }[] {
  const ranges = joinRanges(sorted.map(({ offset, bytes }) => ({ offset, length: bytes.length })));
  return ranges.map(({ offset, length }) => {
    const bytes = new Uint8Array(length);
    for (const part of sorted) {
      if (part.offset >= offset && part.offset < offset + length) {
        bytes.set(part.bytes, part.offset - offset);
      }
    }
    return { offset, bytes };
  });
}

function record(address: number, type: number, data: Uint8Array): string {
  const bytes = [data.length, address >> 8, address & 0xff, type, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return `:${[...bytes, -sum & 0xff].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('')}`;
}
