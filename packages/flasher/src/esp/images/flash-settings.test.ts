import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chipFacts, chipNames } from '../chips/chip-facts.ts';
import { buildBootloader, buildImage, esp8266Address } from '../testing/esp-images.ts';
import { findImageFaults, readEspImage } from './esp-image.ts';
import {
  flashFrequencies,
  flashModes,
  flashSizes,
  keepFlashSettings,
  readFlashSettings,
  withFlashSettings,
} from './flash-settings.ts';

const MIB = 1_048_576;

function programFor(chip: (typeof chipNames)[number]): Uint8Array {
  const { imageChipId } = chipFacts[chip];
  return imageChipId === null
    ? buildImage({ chipId: null, segments: [{ address: esp8266Address, data: new Uint8Array(40) }] })
    : buildBootloader({ chipId: imageChipId });
}

describe('flash settings', () => {
  it('read back as changed, and the image stays whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...chipNames).chain((chip) =>
          fc.record({
            chip: fc.constant(chip),
            mode: fc.constantFrom(...flashModes),
            frequency: fc.constantFrom(...flashFrequencies(chip)),
            size: fc.constantFrom(...flashSizes(chip)),
          }),
        ),
        async ({ chip, ...settings }) => {
          const before = programFor(chip);
          const copy = Uint8Array.from(before);
          const after = await withFlashSettings(before, settings);
          const image = readEspImage(after);
          const read = readFlashSettings(chip, image.flash);
          expect([read.mode, read.size]).toEqual([settings.mode, settings.size]);
          expect(read.frequencies).toContain(settings.frequency);
          expect(await findImageFaults(after, image)).toEqual([]);
          expect(before).toEqual(copy);
        },
      ),
    );
  });

  it('leave the image unchanged if they are kept', async () => {
    const image = buildBootloader();
    expect(await withFlashSettings(image, keepFlashSettings)).toBe(image);
    expect(await withFlashSettings(image, { mode: 'dio', frequency: 40, size: 4 * MIB })).toBe(image);
  });

  it('change their own byte and the hash, and nothing behind the image', async () => {
    const image = buildBootloader();
    const file = Uint8Array.from([...image, 1, 2, 3]);
    const patched = await withFlashSettings(file, { ...keepFlashSettings, mode: 'qio' });
    const changed = [...patched.keys()].filter((index) => patched[index] !== file[index]);
    expect(changed.filter((index) => index < image.length - 32)).toEqual([2]);
    expect(Math.max(...changed)).toBeLessThan(image.length);
  });

  it('are refused for a damaged or signed image, and for values that the chip lacks', async () => {
    const damaged = buildBootloader();
    damaged[40] = 0xff;
    const signed = new Uint8Array(0x2000).fill(0xff);
    signed.set(buildBootloader());
    signed[0x1000] = 0xe7;
    const signedForV1 = Uint8Array.from([...buildBootloader(), 0, 0, 0, 0, ...new Array<number>(64).fill(0x5a)]);
    const image = buildBootloader();
    const unknown = buildBootloader({ chipId: 99 });
    for (const [bytes, change, code] of [
      [damaged, { mode: 'qio' }, 'image-checksum'],
      [signed, { mode: 'qio' }, 'image-signed'],
      [signedForV1, { mode: 'qio' }, 'image-signed'],
      [unknown, { mode: 'qio' }, 'image-chip-unknown'],
      [image, { frequency: 48 }, 'setting-unknown'],
      [image, { size: 3 * MIB }, 'setting-unknown'],
    ] as const) {
      await expect(withFlashSettings(bytes, { ...keepFlashSettings, ...change })).rejects.toMatchObject({ code });
    }
  });

  it('have the meaning of the chip', () => {
    const codes = { mode: 2, frequency: 0, size: 2 };
    expect(readFlashSettings('esp32', codes)).toEqual({ mode: 'dio', frequencies: [40], size: 4 * MIB });
    expect(readFlashSettings('esp32h2', codes)).toEqual({ mode: 'dio', frequencies: [24], size: 4 * MIB });
    expect(readFlashSettings('esp32c6', codes)).toEqual({ mode: 'dio', frequencies: [80, 40], size: 4 * MIB });
    expect(readFlashSettings('esp8266', codes)).toEqual({ mode: 'dio', frequencies: [40], size: MIB });
    expect(readFlashSettings('esp32', { mode: 9, frequency: 7, size: 9 })).toEqual({
      mode: null,
      frequencies: [],
      size: null,
    });
  });
});
