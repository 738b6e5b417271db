import { describe, expect, it } from 'vitest';
import { md5 } from '../../core/md5.ts';
import { noise } from '../../testing/program.ts';
import { filler } from '../testing/esp-images.ts';
import { plan, wholeBuild } from '../testing/plans.ts';
import { estimateEspTime, sampleCompression } from './esp-time.ts';
import { compareWithDevice } from './region-progress.ts';

describe('regions against the device', () => {
  it('are the same, different or unknown, and a file is as its worst region', async () => {
    const { regions } = await plan({});
    const hashes = new Map(regions.slice(0, 4).map(({ offset, bytes }) => [offset, md5(bytes)]));
    hashes.set(0x30000, 'f'.repeat(32));
    const found = compareWithDevice({ regions }, hashes);
    expect([found.same.length, found.different.length, found.unknown.length]).toEqual([3, 1, 1]);
    expect([...found.files]).toEqual([
      ['bootloader.bin', 'same'],
      ['partitions.bin', 'same'],
      ['app.bin', 'different'],
    ]);
    expect(found.otherBytes).toBe((wholeBuild[2]?.bytes.length ?? 0) - 131_072);
  });
});

describe('time of a write', () => {
  const regions = [{ offset: 0x10000, bytes: new Uint8Array(1_500_000) }];
  const input = { regions, baudRate: 460_800, compression: 0.37, eraseAll: false, flashSize: 4_194_304 };

  it('is what the wire takes where that is slower than the flash', () => {
    expect(estimateEspTime(input) / 1_000).toBeCloseTo((1_500_000 * 0.37 * 1.04) / 46_080, 1);
    expect(estimateEspTime({ ...input, baudRate: 115_200 })).toBeCloseTo(4 * estimateEspTime(input));
  });

  it('is what the flash takes where that is slower, and erasing everything comes first', () => {
    const flash = 22 * 150 + 15 * 45 + 5_860 * 0.4;
    expect(estimateEspTime({ ...input, baudRate: null, compression: 0.01 })).toBeCloseTo(flash, 0);
    expect(estimateEspTime({ ...input, eraseAll: true })).toBeCloseTo(64 * 150 + estimateEspTime(input), 0);
  });

  it('takes the compression from samples of everything', () => {
    const empty = new Uint8Array(400_000);
    expect(sampleCompression([{ bytes: empty }])).toBeLessThan(0.01);
    expect(sampleCompression([{ bytes: noise(400_000) }])).toBeGreaterThan(0.99);
    expect(sampleCompression([{ bytes: noise(400_000) }, { bytes: empty }])).toBeCloseTo(0.5, 1);
    expect([sampleCompression([]), sampleCompression([{ bytes: filler(8) }])]).toEqual([1, expect.any(Number)]);
  });
});
