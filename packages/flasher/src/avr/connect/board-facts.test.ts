import { describe, expect, it } from 'vitest';
import type { AvrBootloader, AvrFuses } from '../avr-board.ts';
import { type AvrModel, avrParts } from '../parts/part-table.ts';
import { bootFlashOf, infoOf, knownFuses } from './board-facts.ts';

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
  ] as const)('follows from the fuses of %s', (model, fuses, offset) => {
    const part = partOf(model);
    expect(bootFlashOf(part, { bootloader: 'unknown', fuses })).toEqual({
      range: { offset, length: part.flashSize - offset },
      from: 'fuse',
    });
  });

  it.each([
    ['atmega328p', high(0x00), 0x7000],
    ['atmega328p', high(0xff), 0x7000],
    // SPIEN is not programmed.
    ['atmega328p', high(0xfa), 0x7000],
    // RSTDISBL is programmed: the reset that started the bootloader would not work.
    ['atmega328p', high(0x5a), 0x7000],
    ['atmega16u2', high(0x9a), 0x3000],
    ['atmega2560', high(0x00), 0x3_e000],
    ['atmega2560', high(0xff), 0x3_e000],
    ['atmega32u4', high(0x7f), 0x7000],
    ['atmega168', extended(0x00), 0x3800],
    ['atmega168', extended(0xff), 0x3800],
    ['atmega168', extended(0xa5), 0x3800],
    // One answer to every question.
    ['atmega328p', { low: 0xde, high: 0xde, extended: 0xde, lock: 0xde }, 0x7000],
    ['atmega2560', { low: 0x00, high: 0x00, extended: 0x00, lock: 0x00 }, 0x3_e000],
  ] as const)('is that of the bootloader on an %s with fuses that no board has: %o', (model, fuses, offset) => {
    const part = partOf(model);
    expect(bootFlashOf(part, { bootloader: 'unknown', fuses })).toEqual({
      range: { offset, length: part.flashSize - offset },
      from: 'usual',
    });
  });

  it('shows no fuse that is impossible, and keeps the others', () => {
    const part = partOf('atmega32u4');
    const read = { low: 0xff, high: 0xd8, extended: 0xcb, lock: 0xef };
    expect(knownFuses(part, read)).toEqual(read);
    expect(knownFuses(part, { ...read, high: 0xff })).toEqual({ ...read, high: null });
    expect(knownFuses(part, high(0))).toBeNull();
    const facts = { signature: 0x1e9587, bootloader: 'caterina', name: 'Caterina', version: null } as const;
    const info = infoOf({
      driver: { protocol: 'avr109', writesInOrder: false },
      facts: { ...facts, fuses: { low: 0xff, high: 0xff, extended: 0xff, lock: 0xff } },
      hasEeprom: true,
      link: 'usb',
      entered: 'touch',
      baudRate: 57_600,
    });
    expect(info).toMatchObject({ fuses: null, bootloaderRange: { offset: 0x7000 }, bootloaderRangeFrom: 'usual' });
  });

  it.each([
    ['atmega168', extended(0x04), 0x3e00],
    ['atmega168p', extended(0xfc), 0x3e00],
  ] as const)('follows from the fuse of an %s with and without its unused bits', (model, fuses, offset) => {
    expect(bootFlashOf(partOf(model), { bootloader: 'unknown', fuses }).range.offset).toBe(offset);
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
    'is on %s that of %s if no fuse is read',
    (model, bootloader, hasEeprom, offset) => {
      const part = partOf(model);
      expect(bootFlashOf(part, { bootloader, fuses: null }, hasEeprom)).toEqual({
        range: { offset, length: part.flashSize - offset },
        from: 'usual',
      });
    },
  );

  it('is at the beginning on ATmega4809', () => {
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
