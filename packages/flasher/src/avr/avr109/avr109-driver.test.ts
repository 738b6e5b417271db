import { describe, expect, it } from 'vitest';
import { hexOf } from '../../core/bytes.ts';
import {
  exitBootloader,
  fuseReads,
  identifier,
  readBlock,
  setAddress,
  supportsBlocks,
  writeBlock,
} from './avr109-driver.ts';

describe('a request of AVR109', () => {
  // AVR109, tables "Commands" and "Block commands".
  it.each([
    ['Return software identifier', identifier(), '53'],
    ['Check block support', supportsBlocks(), '62'],
    ['Set address, high byte first', setAddress(0x1f40), '411f40'],
    ['Start block flash load', writeBlock(Uint8Array.of(1, 2), 'F'), '420002460102'],
    ['Start block EEPROM read', readBlock(256, 'E'), '67010045'],
    ['Read low fuse bits', fuseReads.low(), '46'],
    ['Read high fuse bits', fuseReads.high(), '4e'],
    ['Read extended fuse bits', fuseReads.extended(), '51'],
    ['Read lock bits', fuseReads.lock(), '72'],
    ['Exit bootloader', exitBootloader(), '45'],
  ] as const)('%s', (_name, request, expected) => {
    expect(hexOf(request)).toBe(expected);
  });
});
