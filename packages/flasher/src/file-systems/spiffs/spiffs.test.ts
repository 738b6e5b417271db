import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../file-system-error.ts';
import { concat, text, words } from '../testing/littlefs-log.ts';
import { contentOf } from '../testing/operations.ts';
import { spiffsImage } from '../testing/spiffs-image.ts';
import { buildSpiffs, formatSpiffs, Spiffs } from './spiffs.ts';

const idf = { blockCount: 64, tableAt: 49, magic: 'length' } as const;

const files = [
  { name: '/index.html', bytes: text('<html>') },
  { name: '/www/big.bin', bytes: contentOf(60_000, 1) },
  { name: '/www/empty', bytes: new Uint8Array() },
];

const codeOf = (action: () => unknown) => {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof FileSystemError ? error.code : error;
  }
};

const codesOf = ({ findings }: Spiffs) => findings.map(({ code }) => code);

describe('reading', () => {
  it('shows names with slashes as a tree', () => {
    const fileSystem = new Spiffs(spiffsImage(idf, files));
    expect(fileSystem.findings).toEqual([]);
    expect(fileSystem.list()).toEqual([
      { path: '/index.html', kind: 'file', size: 6, fault: null },
      { path: '/www', kind: 'folder', size: 0, fault: null },
      { path: '/www/big.bin', kind: 'file', size: 60_000, fault: null },
      { path: '/www/empty', kind: 'file', size: 0, fault: null },
    ]);
    expect(fileSystem.read('/www/big.bin')).toEqual(contentOf(60_000, 1));
    expect(fileSystem.read('index.html')).toEqual(text('<html>'));
  });

  it.each([
    [{ ...idf, tableAt: 49 }, []],
    [{ ...idf, tableAt: 46 }, []],
    [{ ...idf, tableAt: 45, magic: 'plain' as const }, []],
    [{ ...idf, tableAt: 50, magic: 'none' as const }, ['no-magic']],
    [{ ...idf, tableAt: 81 }, ['layout-unusual']],
  ])('finds out the layout from the files: %o', (shape, codes) => {
    const fileSystem = new Spiffs(spiffsImage(shape, files));
    expect(codesOf(fileSystem)).toEqual(codes);
    fileSystem.write('/www/new.bin', contentOf(30_000, 2));
    const after = new Spiffs(fileSystem.image);
    expect(after.read('/www/new.bin')).toEqual(contentOf(30_000, 2));
    expect(after.read('/www/big.bin')).toEqual(contentOf(60_000, 1));
  });

  it('states the layout that it assumes for an empty image', () => {
    expect(codesOf(new Spiffs(formatSpiffs(65_536)))).toEqual(['layout-assumed']);
    expect(codesOf(new Spiffs(formatSpiffs(65_536), { metaLength: 4 }))).toEqual([]);
  });

  it('finds blocks of 8 KiB, and the size of the file system in a larger or smaller partition', () => {
    const image = formatSpiffs(131_072, { blockSize: 8_192 });
    expect(new Spiffs(image).title).toBe('SPIFFS, 16 blocks of 8,192 bytes, pages of 256 bytes');
    expect(codesOf(new Spiffs(concat(image, image.slice(0, 8_192).fill(0xff)), { metaLength: 0 }))).toContain(
      'image-longer',
    );
    const cut = new Spiffs(image.subarray(0, 65_536));
    expect(codesOf(cut)).toContain('image-shorter');
    expect(codeOf(() => cut.write('/a', text('x')))).toBe('damaged');
    cut.format();
    expect([cut.isReadOnly, cut.title]).toEqual([false, 'SPIFFS, 8 blocks of 8,192 bytes, pages of 256 bytes']);
  });

  it('refuses what is not SPIFFS', () => {
    for (const image of [
      new Uint8Array(),
      new Uint8Array(65_536),
      new Uint8Array(65_536).fill(0xff),
      contentOf(65_536, 1),
    ]) {
      expect(codeOf(() => new Spiffs(image))).toBe('no-file-system');
    }
  });

  it('reads a file that was never closed as long as its data, and one without data as empty', () => {
    const image = spiffsImage(idf, [
      { name: '/open', bytes: contentOf(502, 1), size: 0xffffffff },
      { name: '/new', bytes: new Uint8Array(), size: 0xffffffff },
      { name: '/cut', bytes: contentOf(251, 2), size: 9_000 },
    ]);
    const fileSystem = new Spiffs(image);
    expect(fileSystem.list().map(({ path, size, fault }) => [path, size, fault])).toEqual([
      ['/cut', 251, 'wrong-length'],
      ['/new', 0, null],
      ['/open', 502, 'wrong-length'],
    ]);
    expect(codesOf(fileSystem)).toEqual(['files-damaged']);
    expect(fileSystem.read('/open')).toEqual(contentOf(502, 1));
    expect(fileSystem.read('/cut')).toEqual(contentOf(251, 2));
  });

  it('finds a data page by its header when the table of the file is wrong', () => {
    const image = spiffsImage(idf, files);
    // The fifth entry of the table of the second file: its index page is page 3 of block 0.
    image.set([0x03, 0x00], 3 * 256 + 49 + 10);
    expect(new Spiffs(image).read('/www/big.bin')).toEqual(contentOf(60_000, 1));
  });

  it('does not give out a file with a missing page', () => {
    const image = spiffsImage(idf, files);
    image[6 * 256 + 4] = 0x7c;
    const fileSystem = new Spiffs(image);
    expect(codeOf(() => fileSystem.read('/www/big.bin'))).toBe('file-damaged');
    expect(codesOf(fileSystem)).toEqual(['files-damaged']);
    fileSystem.remove('/www/big.bin');
    fileSystem.write('/other', contentOf(60_000, 3));
    expect(codesOf(new Spiffs(fileSystem.image))).toEqual([]);
    expect(new Spiffs(fileSystem.image).read('/other')).toEqual(contentOf(60_000, 3));
  });

  it('names no choice of a layout, which no screen has', () => {
    const [finding] = new Spiffs(formatSpiffs(65_536)).findings;
    expect(finding?.code).toBe('layout-assumed');
    expect(finding?.remedy).toBe(
      'Firmware with another layout does not see what is added here. Let it write one file first, then read again.',
    );
  });

  it('erases a block whose erase was cut off with the first change', () => {
    const image = spiffsImage(idf, files);
    image.fill(0x5a, 40 * 4_096, 41 * 4_096);
    const fileSystem = new Spiffs(image);
    expect(codesOf(fileSystem)).toEqual(['blocks-damaged']);
    fileSystem.write('/a', text('x'));
    expect(codesOf(new Spiffs(fileSystem.image))).toEqual([]);
  });
});

describe('damage', () => {
  it('ends with a coded error for any damage, and never goes on for ever', () => {
    const small = { ...idf, blockCount: 16 };
    const image = spiffsImage(small, [{ name: '/a', bytes: contentOf(28_000, 1) }, ...files.slice(0, 1)]);
    const hits = fc.array(
      fc.record({
        at: fc.oneof(
          fc.nat(image.length - 2),
          // Lookups, headers of pages, and the first index page.
          fc.tuple(fc.nat(15), fc.nat(255)).map(([block, at]) => block * 4_096 + at),
          fc.tuple(fc.nat(255), fc.nat(12)).map(([page, at]) => page * 256 + at),
          fc.nat(254).map((at) => 256 + at),
        ),
        value: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x80, 0xff)),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(hits, (all) => {
        const damaged = image.slice();
        for (const { at, value } of all) {
          damaged[at] = value;
        }
        useAll(damaged);
      }),
      { numRuns: 400 },
    );
  });
});

/** Uses everything. Only coded errors may be thrown, and a change leaves an image that can be read. */
function useAll(image: Uint8Array): void {
  const outcome = codeOf(() => {
    const fileSystem = new Spiffs(image);
    fileSystem.usage();
    const [first] = fileSystem.list();
    const uses = [
      ...fileSystem.list().map(
        ({ path }) =>
          () =>
            fileSystem.read(path),
      ),
      () => fileSystem.write('/new/file', contentOf(5_000, 1)),
      () => fileSystem.rename('/new', '/other'),
      () => fileSystem.remove(first?.path ?? '/none'),
      () => fileSystem.format(),
    ];
    for (const use of uses) {
      const code = codeOf(use);
      expect(code === null || typeof code === 'string', String(code)).toBe(true);
    }
    expect(new Spiffs(fileSystem.image).list()).toEqual([]);
  });
  expect(outcome === null || typeof outcome === 'string', String(outcome)).toBe(true);
}

describe('changing', () => {
  const image = buildSpiffs(
    262_144,
    files.map(({ name, bytes }) => ({ path: name, bytes })),
  );

  it('changes one sector for a change of one page, and for a new small file', () => {
    const changed = new Spiffs(image);
    const bytes = contentOf(60_000, 1);
    bytes[30_000] = 0;
    changed.write('/www/big.bin', bytes);
    expect(changed.changedSectors().map(({ length }) => length)).toEqual([4_096]);

    const added = new Spiffs(image);
    added.write('/small', text('x'));
    added.write('/small2', text('y'));
    expect(added.changedSectors().map(({ length }) => length)).toEqual([4_096]);
  });

  it('changes nothing when the same contents are written', () => {
    const fileSystem = new Spiffs(image);
    fileSystem.write('/www/big.bin', contentOf(60_000, 1));
    fileSystem.rename('/www', '/www/');
    expect(fileSystem.changedSectors()).toEqual([]);
  });

  it('leaves two blocks free for the driver, and the image unchanged when it is full', () => {
    const fileSystem = new Spiffs(formatSpiffs(65_536), { metaLength: 4 });
    // 14 blocks of 15 pages: one index page for 103 data pages, a further one for the rest.
    const largest = contentOf(208 * 251, 1);
    expect(codeOf(() => fileSystem.write('/a', concat(largest, text('x'))))).toBe('full');
    expect(fileSystem.changedSectors()).toEqual([]);
    fileSystem.write('/a', largest);
    expect(codeOf(() => fileSystem.write('/b', new Uint8Array()))).toBe('full');
    expect(fileSystem.usage()).toEqual({ used: 210 * 251, total: 211 * 251 });
  });

  it('keeps metadata of a file that is replaced or renamed', () => {
    const source = spiffsImage(idf, files);
    source.set(words(1_700_000_000), 256 + 45);
    const fileSystem = new Spiffs(source);
    fileSystem.rename('/index.html', '/start.html');
    fileSystem.write('/start.html', contentOf(600, 1));
    expect(fileSystem.image.slice(256 + 45, 256 + 49)).toEqual(words(1_700_000_000));
    expect(new Spiffs(fileSystem.image).read('/start.html')).toEqual(contentOf(600, 1));
  });

  it.each([
    ['', 'name-unusable'],
    ['/a//b', 'name-unusable'],
    [`/${'ü'.repeat(16)}`, 'path-too-long'],
    ['/www', 'not-a-file'],
    ['/index.html/b', 'not-a-folder'],
  ])('refuses to write to "%s"', (path, code) => {
    expect(codeOf(() => new Spiffs(image).write(path, text('x')))).toBe(code);
  });

  it('counts the whole path as the name', () => {
    // 39 bytes, of which the last part has 20. ESP-IDF, "SPIFFS Filesystem": CONFIG_SPIFFS_OBJ_NAME_LEN is 32 with its NUL.
    const path = '/folder-of-pages-1/abcdefghijklmnopqrst';
    const write = () => new Spiffs(image).write(path, text('x'));
    expect(write).toThrow(`${path}: SPIFFS stores the whole path as one name. This one has 39 bytes, and 31 fit.`);
    expect(() => new Spiffs(image).rename('/index.html', path)).toThrow('This one has 39 bytes, and 31 fit.');
  });

  it('has no empty folders', () => {
    expect(codeOf(() => new Spiffs(image).makeDirectory('/new'))).toBe('no-empty-folders');
  });

  it.each([
    [8_192, {}],
    [65_536, { pageSize: 64, nameLength: 60 }],
    [65_536, { blockSize: 32_768 }],
    [33_554_432, {}],
  ])('refuses an image of %i bytes with %o', (size, options) => {
    expect(codeOf(() => formatSpiffs(size, options))).toBe('size-unusable');
  });
});
