/**
 * Writes Intel HEX (Intel, "Hexadecimal Object File Format Specification", revision A, 1988), with data in lines of 16
 * bytes and addresses above 64 KiB in records of type 4.
 */
import type { MemorySegment } from './memory-segments.ts';

const LINE_SIZE = 16;
const BANK_SIZE = 0x1_0000;
const recordType = { data: 0, end: 1, linearBase: 4 } as const;

/** @param segments Data in the order of addresses, below 4 GiB. */
export function writeIntelHex(segments: readonly MemorySegment[]): string {
  const lines: string[] = [];
  let bank = 0;
  for (const { address, bytes } of segments) {
    for (let at = 0; at < bytes.length; ) {
      const place = address + at;
      const needed = Math.floor(place / BANK_SIZE);
      if (needed !== bank) {
        bank = needed;
        lines.push(record(recordType.linearBase, 0, Uint8Array.of(bank >> 8, bank & 0xff)));
      }
      const size = Math.min(LINE_SIZE, bytes.length - at, BANK_SIZE - (place % BANK_SIZE));
      lines.push(record(recordType.data, place % BANK_SIZE, bytes.subarray(at, at + size)));
      at += size;
    }
  }
  lines.push(record(recordType.end, 0, new Uint8Array()));
  return `${lines.join('\n')}\n`;
}

function record(type: number, address: number, data: Uint8Array): string {
  const bytes = [data.length, address >> 8, address & 0xff, type, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const digits = [...bytes, -sum & 0xff].map((byte) => byte.toString(16).padStart(2, '0'));
  return `:${digits.join('').toUpperCase()}`;
}
