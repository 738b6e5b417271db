/** Calibration fuses of demo chips, read by READ_REG and taken apart by the positions in esptool's definitions. */
import { expect, it } from 'vitest';
import { espChips } from './chips/index.ts';
import { espChipNames } from './options.ts';
import { EspHost } from './testing/esp-host.ts';

async function reader(chip: (typeof espChipNames)[number], calibration: 'none' | 'typical' = 'typical') {
  const host = new EspHost({ chip, calibration });
  host.open();
  await host.enterDownload();
  return async (address: number) => {
    const [answer = ''] = await host.ask(0x0a, Uint8Array.from([address, address >> 8, address >> 16, address >> 24]));
    return Buffer.from(answer.slice(8, 16), 'hex').readUInt32LE();
  };
}

it.each([
  ['esp32', 0x3ff5a010, 8, 5, 3],
  ['esp32', 0x3ff5a084, 7, 9, 0x1f2],
  ['esp32s2', 0x3f41a06c, 4, 3, 2],
  ['esp32s3', 0x6000706c, 4, 9, 0x10c],
  ['esp32c2', 0x60008848, 14, 8, 0x61],
  ['esp32c3', 0x6000886c, 12, 8, 94],
  ['esp32c6', 0x600b086c, 0, 9, 0x104],
  ['esp32c5', 0x600b486c, 17, 10, 0x1cb],
  ['esp32h2', 0x600b086c, 8, 9, 0x107],
  ['esp32p4', 0x5012d06c, 10, 10, 0x1d8],
] as const)('an %s has the calibration field at 0x%x, bit %i', async (chip, address, shift, length, value) => {
  const read = await reader(chip);
  expect(((await read(address)) >>> shift) & (2 ** length - 1)).toBe(value);
});

it('a field can continue in the next word', async () => {
  const read = await reader('esp32c3');
  const [low, high] = [await read(0x6000886c), await read(0x60008870)];
  expect((low >>> 30) | ((high & 0xff) << 2)).toBe(0x1ff);
});

it('calibration leaves MAC and revision alone, and is absent by default', async () => {
  const [burnt, blank] = [await reader('esp32c3'), await reader('esp32c3', 'none')];
  for (const address of [0x60008844, 0x60008848]) {
    expect(await burnt(address)).toBe(await blank(address));
  }
  expect(((await burnt(0x60008850)) >>> 18) & 7).toBe(3);
  expect(await blank(0x6000886c)).toBe(0);
});

it.each(espChipNames)('the calibration of an %s fits its fields, and no two of them overlap', (chip) => {
  const taken = new Set<number>();
  for (const { address, fields } of espChips[chip].calibration ?? []) {
    for (const [word, shift, length, value] of fields) {
      expect(value).toBeLessThan(2 ** length);
      for (let bit = 0; bit < length; bit++) {
        const at = (address + word * 4) * 8 + shift + bit;
        expect(taken.has(at)).toBe(false);
        taken.add(at);
      }
    }
  }
});
