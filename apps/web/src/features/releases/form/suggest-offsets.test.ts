import { describe, expect, it } from 'vitest';
import { usualOffset } from './suggest-offsets.ts';

const esp = (deviceModel: string) => ({ deviceFamily: 'esp', deviceModel }) as const;

describe('usual offsets', () => {
  it.each([
    ['esp32', 0x1000],
    ['esp32s2', 0x1000],
    ['esp32s3', 0],
    ['esp32c6', 0],
    ['esp32c3', 0],
  ])('put the bootloader of an %s at %i', (model, offset) => {
    expect(usualOffset('bootloader.bin', esp(model))).toBe(offset);
    expect(usualOffset('sketch.ino.bootloader.bin', esp(model))).toBe(offset);
  });

  it.each([
    ['sketch.ino.merged.bin', 0],
    ['firmware.factory.bin', 0],
    ['partition-table.bin', 0x8000],
    ['sketch.ino.partitions.bin', 0x8000],
    ['boot_app0.bin', 0xe000],
    ['littlefs.bin', 0x110000],
    ['weather-node.bin', 0x10000],
  ])('put %s of an Espressif chip at %i', (name, offset) => {
    expect(usualOffset(name, esp('esp32'))).toBe(offset);
  });

  it('put anything for an STM32 at the begin of its flash', () => {
    expect(usualOffset('bootloader.bin', { deviceFamily: 'stm', deviceModel: 'stm32g' })).toBe(0x0800_0000);
  });
});
