import { describe, expect, it } from 'vitest';
import type { AvrBootloader, AvrFuses } from '../avr-board.ts';
import { type AvrModel, avrParts } from '../parts/part-table.ts';
import { bootFlashOf } from './board-facts.ts';

const partOf = (model: AvrModel) => {
  const part = avrParts.find((one) => one.model === model);
  if (part === undefined) {
    throw new Error(model);
  }
  return part;
};
const high = (value: number): AvrFuses => ({ low: null, high: value, extended: null, lock: null });
const extended = (value: number): AvrFuses => ({ low: null, high: null, extended: value, lock: null });

describe('the flash of the bootloader', () => {
  // ATmega328P, ATmega2560 and ATmega168 data sheets, "Boot Size Configuration". Fuses: boards.txt of Arduino's core.
  it.each([
    ['atmega328p', high(0xde), 0x7e00],
    ['atmega328p', high(0xda), 0x7800],
    ['atmega328p', high(0xd8), 0x7000],
    ['atmega2560', high(0xd8), 0x3_e000],
    ['atmega2560', high(0xdf), 0x3_fc00],
    ['atmega32u4', high(0xd8), 0x7000],
    ['atmega168', extended(0xf8), 0x3800],
    ['atmega168', extended(0xfe), 0x3f00],
  ] as const)('of %s follows from its fuses', (model, fuses, offset) => {
    const part = partOf(model);
    expect(bootFlashOf(part, { bootloader: 'unknown', fuses })).toEqual({
      range: { offset, length: part.flashSize - offset },
      from: 'fuse',
    });
  });

  it.each([
    ['atmega328p', 'optiboot', false, 0x7e00],
    ['atmega328p', 'optiboot', true, 0x7c00],
    ['atmega1284p', 'optiboot', false, 0x1_fc00],
    ['atmega328p', 'atmegaboot', true, 0x7800],
    ['atmega1280', 'atmegaboot', true, 0x1_f000],
    ['atmega8', 'atmegaboot', true, 0x1c00],
    ['atmega328p', 'unknown', true, 0x7000],
  ] as readonly (readonly [AvrModel, AvrBootloader, boolean, number])[])(
    'of %s is that of %s if no fuse is read',
    (model, bootloader, hasEeprom, offset) => {
      const part = partOf(model);
      expect(bootFlashOf(part, { bootloader, fuses: null }, hasEeprom)).toEqual({
        range: { offset, length: part.flashSize - offset },
        from: 'usual',
      });
    },
  );

  it('of ATmega4809 is at the beginning', () => {
    const { range } = bootFlashOf(partOf('atmega4809'), { bootloader: 'optiboot', fuses: null });
    expect(range).toEqual({ offset: 0, length: 512 });
  });

  it('is one of the sizes of each part', () => {
    for (const part of avrParts.filter(({ isXmega }) => isXmega !== true)) {
      for (const bootloader of ['optiboot', 'atmegaboot', 'stk500boot', 'caterina', 'unknown'] as const) {
        expect(part.bootSizes).toContain(bootFlashOf(part, { bootloader, fuses: null }).range.length);
      }
    }
  });
});
