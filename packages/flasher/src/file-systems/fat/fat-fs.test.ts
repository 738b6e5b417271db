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

/** Offsets of both copies of the state, for a partition of 1 MiB: two sectors each, then the configuration. */
const states = [size - 5 * sector, size - 3 * sector];
const dataSectors = (size - 6 * sector) / sector;

/**
 * Moves the dummy of an image by `steps`, as `WL_Flash::updateWL` does: the sector behind it is copied to its place, and
 * a record is added to both states. After a whole round, the data are rotated by one sector.
 */
function level(image: Uint8Array, steps: number): Uint8Array {
  const levelled = image.slice();
  const view = viewOf(levelled);
  const device = view.getUint32((states[0] ?? 0) + 28, true);
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
        levelled.fill(0xff, state + 64, state + 2 * sector);
      }
    }
  }
  return levelled;
}

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
    image.fill(0, states[0], (states[0] ?? 0) + 8);
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
    for (let seed = 0; seed < 300; seed++) {
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
