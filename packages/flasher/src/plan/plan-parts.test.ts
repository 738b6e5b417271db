import { describe, expect, it } from 'vitest';
import { filler } from '../images/testing/esp-images.ts';
import { md5 } from '../md5.ts';
import { compareReleases, type ReleaseFile } from './compare-releases.ts';
import { without } from './ranges.ts';
import { compareWithDevice } from './region-progress.ts';
import { plan, wholeBuild } from './testing/plans.ts';
import { estimateTime, sampleCompression } from './time-estimate.ts';

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

describe('two releases', () => {
  const release = (fileName: string, offset: number, sha256: string): ReleaseFile => ({
    fileName,
    offset,
    size: 10,
    sha256,
  });
  const kinds = (before: ReleaseFile[], after: ReleaseFile[]) =>
    compareReleases(before, after).map((change) => [change.kind, change.before?.fileName, change.after?.fileName]);

  it('say that a file was renamed where only its name differs', () => {
    expect(kinds([release('app-1.0.bin', 0x10000, 'a')], [release('app-1.1.bin', 0x10000, 'a')])).toEqual([
      ['renamed', 'app-1.0.bin', 'app-1.1.bin'],
    ]);
  });

  it('tell what is the same, changed, moved, added and removed, by address', () => {
    expect(
      kinds(
        [
          release('boot.bin', 0x1000, 'a'),
          release('table.bin', 0x8000, 'b'),
          release('app-1.0.bin', 0x10000, 'c'),
          release('fs.bin', 0x200000, 'd'),
          release('old.bin', 0x300000, 'e'),
        ],
        [
          release('app-1.1.bin', 0x10000, 'f'),
          release('boot.bin', 0x1000, 'a'),
          release('table.bin', 0x8000, 'g'),
          release('fs.bin', 0x280000, 'd'),
          release('new.bin', 0x380000, 'h'),
        ],
      ),
    ).toEqual([
      ['same', 'boot.bin', 'boot.bin'],
      ['changed', 'table.bin', 'table.bin'],
      ['changed', 'app-1.0.bin', 'app-1.1.bin'],
      ['moved', 'fs.bin', 'fs.bin'],
      ['removed', 'old.bin', undefined],
      ['added', undefined, 'new.bin'],
    ]);
  });

  it('that are renamed and moved are known by their contents', () => {
    expect(kinds([release('a.bin', 0, 'x')], [release('b.bin', 0x1000, 'x')])).toEqual([['moved', 'a.bin', 'b.bin']]);
  });
});

describe('time of a write', () => {
  const regions = [{ offset: 0x10000, bytes: new Uint8Array(1_500_000) }];
  const input = { regions, baudRate: 460_800, compression: 0.37, eraseAll: false, flashSize: 4_194_304 };

  it('is what the wire takes where that is slower than the flash', () => {
    expect(estimateTime(input) / 1_000).toBeCloseTo((1_500_000 * 0.37 * 1.04) / 46_080, 1);
    expect(estimateTime({ ...input, baudRate: 115_200 })).toBeCloseTo(4 * estimateTime(input));
  });

  it('is what the flash takes where that is slower, and erasing everything comes first', () => {
    const flash = 22 * 150 + 15 * 45 + 5_860 * 0.4;
    expect(estimateTime({ ...input, baudRate: null, compression: 0.01 })).toBeCloseTo(flash, 0);
    expect(estimateTime({ ...input, eraseAll: true })).toBeCloseTo(64 * 150 + estimateTime(input), 0);
  });

  it('takes the compression from samples of everything', () => {
    const noise = new Uint8Array(400_000);
    for (let at = 0; at < noise.length; at += 65_536) {
      crypto.getRandomValues(noise.subarray(at, at + 65_536));
    }
    const empty = new Uint8Array(400_000);
    expect(sampleCompression([{ bytes: empty }])).toBeLessThan(0.01);
    expect(sampleCompression([{ bytes: noise }])).toBeGreaterThan(0.99);
    expect(sampleCompression([{ bytes: noise }, { bytes: empty }])).toBeCloseTo(0.5, 1);
    expect([sampleCompression([]), sampleCompression([{ bytes: filler(8) }])]).toEqual([1, expect.any(Number)]);
  });
});

describe('ranges', () => {
  it('without others leave what none of them has', () => {
    const range = { offset: 10, length: 20 };
    expect(without(range, [])).toEqual([range]);
    expect(
      without(range, [
        { offset: 25, length: 100 },
        { offset: 0, length: 12 },
        { offset: 14, length: 2 },
      ]),
    ).toEqual([
      { offset: 12, length: 2 },
      { offset: 16, length: 9 },
    ]);
    expect(without(range, [{ offset: 0, length: 100 }])).toEqual([]);
    expect(without(range, [{ offset: range.offset + range.length, length: 1 }])).toEqual([range]);
  });
});
