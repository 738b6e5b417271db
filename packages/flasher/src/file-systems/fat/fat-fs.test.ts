import { randomSeeds } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';
import { FileSystemError } from '../file-system-error.ts';
import { contentOf } from '../testing/operations.ts';
import { FatFs } from './fat-fs.ts';
import { buildFat, formatFat } from './format-fat.ts';

const size = 1_048_576;
const sector = 4_096;
const text = (value: string) => new TextEncoder().encode(value);
const files = [
  { path: '/config.json', bytes: text('{"interval_s": 60}') },
  { path: '/www/A long name of a page.html', bytes: contentOf(9_000, 1) },
];
const plain = { wearLevelling: false } as const;

/** Offsets of both copies of the state, then the configuration. Up to 252 sectors fit into copies of one sector. */
const statesOf = (length: number) => {
  const copy = length <= 252 * sector ? sector : 2 * sector;
  return [length - sector - 2 * copy, length - sector - copy] as const;
};
const states = statesOf(size);
const dataSectors = (size - 6 * sector) / sector;

/**
 * Moves the dummy of an image by `steps`, as `WL_Flash::updateWL` does: the sector behind it is copied to its place, and
 * a record is added to both states. After a whole round, the data are rotated by one sector.
 */
function level(image: Uint8Array, steps: number): Uint8Array {
  const levelled = image.slice();
  const view = viewOf(levelled);
  const states = statesOf(image.length);
  const dataSectors = states[0] / sector - 1;
  const device = view.getUint32(states[0] + 28, true);
  let dummy = 0;
  for (let step = 0; step < steps; step++) {
    const from = dummy + 1 > dataSectors ? 0 : dummy + 1;
    levelled.set(levelled.slice(from * sector, (from + 1) * sector), dummy * sector);
    for (const state of states) {
      const word = new Uint8Array(4);
      for (let part = 0; part < 4; part++) {
        viewOf(word).setUint32(0, device + dummy * 4 + part, true);
        view.setUint32(state + 64 + dummy * 16 + part * 4, crc32(word, 0xffff_ffff), true);
      }
    }
    dummy++;
    if (dummy > dataSectors) {
      dummy = 0;
      for (const state of states) {
        view.setUint32(state + 8, view.getUint32(state + 8, true) + 1, true);
        view.setUint32(state + 60, crc32(levelled.subarray(state, state + 60), 0xffff_ffff), true);
        levelled.fill(0xff, state + 64, state + states[1] - states[0]);
      }
    }
  }
  return levelled;
}

/** Returns the image at the start of a partition of another length. */
function inPartition(image: Uint8Array, length: number): Uint8Array {
  const partition = new Uint8Array(length).fill(0xff);
  partition.set(image.subarray(0, length));
  return partition;
}

const codesOf = (fileSystem: FatFs) => fileSystem.findings.map(({ code }) => code);
const refused = expect.objectContaining({ code: 'damaged' });
const namesIn = (fileSystem: FatFs) => fileSystem.list().map(({ path }) => path);
const allNames = ['/config.json', '/www', '/www/A long name of a page.html'];

describe('FAT with wear levelling of another length than its partition', () => {
  const lengths = [0x8_6000, 0x9_0000, 0xf_c000, 0xf_d000];

  it.each(lengths)('is read and changed where nothing has moved: %i bytes', (length) => {
    const fileSystem = new FatFs(inPartition(buildFat(length, files), size));
    expect(namesIn(fileSystem)).toEqual(allNames);
    expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([false, ['levelling-shorter']]);
    fileSystem.write('/new.bin', contentOf(30_000, 3));
    const again = new FatFs(fileSystem.image.slice(0, length));
    expect([again.read('/new.bin'), again.findings]).toEqual([contentOf(30_000, 3), []]);
  });

  it.each(lengths.flatMap((length) => [1, 5, 40, 300].map((steps) => [length, steps] as const)))(
    'is read and only shown where its state has moved: %i bytes, %i moves',
    (length, steps) => {
      const fileSystem = new FatFs(inPartition(level(buildFat(length, files), steps), size));
      expect(namesIn(fileSystem)).toEqual(allNames);
      expect(fileSystem.read('/www/A long name of a page.html')).toEqual(files[1]?.bytes);
      expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([true, ['levelling-elsewhere']]);
      expect(() => fileSystem.write('/x', text('x'))).toThrow(refused);
      expect(() => fileSystem.remove('/config.json')).toThrow(refused);
      expect(fileSystem.changedSectors()).toEqual([]);
    },
  );

  it('is one of the partition once the firmware has made its state there', () => {
    const mounted = inPartition(buildFat(0x8_6000, files), size);
    mounted.set(formatFat(size).subarray(states[0]), states[0]);
    for (const steps of [0, 1, 200, dataSectors + 9]) {
      const fileSystem = new FatFs(level(mounted, steps));
      expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([false, []]);
      expect(fileSystem.read('/www/A long name of a page.html')).toEqual(files[1]?.bytes);
    }
  });

  it('is only shown where the partition is too small for it', () => {
    const fileSystem = new FatFs(buildFat(size, files).slice(0, 0x8_0000));
    expect(namesIn(fileSystem)).toEqual(allNames);
    expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([true, ['image-shorter', 'levelling-lost']]);
  });

  it('fills the partition after it was formatted', () => {
    for (const image of [level(buildFat(0x8_6000, files), 5), buildFat(0x9_0000, files)]) {
      const fileSystem = new FatFs(inPartition(image, size));
      fileSystem.format();
      expect([fileSystem.isReadOnly, fileSystem.list(), fileSystem.usage().total > 900_000]).toEqual([false, [], true]);
      fileSystem.write('/x', text('x'));
      const again = new FatFs(fileSystem.image);
      expect([again.findings, again.read('/x')]).toEqual([[], text('x')]);
    }
  });
});

describe('FAT whose wear levelling does not pass its check', () => {
  it('is only shown with one damaged copy of the state', () => {
    for (const at of states) {
      const image = level(buildFat(size, files), 17);
      image.fill(0, at, at + 8);
      const fileSystem = new FatFs(image);
      expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([true, ['levelling-damaged']]);
      expect(fileSystem.read('/config.json')).toEqual(files[0]?.bytes);
      expect(() => fileSystem.write('/x', text('x'))).toThrow(refused);
    }
  });

  it('is read by the first copy when the power failed between the two', () => {
    // All but the last step of a round, and the round as a whole.
    const before = level(buildFat(size, files), dataSectors);
    const after = level(buildFat(size, files), dataSectors + 1);
    const cut = after.slice();
    cut.set(before.subarray(states[1], size - sector), states[1]);
    const fileSystem = new FatFs(cut);
    expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([false, []]);
    expect(fileSystem.read('/www/A long name of a page.html')).toEqual(files[1]?.bytes);
    // The record of the last move is in the first copy alone.
    const half = level(buildFat(size, files), 20);
    half.set(level(buildFat(size, files), 19).subarray(states[1], size - sector), states[1]);
    expect(new FatFs(half).read('/config.json')).toEqual(files[0]?.bytes);
  });

  it('is named and not read as another volume when both copies are damaged', () => {
    const image = level(buildFat(size, files), 30);
    image.fill(0, states[0], states[0] + 8);
    image.fill(0, states[1], states[1] + 8);
    expect(() => new FatFs(image)).toThrow(expect.objectContaining({ code: 'levelling-lost' }));
    // The firmware makes a new state where nothing has moved.
    const fresh = buildFat(size, files);
    fresh.fill(0xff, states[0]);
    const fileSystem = new FatFs(fresh);
    expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([true, ['levelling-lost']]);
    expect(namesIn(fileSystem)).toEqual(allNames);
  });

  it('is named when its state has the version of ESP-IDF before 3.0', () => {
    const image = level(buildFat(size, files), 3);
    image.fill(0xff, size - sector);
    for (const at of states) {
      viewOf(image).setUint32(at + 24, 1, true);
      viewOf(image).setUint32(at + 28, crc32(image.subarray(at, at + 28), 0xffff_ffff), true);
    }
    expect(() => new FatFs(image)).toThrow(expect.objectContaining({ code: 'levelling-lost' }));
  });

  it('is only shown while a write of the safe mode is unfinished', () => {
    // `wl_fatfsgen.py --wl_mode safe`: the volume ends two sectors before the data.
    const image = buildFat(size, files, { sectorSize: 512 });
    const sectors = viewOf(image).getUint16(sector + 19, true);
    viewOf(image).setUint16(sector + 19, sectors - 16, true);
    expect([new FatFs(image).isReadOnly, codesOf(new FatFs(image))]).toEqual([false, []]);
    viewOf(image).setUint32(states[0] - 2 * sector, 0x1234_5678, true);
    const fileSystem = new FatFs(image);
    expect([fileSystem.isReadOnly, codesOf(fileSystem)]).toEqual([true, ['levelling-unfinished']]);
    fileSystem.format();
    expect(new FatFs(fileSystem.image).findings).toEqual([]);
  });
});

describe('FAT that does not pass its own check', () => {
  const damages: readonly (readonly [string, string, (image: Uint8Array) => void])[] = [
    ['copies of its table differ', 'table-damaged', (image) => image.fill(0, 2 * sector + 9, 2 * sector + 12)],
    ['the table begins with another medium', 'table-damaged', (image) => image.set([0xf0], sector)],
    [
      'the chain of a file leads into a free cluster',
      'table-damaged',
      (image) => {
        // Entry 5 of FAT12, in both copies: the second cluster of the page.
        for (const table of [sector, 2 * sector]) {
          const at = table + 7;
          viewOf(image).setUint16(at, (viewOf(image).getUint16(at, true) & 0x000f) | (200 << 4), true);
        }
      },
    ],
    [
      'its root folder has other bytes',
      'folders-damaged',
      (image) => image.set([0x07, 0x2f, 0x00, 0x11], 3 * sector + 33),
    ],
  ];

  it.each(damages)('is only shown when %s', (_, code, damage) => {
    const image = buildFat(size, files, plain);
    damage(image);
    const fileSystem = new FatFs(image);
    expect(fileSystem.isReadOnly).toBe(true);
    expect(codesOf(fileSystem)).toContain(code);
    for (const { what, remedy } of fileSystem.findings) {
      expect(`${what} ${remedy}`).not.toMatch(/replace|delete/i);
    }
    expect(() => fileSystem.write('/x', text('x'))).toThrow(refused);
    fileSystem.format();
    fileSystem.write('/x', text('x'));
    expect([new FatFs(fileSystem.image).findings, namesIn(fileSystem)]).toEqual([[], ['/x']]);
  });

  it('is no file system without the signature of its first sector', () => {
    const image = buildFat(size, files, plain);
    image[510] = 0;
    expect(() => new FatFs(image)).toThrow(expect.objectContaining({ code: 'no-file-system' }));
  });
});

describe('FatFs', () => {
  it('keeps long names, and finds files without regard to upper and lower case', () => {
    const fileSystem = new FatFs(buildFat(size, files));
    expect(fileSystem.list().map(({ path, kind }) => [path, kind])).toEqual([
      ['/config.json', 'file'],
      ['/www', 'folder'],
      ['/www/A long name of a page.html', 'file'],
    ]);
    expect(fileSystem.read('/CONFIG.JSON')).toEqual(files[0]?.bytes);
    expect(fileSystem.read('/www/ALONGN~1.HTM')).toEqual(files[1]?.bytes);
    fileSystem.rename('/config.json', '/Config.json');
    expect(fileSystem.list().map(({ path }) => path)).toContain('/Config.json');
    expect(() => fileSystem.rename('/Config.json', '/WWW')).toThrow(FileSystemError);
  });

  it.each([0, 1, 17, dataSectors, dataSectors + 1, 3 * (dataSectors + 1) + 40])(
    'reads and changes data whose dummy sector has moved %i times',
    (steps) => {
      const image = level(buildFat(size, files), steps);
      const fileSystem = new FatFs(image);
      expect(fileSystem.title).toContain('with wear levelling');
      expect(fileSystem.read('/www/A long name of a page.html')).toEqual(files[1]?.bytes);
      fileSystem.write('/config.json', text('{}'));
      fileSystem.write('/new.bin', contentOf(30_000, 3));
      const again = new FatFs(fileSystem.image);
      expect(again.read('/config.json')).toEqual(text('{}'));
      expect(again.read('/new.bin')).toEqual(contentOf(30_000, 3));
      // State and configuration stay as they are.
      expect(Buffer.compare(fileSystem.image.subarray(states[0]), image.subarray(states[0]))).toBe(0);
    },
  );

  it('takes the state that the image generator of ESP-IDF writes, whose device has a random number', () => {
    const image = buildFat(size, files);
    for (const state of states) {
      // From `wl_fatfsgen.py` for a partition of 1 MiB: everything else is the same.
      image.set([0xac, 0xa8, 0x36, 0x01], state + 28);
      image.set([0x24, 0xd9, 0x2a, 0x70], state + 60);
    }
    const fileSystem = new FatFs(image);
    expect([fileSystem.findings, fileSystem.read('/config.json')]).toEqual([[], files[0]?.bytes]);
  });

  it('writes only the sectors of a file and its folder when its length in clusters stays', () => {
    const fileSystem = new FatFs(buildFat(size, files));
    fileSystem.write('/config.json', text('{"interval_s": 300}'));
    expect(fileSystem.changedSectors().reduce((sum, { length }) => sum + length, 0)).toBe(2 * sector);
  });

  it.each([
    [formatFat(size), 'FAT12 with wear levelling, clusters of 4,096 bytes, sectors of 4,096'],
    [formatFat(size, plain), 'FAT12 without wear levelling, clusters of 4,096 bytes, sectors of 4,096'],
    [formatFat(8 * size, { sectorSize: 512 }), 'FAT16 with wear levelling, clusters of 512 bytes, sectors of 512'],
  ])('has the shape that ESP-IDF gives a new one: %#', (image, title) => {
    expect(new FatFs(image).title).toBe(title);
  });

  it('reads on with one damaged copy of the state, and says it', () => {
    const image = buildFat(size, files);
    image.fill(0, states[0], states[0] + 8);
    const fileSystem = new FatFs(image);
    expect(fileSystem.findings.map(({ code }) => code)).toEqual(['levelling-damaged']);
    expect(fileSystem.read('/config.json')).toEqual(files[0]?.bytes);
  });

  it('is only shown where files share clusters, and marks files whose chain is broken', () => {
    const image = buildFat(size, [...files, { path: '/third.bin', bytes: contentOf(9_000, 3) }], plain);
    // The root folder follows the boot sector and two tables of one sector each. Entries have 32 bytes.
    const root = 3 * sector;
    const entries = new Map<string, number>();
    for (let at = root; image[at] !== 0; at += 32) {
      entries.set(String.fromCharCode(...image.subarray(at, at + 8)), at);
    }
    const linked = image.slice();
    const [config = 0, third = 0] = [entries.get('CONFIG~1'), entries.get('THIRD   ')];
    viewOf(linked).setUint16(third + 26, viewOf(image).getUint16(config + 26, true), true);
    const shared = new FatFs(linked);
    expect(shared.isReadOnly).toBe(true);
    expect(shared.findings.map(({ code }) => code)).toContain('cross-linked');
    expect(() => shared.write('/a', text('a'))).toThrow(expect.objectContaining({ code: 'damaged' }));

    const broken = image.slice();
    viewOf(broken).setUint32(third + 28, 90_000, true);
    const cut = new FatFs(broken);
    expect(cut.list().find(({ path }) => path === '/third.bin')?.fault).toBe('damaged');
    expect(() => cut.read('/third.bin')).toThrow(expect.objectContaining({ code: 'file-damaged' }));
    cut.write('/third.bin', text('new'));
    expect(new FatFs(cut.image).read('/third.bin')).toEqual(text('new'));
  });

  it('says which files the firmware cannot change', () => {
    const image = buildFat(size, files, plain);
    const at = 3 * sector;
    const slot = [0, 32, 64].map((offset) => at + offset).find((offset) => image[offset + 11] === 0x20) ?? 0;
    image[slot + 11] = 0x21;
    const fileSystem = new FatFs(image);
    expect(fileSystem.findings.map(({ code }) => code)).toEqual(['read-only-files']);
    fileSystem.write('/config.json', text('{}'));
    expect(new FatFs(fileSystem.image).findings.map(({ code }) => code)).toEqual(['read-only-files']);
  });

  it.each(['/a?', '/b*', '/c:d', '/e.', '/f ', '/"'])('refuses the name %s', (path) => {
    expect(() => new FatFs(formatFat(size)).write(path, text('x'))).toThrow(
      expect.objectContaining({ code: 'name-not-fat' }),
    );
  });

  it('leaves the image as it was when the file system is full', () => {
    const fileSystem = new FatFs(buildFat(size, files));
    const before = fileSystem.image.slice();
    expect(() => fileSystem.write('/large/file.bin', contentOf(size, 1))).toThrow(
      expect.objectContaining({ code: 'full' }),
    );
    expect(Buffer.compare(fileSystem.image, before)).toBe(0);
    expect(fileSystem.list()).toHaveLength(3);
  });

  it('is not found in other contents, and never fails in another way on random bytes', () => {
    const image = buildFat(65_536 * 4, files);
    for (const seed of randomSeeds(300)) {
      const damaged = image.slice();
      const noise = contentOf(40, seed);
      for (let index = 0; index < noise.length; index += 2) {
        damaged[((noise[index] ?? 0) * 131 + seed * 977) % damaged.length] = noise[index + 1] ?? 0;
      }
      try {
        const fileSystem = new FatFs(damaged);
        for (const { path } of fileSystem.list()) {
          fileSystem.read(path);
        }
        fileSystem.write('/x', text('x'));
      } catch (error) {
        expect(error).toBeInstanceOf(FileSystemError);
      }
    }
    expect(() => new FatFs(new Uint8Array(65_536).fill(0xff))).toThrow(
      expect.objectContaining({ code: 'no-file-system' }),
    );
    expect(() => formatFat(8_192)).toThrow(expect.objectContaining({ code: 'size-unusable' }));
  });
});
