import { describe, expect, it } from 'vitest';
import type { FlashRange } from '../../core/region.ts';
import { buildApp } from '../testing/esp-images.ts';
import { checkStoredImage, readStoredImage } from './stored-image.ts';

const place = { offset: 0x1_0000, length: 0x2_0000 };

/** Returns flash with these bytes at the place, and the ranges that were read from it. */
function flashWith(bytes: Uint8Array) {
  const flash = new Uint8Array(0x4_0000).fill(0xff);
  flash.set(bytes, place.offset);
  const ranges: FlashRange[] = [];
  const read = async (range: FlashRange) => {
    ranges.push(range);
    return flash.slice(range.offset, range.offset + range.length);
  };
  return { read, ranges };
}

describe('an image in flash', () => {
  it('is read without the rest of its partition, and checked', async () => {
    const app = buildApp({ size: 20_000 });
    const { read, ranges } = flashWith(app);
    const bytes = await readStoredImage(place, read);
    expect(bytes?.subarray(0, app.length)).toEqual(app);
    expect(bytes?.length).toBeLessThan(app.length + 2 * 0x1000);
    expect(ranges.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(app.length + 3 * 0x1000);
    expect(await checkStoredImage(bytes ?? new Uint8Array())).toMatchObject({ image: { chip: 'esp32' }, faults: [] });
  });

  it('shows a changed byte', async () => {
    const app = buildApp({ size: 20_000 });
    app[9_000] = (app[9_000] ?? 0) ^ 1;
    const bytes = await readStoredImage(place, flashWith(app).read);
    expect((await checkStoredImage(bytes ?? new Uint8Array()))?.faults).toContain('image-checksum');
  });

  it.each([
    ['erased flash', new Uint8Array()],
    ['other data', new Uint8Array(100).fill(7)],
    [
      'a header with segments beyond the partition',
      Uint8Array.of(0xe9, 3, 2, 0x20, ...new Array<number>(19).fill(0), 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0),
    ],
    ['only a first byte', Uint8Array.of(0xe9)],
  ])('is not found in %s', async (_, bytes) => {
    expect(await readStoredImage(place, flashWith(bytes).read)).toBeNull();
  });
});
