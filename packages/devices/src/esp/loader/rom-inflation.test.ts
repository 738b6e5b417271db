/**
 * Side effects of a ROM's compressed writes on the flash, observed with genuine ROM code of an ESP32 and an ESP32-C3.
 */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { EspChipName, EspRomDeflate } from '../options.ts';
import { EspHost, words } from '../testing/esp-host.ts';
import { romWindowSize } from './rom-inflation.ts';

const flashSize = 0x40000;
const blockSize = 0x400;
/** Neighbouring bytes differ in every bit, so that a wrong AND shows. */
const before = Uint8Array.from({ length: flashSize }, (_, index) => (index * 167 + (index >> 8) * 59 + 13) & 0xff);
const image = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed + (index >> 7)) & 0xff);

async function rig(chip: EspChipName, romDeflate?: EspRomDeflate) {
  const content = [{ offset: 0, data: before }];
  const host = new EspHost({ chip, flash: { size: flashSize, content }, ...(romDeflate && { romDeflate }) });
  host.open();
  await host.enterDownload();
  await host.sync();
  await host.ask(0x0d, words(0, 0));
  await host.ask(0x0b, words(0, flashSize, 0x10000, 0x1000, 0x100, 0xffff));
  return host;
}

/** Writes `bytes` compressed. Returns the status byte of each answer; 0 means success. */
async function writeCompressed(host: EspHost, offset: number, bytes: Uint8Array): Promise<string[]> {
  const packed = deflateSync(bytes);
  const blocks = Math.ceil(packed.length / blockSize);
  const size = Math.ceil(bytes.length / 0x1000) * 0x1000;
  const answers = await host.ask(0x10, words(size, blocks, blockSize, offset, 0));
  for (let index = 0; index < blocks; index++) {
    const block = packed.subarray(index * blockSize, (index + 1) * blockSize);
    answers.push(...(await host.sendBlock(0x11, index, block)));
  }
  return answers.map((frame) => frame.slice(16, 18));
}

const and = (one: Uint8Array, other: Uint8Array) => one.map((byte, index) => byte & (other[index] ?? 0xff));

describe('compressed data without the stub', () => {
  it.each(['esp32', 'esp32s2', 'esp32s3', 'esp32c2', 'esp32c6', 'esp32h2'] as const)(
    'goes over what lies behind it on an %s, with good answers and the right hash',
    async (chip) => {
      const host = await rig(chip);
      const first = image(0x3000, 1);
      const answers = await writeCompressed(host, 0x8000, first);
      expect(new Set(answers)).toEqual(new Set(['00']));
      const after = host.device.flash.read(0, flashSize);
      expect(after.subarray(0, 0x8000)).toEqual(before.subarray(0, 0x8000));
      expect(after.subarray(0x8000, 0xb000)).toEqual(first);
      const behind = after.subarray(0xb000, 0x8000 + romWindowSize);
      expect(behind).not.toEqual(before.subarray(0xb000, 0x8000 + romWindowSize));
      expect(and(behind, before.subarray(0xb000, 0x8000 + romWindowSize))).toEqual(behind);
      expect(after.subarray(0x8000 + romWindowSize)).toEqual(before.subarray(0x8000 + romWindowSize));
    },
  );

  it('is followed by what the last stream left in RAM', async () => {
    const host = await rig('esp32');
    const first = image(romWindowSize, 1);
    await writeCompressed(host, 0x10000, first);
    const second = image(0x1000, 2);
    await writeCompressed(host, 0x20000, second);
    const after = host.device.flash.read(0, flashSize);
    expect(after.subarray(0x10000, 0x18000)).toEqual(first);
    expect(after.subarray(0x20000, 0x21000)).toEqual(second);
    expect(after.subarray(0x21000, 0x28000)).toEqual(and(before.subarray(0x21000, 0x28000), first.subarray(0x1000)));
  });

  it('touches nothing else when it fills whole windows', async () => {
    const host = await rig('esp32');
    const bytes = image(2 * romWindowSize, 3);
    await writeCompressed(host, 0x10000, bytes);
    const expected = before.slice();
    expected.set(bytes, 0x10000);
    expect(host.device.flash.read(0, flashSize)).toEqual(expected);
  });

  it('is not written where its window would pass the end of flash, and no error is reported', async () => {
    const host = await rig('esp32');
    const answers = await writeCompressed(host, flashSize - 0x3000, image(0x2000, 4));
    expect(new Set(answers)).toEqual(new Set(['00']));
    const expected = before.slice();
    expected.fill(0xff, flashSize - 0x3000, flashSize - 0x1000);
    expect(host.device.flash.read(0, flashSize)).toEqual(expected);
  });

  it.each([
    ['esp32c3', undefined],
    ['esp32s3', 'exact'],
  ] as const)('is written as it is on an %s whose ROM is exact', async (chip, romDeflate) => {
    const host = await rig(chip, romDeflate);
    const [first, last] = [image(0x3000, 5), image(0x2000, 6)];
    await writeCompressed(host, 0x8000, first);
    await writeCompressed(host, flashSize - 0x2000, last);
    const expected = before.slice();
    expected.set(first, 0x8000);
    expected.set(last, flashSize - 0x2000);
    expect(host.device.flash.read(0, flashSize)).toEqual(expected);
  });

  it('is what does it: the same bytes as they are leave the rest alone', async () => {
    const host = await rig('esp32');
    const bytes = image(0x1000, 7);
    await host.ask(0x02, words(bytes.length, 4, blockSize, 0x8000));
    for (let index = 0; index < 4; index++) {
      await host.sendBlock(0x03, index, bytes.subarray(index * blockSize, (index + 1) * blockSize));
    }
    const expected = before.slice();
    expected.set(bytes, 0x8000);
    expect(host.device.flash.read(0, flashSize)).toEqual(expected);
  });
});
