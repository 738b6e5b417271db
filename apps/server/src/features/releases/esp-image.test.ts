import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appDescription, buildEspImage, DROM_ADDRESS, IRAM_ADDRESS } from './esp-image.ts';
import { BOOT_TEXT_MARK, demoBootText, demoImage } from './releases.ts';

/** Reads an image as the chip's loader does, and throws if the loader would refuse it. */
function load(image: Uint8Array) {
  const bytes = Buffer.from(image);
  if (bytes[0] !== 0xe9) {
    throw new Error('wrong magic');
  }
  const segments: { address: number; data: Buffer; position: number }[] = [];
  let position = 24;
  let checksum = 0xef;
  for (let index = 0; index < (bytes[1] ?? 0); index++) {
    const [address, length] = [bytes.readUInt32LE(position), bytes.readUInt32LE(position + 4)];
    position += 8;
    const data = bytes.subarray(position, position + length);
    segments.push({ address, data, position });
    position += length;
    for (const byte of data) {
      checksum ^= byte;
    }
  }
  position = Math.floor(position / 16) * 16 + 15;
  if (bytes[position] !== checksum) {
    throw new Error('wrong checksum');
  }
  const digest = createHash('sha256')
    .update(bytes.subarray(0, position + 1))
    .digest();
  if (bytes[23] !== 1 || !bytes.subarray(position + 1).equals(digest)) {
    throw new Error('wrong hash');
  }
  return { entry: bytes.readUInt32LE(4), chip: bytes.readUInt16LE(12), segments };
}

describe('ESP32 image', () => {
  it('is loaded as it was built, whatever its segments hold', () => {
    const segment = fc.record({ address: fc.nat(0xffff_ffff), data: fc.uint8Array({ maxLength: 70 }) });
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.array(segment, { minLength: 1, maxLength: 5 }), (entry, segments) => {
        const loaded = load(buildEspImage({ entry, segments }));
        expect([loaded.entry, loaded.chip]).toEqual([entry, 0]);
        expect(loaded.segments.map(({ address }) => address)).toEqual(segments.map(({ address }) => address));
        for (const [index, { data }] of loaded.segments.entries()) {
          const given = segments[index]?.data ?? new Uint8Array();
          expect(data.length % 4).toBe(0);
          expect([...data.subarray(0, given.length)]).toEqual([...given]);
          expect(data.subarray(given.length).every((byte) => byte === 0)).toBe(true);
        }
      }),
    );
  });

  it('notices a single bit that fell over', () => {
    const image = demoImage();
    expect(() => load(image)).not.toThrow();
    fc.assert(
      fc.property(fc.nat(image.length - 1), fc.nat(7), (index, bit) => {
        const damaged = Uint8Array.from(image);
        damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        expect(() => load(damaged)).toThrow();
      }),
      { numRuns: 200 },
    );
  });

  it('takes no text that has no room', () => {
    const texts = { version: '1', projectName: 'x'.repeat(32), idfVersion: '', time: '', date: '' };
    expect(() => appDescription(texts)).toThrow(RangeError);
  });
});

describe('demo image', () => {
  it('describes itself where every application does', () => {
    const { segments, entry } = load(demoImage());
    expect(segments.map(({ address }) => address)).toEqual([DROM_ADDRESS, IRAM_ADDRESS]);
    expect(entry).toBe(IRAM_ADDRESS);
    const [data] = segments;
    // Flash is mapped in pages of 64 KiB, so the data needs the same offset in a page in the file as in memory.
    expect(data?.position).toBe(DROM_ADDRESS % 0x10000);
    expect(data?.data.readUInt32LE(0)).toBe(0xabcd5432);
    const text = (start: number) => data?.data.toString('latin1', start, start + 32).replace(/\0.*$/, '');
    expect([text(16), text(48)]).toEqual(['1.0.0', 'wirebench-demo']);
  });

  it('carries the text that the board says when it starts', () => {
    const text = Buffer.from(demoImage()).toString('latin1');
    const start = text.indexOf(BOOT_TEXT_MARK) + BOOT_TEXT_MARK.length;
    expect(text.slice(start, text.indexOf('\0', start))).toBe(demoBootText);
  });

  it('is the same each time, and small', () => {
    expect(demoImage()).toEqual(demoImage());
    expect(demoImage().length).toBeLessThan(4_096);
  });
});
