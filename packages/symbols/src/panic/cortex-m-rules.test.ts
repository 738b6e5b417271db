import { describe, expect, it } from 'vitest';
import { memoryRow } from './cortex-m-rules.ts';

const STACK_POINTER = 0x2000_1f80;

describe('a row of stack memory', () => {
  it.each([
    ['CmBacktrace', 'addr: 20000420    data: 08000a1d', 0x2000_0420, 1],
    ['Mbed OS', '0x20002F18:0x00000000 0x2000309C 0x00001893 ', 0x2000_2f18, 3],
    ['NuttX', '200214e0: 200214f0 20021580 0815cea5 08012627 000000f0 00000000 00000000 00000000', 0x2002_14e0, 8],
    ['NuttX with its function', 'up_stackdump: 200214e0: 200214f0 20021580', 0x2002_14e0, 2],
    ['one word behind a sign', '0x20001F80 = 0x08000A1D', 0x2000_1f80, 1],
    ['an address in brackets', '[0x20001F80] = 0x08000A1D', 0x2000_1f80, 1],
    ['an address in brackets without a sign', '[20001f80] 08000a1d', 0x2000_1f80, 1],
    ['an arrow', '0x20001f80 -> 0x08000a1d', 0x2000_1f80, 1],
    ['a bar', '0x20001f80 | 0x08000a1d 0x00000000', 0x2000_1f80, 2],
    ['commas', '0x20001f80: 0x08000a1d, 0x00000000,', 0x2000_1f80, 2],
    ['signs of the bytes', '20001f80: 08000a1d 00000000  |........|', 0x2000_1f80, 2],
    ['external RAM', '0xc0000000: 0x08000a1d', 0xc000_0000, 1],
    ['an offset', '[SP+0x04] = 0x08000A1D', STACK_POINTER + 4, 1],
    ['a decimal offset', 'SP + 12: 08000a1d', STACK_POINTER + 12, 1],
  ])('is read: %s', (_, line, address, count) => {
    const found = memoryRow(line.trim(), STACK_POINTER);
    expect(found?.address).toBe(address);
    expect(found?.words).toHaveLength(count);
    expect(found?.words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true);
  });

  it('begins behind the saved registers only in CmBacktrace', () => {
    expect(memoryRow('addr: 20000420    data: 08000a1d', undefined)?.isBehindFrame).toBe(true);
    expect(memoryRow('0x20000420: 0x08000a1d', undefined)?.isBehindFrame).toBeUndefined();
  });

  it.each([
    'PC: 0x08000a2c',
    '0x20001f80',
    '0x20001f82: 0x08000a1d',
    '20001f80: 1234',
    'value 20001f80: 08000a1d',
    '08000a2c: bf00 nop',
    'SP+3: 08000a1d',
  ])('is not seen in %s', (line) => {
    expect(memoryRow(line, STACK_POINTER)).toBeUndefined();
  });

  it('needs the stack pointer for an offset', () => {
    expect(memoryRow('[SP+0x04] = 0x08000A1D', undefined)).toBeUndefined();
  });
});
