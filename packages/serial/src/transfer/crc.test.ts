import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { crc16, crc32 } from './crc.ts';

/** Check values: sums of "123456789" (Greg Cook's catalogue of CRC algorithms, CRC-32/ISO-HDLC and CRC-16/XMODEM). */
const digits = utf8('123456789');

describe('checksums of the transfer protocols', () => {
  it('have the check values of their algorithms', () => {
    expect(crc32(digits)).toBe(0xcbf43926);
    expect(crc16(digits)).toBe(0x31c3);
  });

  it('continue from a part', () => {
    const [start, end] = [digits.subarray(0, 4), digits.subarray(4)];
    expect(crc32(end, crc32(start))).toBe(0xcbf43926);
    expect(crc16(end, crc16(start))).toBe(0x31c3);
  });
});
