import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../core/bytes.ts';
import { crc16 } from './crc16.ts';

describe('CRC-16', () => {
  const check = asciiBytes('123456789');

  it('has the check values of its two variants (CRC RevEng catalogue: CRC-16/IBM-3740, CRC-16/XMODEM)', () => {
    expect(crc16(check, 0xffff)).toBe(0x29b1);
    expect(crc16(check, 0)).toBe(0x31c3);
  });

  it('goes on where it stopped', () => {
    expect(crc16(check.subarray(4), crc16(check.subarray(0, 4), 0xffff))).toBe(0x29b1);
  });
});
