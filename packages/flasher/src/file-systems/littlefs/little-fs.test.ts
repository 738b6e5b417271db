import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../file-system-error.ts';
import { concat, imageOf, type LogTag, metadataBlock, superblockTags, text, words } from '../testing/littlefs-log.ts';
import { contentOf } from '../testing/operations.ts';
import { buildLittleFs, formatLittleFs, LittleFs } from './little-fs.ts';

const blockSize = 4_096;

/** Returns the tags of a file that is stored in metadata. */
const file = (id: number, name: string, content: string): LogTag[] => [
  { type: 0x001, id, data: text(name) },
  { type: 0x201, id, data: text(content) },
];

/** Returns the tags of a folder. */
const folder = (id: number, name: string, first: number, second: number): LogTag[] => [
  { type: 0x002, id, data: text(name) },
  { type: 0x200, id, data: words(first, second) },
];

const tail = (first: number, second: number, isHard = false): LogTag => ({
  type: isHard ? 0x601 : 0x600,
  id: 0x3ff,
  data: words(first, second),
});

/** Returns a volume whose first pair has these commits behind the superblock. */
function volume(commits: readonly (readonly LogTag[])[], others: Readonly<Record<number, Uint8Array>> = {}) {
  const root = metadataBlock(blockSize, 1, [superblockTags(blockSize, 16), ...commits]);
  return imageOf(blockSize, 16, { 0: root, ...others });
}

const texts = (fileSystem: LittleFs) =>
  fileSystem
    .list()
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => [path, new TextDecoder().decode(fileSystem.read(path))]);

const codeOf = (action: () => unknown) => {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof FileSystemError ? error.code : error;
  }
};

describe('reading', () => {
  it('applies the commits of a log in their order', () => {
    const image = volume([
      [{ type: 0x401, id: 1 }, ...file(1, 'b', 'old')],
      [{ type: 0x401, id: 1 }, ...file(1, 'a', 'first')],
      [{ type: 0x201, id: 2, data: text('new') }],
      [{ type: 0x401, id: 3 }, ...file(3, 'c', 'gone'), { type: 0x4ff, id: 3 }],
    ]);
    expect(texts(new LittleFs(image))).toEqual([
      ['/a', 'first'],
      ['/b', 'new'],
    ]);
  });

  it('ignores a commit that a power loss cut off', () => {
    const image = volume([file(1, 'a', 'kept'), [{ type: 0x201, id: 1, data: text('lost') }]]);
    const damaged = image.lastIndexOf('t'.charCodeAt(0), blockSize);
    image[damaged] = 0;
    expect(texts(new LittleFs(image))).toEqual([['/a', 'kept']]);
  });

  it('reads the forward CRC of version 2.1, and commits that are padded', () => {
    const forwardCrc = { type: 0x5ff, id: 0x3ff, data: words(16, 0x12345678) };
    const commits = [
      [...superblockTags(blockSize, 16), forwardCrc],
      [...file(1, 'a', 'text'), forwardCrc],
    ];
    const image = imageOf(blockSize, 16, { 1: metadataBlock(blockSize, 7, commits, 100) });
    const fileSystem = new LittleFs(image);
    expect(texts(fileSystem)).toEqual([['/a', 'text']]);
    expect(fileSystem.title).toBe('LittleFS 2.1, 16 blocks of 4,096 bytes');
  });

  it('prefers the newer block, across the overflow of the revision', () => {
    const older = metadataBlock(blockSize, 0xffffffff, [[...superblockTags(blockSize, 16), ...file(1, 'a', 'old')]]);
    const newer = metadataBlock(blockSize, 0, [[...superblockTags(blockSize, 16), ...file(1, 'a', 'new')]]);
    expect(texts(new LittleFs(imageOf(blockSize, 16, { 0: older, 1: newer })))).toEqual([['/a', 'new']]);
    expect(texts(new LittleFs(imageOf(blockSize, 16, { 0: newer, 1: older })))).toEqual([['/a', 'new']]);
  });

  it('finds the root behind superblock pairs, and folders in several pairs', () => {
    const image = volume([[tail(2, 3, true)]], {
      3: metadataBlock(blockSize, 1, [[...superblockTags(blockSize, 16), ...folder(1, 'folder', 4, 5), tail(4, 5)]]),
      4: metadataBlock(blockSize, 1, [[...file(0, 'a', '1'), tail(6, 7, true)]]),
      7: metadataBlock(blockSize, 9, [file(0, 'b', '2')]),
    });
    const fileSystem = new LittleFs(image);
    expect(fileSystem.findings).toEqual([]);
    expect(texts(fileSystem)).toEqual([
      ['/folder/a', '1'],
      ['/folder/b', '2'],
    ]);
    fileSystem.write('/new', text('3'));
    expect(texts(new LittleFs(fileSystem.image))).toEqual([
      ['/folder/a', '1'],
      ['/folder/b', '2'],
      ['/new', '3'],
    ]);
    expect(fileSystem.changedSectors()).toEqual([{ offset: 2 * blockSize, length: blockSize }]);
  });

  it('reads a skip list by its pointers', () => {
    const content = contentOf(3 * blockSize, 1);
    // Block 1 has one pointer, block 2 has two (DESIGN.md, "CTZ skip-lists").
    const rest = content.subarray(blockSize + blockSize - 4 + blockSize - 8);
    const image = volume(
      [
        [
          { type: 0x001, id: 1, data: text('big') },
          { type: 0x202, id: 1, data: words(9, content.length) },
        ],
      ],
      {
        5: content.subarray(0, blockSize),
        8: concat(words(5), content.subarray(blockSize, 2 * blockSize - 4)),
        4: concat(words(8, 5), content.subarray(2 * blockSize - 4, 3 * blockSize - 12)),
        9: concat(words(4), rest),
      },
    );
    expect(new LittleFs(image).read('/big')).toEqual(content);
  });

  it('shows the file of an interrupted move once, and completes the move with the first change', () => {
    // The file "a" is already in the folder; its source is id 1 of the first pair.
    const image = volume([[...file(1, 'a', 'moved'), ...folder(2, 'to', 2, 3), tail(2, 3)]], {
      2: metadataBlock(blockSize, 1, [
        [...file(0, 'a', 'moved'), { type: 0x7ff, id: 0x3ff, data: words(0x4ff00400, 0, 1) }],
      ]),
    });
    const fileSystem = new LittleFs(image);
    expect(texts(fileSystem)).toEqual([['/to/a', 'moved']]);
    expect(fileSystem.findings.map(({ code }) => code)).toEqual(['interrupted']);
    fileSystem.write('/b', text('new'));
    const after = new LittleFs(fileSystem.image);
    expect(texts(after)).toEqual([
      ['/b', 'new'],
      ['/to/a', 'moved'],
    ]);
    expect(after.findings).toEqual([]);
  });

  it('drops an orphan from the list of pairs with the first change', () => {
    const image = volume([[{ type: 0x7ff, id: 0x3ff, data: words(0x80000000, 0, 0) }, tail(2, 3)]], {
      2: metadataBlock(blockSize, 1, [file(0, 'lost', 'x')]),
    });
    const fileSystem = new LittleFs(image);
    expect(fileSystem.findings.map(({ code }) => code)).toEqual(['interrupted']);
    fileSystem.makeDirectory('/folder');
    const after = new LittleFs(fileSystem.image);
    expect(after.findings).toEqual([]);
    expect(after.list().map(({ path }) => path)).toEqual(['/folder']);
  });
});

describe('recognising', () => {
  it.each([
    ['nothing', new Uint8Array(65_536).fill(0xff), 'no-file-system'],
    ['an empty file', new Uint8Array(), 'no-file-system'],
    ['a file that ends early', text('littlefs'), 'no-file-system'],
    [
      'disk version 1',
      imageOf(blockSize, 4, { 1: concat(new Uint8Array(36), words(0x10001), text('littlefs')) }),
      'littlefs-1',
    ],
    [
      'disk version 3',
      imageOf(blockSize, 4, { 0: metadataBlock(blockSize, 1, [superblockTags(blockSize, 4, 0x30000)]) }),
      'newer-version',
    ],
    [
      'a superblock without its checksum',
      imageOf(blockSize, 4, { 0: concat(words(1, 0), text('littlefs')) }),
      'superblock-damaged',
    ],
  ])('refuses %s', (_, image, code) => {
    expect(codeOf(() => new LittleFs(image))).toBe(code);
  });

  it.each([128, 512, 4_096, 65_536])(
    'finds the superblock in block 1 when block 0 is damaged: blocks of %i',
    (size) => {
      const image = buildLittleFs(8 * size, [{ path: 'a', bytes: text('kept') }], { blockSize: size });
      image.fill(0, 0, size);
      expect(new LittleFs(image).title).toContain('8 blocks');
    },
  );

  it('states an unusual block size, and a partition of another size', () => {
    const image = formatLittleFs(65_536, { blockSize: 512 });
    const codes = (bytes: Uint8Array) => new LittleFs(bytes).findings.map(({ code }) => code);
    expect(codes(image)).toEqual(['block-size']);
    expect(codes(concat(image, new Uint8Array(512)))).toEqual(['block-size', 'image-longer']);
    const cut = new LittleFs(image.subarray(0, 32_768));
    expect(cut.findings.map(({ code }) => code)).toEqual(['block-size', 'image-shorter']);
    expect(codeOf(() => cut.write('a', text('x')))).toBe('damaged');
    cut.format();
    expect([cut.isReadOnly, cut.title]).toEqual([false, 'LittleFS 2.0, 64 blocks of 512 bytes']);
  });
});

describe('damage', () => {
  it('ends with a coded error for any damage, and never goes on for ever', () => {
    const files = ['a', 'b/c', 'b/d', 'b/e/f'].map((path, index) => ({ path, bytes: contentOf(9_000 * index, index) }));
    const image = buildLittleFs(131_072, files);
    const hits = fc.array(fc.record({ at: fc.nat(40_000), value: fc.nat(255) }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(hits, fc.boolean(), (all, isInMetadata) => {
        const damaged = image.slice();
        for (const { at, value } of all) {
          damaged[isInMetadata ? at % 200 : at] = value;
        }
        useAll(damaged);
      }),
      { numRuns: 400 },
    );
  });

  it('ends with a coded error for pairs and lists that point anywhere', () => {
    // CRCs are right here, so that every pointer is followed.
    const address = fc.oneof(fc.nat(15), fc.constantFrom(0xffffffff, 0x7fffffff, 16));
    const tag = fc.oneof(
      fc.tuple(fc.nat(3), address, address).map(([id, one, other]) => folder(id, `f${id}`, one, other)),
      fc.tuple(address, address, fc.boolean()).map(([one, other, isHard]) => [tail(one, other, isHard)]),
      fc
        .tuple(fc.nat(3), address, fc.oneof(fc.nat(70_000), fc.constant(0xffffffff)))
        .map(([id, head, length]): LogTag[] => [
          { type: 0x001, id, data: text(`x${id}`) },
          { type: 0x202, id, data: words(head, length) },
        ]),
      fc.tuple(fc.nat(1_023), fc.constantFrom(0x401, 0x4ff)).map(([id, type]): LogTag[] => [{ type, id }]),
      fc
        .tuple(fc.nat(0x7ff), fc.nat(1_023), fc.uint8Array({ maxLength: 30 }))
        .map(([type, id, data]): LogTag[] => [{ type, id, data }]),
      fc
        .tuple(address, address, fc.nat(0xffff))
        .map(([one, other, id]): LogTag[] => [
          { type: 0x7ff, id: 0x3ff, data: words((0x4ff00000 | id) >>> 0, one, other) },
        ]),
    );
    const log = fc.array(tag, { maxLength: 6 }).map((tags) => tags.flat());
    fc.assert(
      fc.property(log, fc.array(log, { minLength: 15, maxLength: 15 }), (root, logs) => {
        const others = Object.fromEntries(logs.map((tags, index) => [index + 1, metadataBlock(blockSize, 0, [tags])]));
        useAll(volume([root], others));
      }),
      { numRuns: 400 },
    );
  });

  it('shows what is intact and refuses changes when a folder is damaged', () => {
    const image = volume([[...file(1, 'a', 'kept'), ...folder(2, 'gone', 2, 3), tail(2, 3)]]);
    const fileSystem = new LittleFs(image);
    expect(fileSystem.isReadOnly).toBe(true);
    expect(fileSystem.list().map(({ path, fault }) => [path, fault])).toEqual([
      ['/a', null],
      ['/gone', 'damaged'],
    ]);
    expect(codeOf(() => fileSystem.remove('/a'))).toBe('damaged');
    fileSystem.format();
    expect(new LittleFs(fileSystem.image).list()).toEqual([]);
  });

  it('marks a file whose length cannot be right, and removes it without harm to others', () => {
    const image = volume([
      [
        ...file(1, 'a', 'kept'),
        { type: 0x001, id: 2, data: text('big') },
        { type: 0x202, id: 2, data: words(5, 0x7fffffff) },
      ],
    ]);
    const fileSystem = new LittleFs(image);
    expect(fileSystem.list().map(({ path, fault }) => [path, fault])).toEqual([
      ['/a', null],
      ['/big', 'damaged'],
    ]);
    expect(codeOf(() => fileSystem.read('/big'))).toBe('file-damaged');
    fileSystem.remove('/big');
    expect(texts(new LittleFs(fileSystem.image))).toEqual([['/a', 'kept']]);
  });

  it('does not release blocks that a damaged file shares with an intact one', () => {
    const content = contentOf(4_000, 3);
    const list = { type: 0x202, data: words(5, content.length) };
    const image = volume(
      [
        [
          { type: 0x001, id: 1, data: text('a') },
          { ...list, id: 1 },
          { type: 0x001, id: 2, data: text('b') },
          { ...list, id: 2 },
        ],
      ],
      { 5: content },
    );
    const fileSystem = new LittleFs(image);
    fileSystem.write('/b', contentOf(30_000, 4));
    fileSystem.remove('/b');
    fileSystem.write('/c', contentOf(30_000, 5));
    expect(new LittleFs(fileSystem.image).read('/a')).toEqual(content);
  });
});

describe('a file whose list runs into that of another one', () => {
  it('never has the blocks of the other file written over', () => {
    const linked = (seed: number, ...pointers: readonly number[]) =>
      concat(words(...pointers), contentOf(blockSize - 4 * pointers.length, seed));
    const entry = (id: number, name: string, head: number, length: number): LogTag[] => [
      { type: 0x001, id, data: text(name) },
      { type: 0x202, id, data: words(head, length) },
    ];
    // The list of b is 7, 6, 5. That of a is 8 and then 6, which is not its own, and ends there.
    const image = volume([[...entry(1, 'a', 8, blockSize + 100), ...entry(2, 'b', 7, 3 * blockSize - 60)]], {
      5: contentOf(blockSize, 5),
      6: linked(6, 5),
      7: linked(7, 6, 5),
      8: linked(8, 6),
    });
    const fileSystem = new LittleFs(image);
    for (let index = 0; index < 12; index++) {
      try {
        fileSystem.write(`/new${index}`, contentOf(2 * blockSize, 20 + index));
      } catch (error) {
        expect(error).toBeInstanceOf(FileSystemError);
      }
    }
    expect(fileSystem.list().length).toBeGreaterThan(3);
    const from = 5 * blockSize;
    expect(Buffer.compare(fileSystem.image.subarray(from, 9 * blockSize), image.subarray(from, 9 * blockSize))).toBe(0);
  });
});

/** Uses everything. Only coded errors may be thrown. */
function useAll(image: Uint8Array): void {
  const outcome = codeOf(() => {
    const fileSystem = new LittleFs(image);
    fileSystem.usage();
    for (const { path, kind } of fileSystem.list()) {
      expect(typeof codeOf(() => (kind === 'file' ? fileSystem.read(path) : null)) === 'object').toBe(
        codeOf(() => (kind === 'file' ? fileSystem.read(path) : null)) === null,
      );
    }
    const [first] = fileSystem.list();
    const changes = [
      () => fileSystem.write('/new/file', contentOf(5_000, 1)),
      () => fileSystem.rename('/new', '/other'),
      () => fileSystem.remove(first?.path ?? '/none'),
      () => fileSystem.makeDirectory('/made'),
      () => fileSystem.format(),
    ];
    for (const change of changes) {
      const code = codeOf(change);
      expect(code === null || typeof code === 'string').toBe(true);
    }
  });
  expect(outcome === null || typeof outcome === 'string', String(outcome)).toBe(true);
}

describe('changing', () => {
  const files = [
    { path: '/a.txt', bytes: text('small') },
    { path: '/www/index.html', bytes: contentOf(30_000, 1) },
  ];

  it('changes one sector for a small file, and only the end of a file that grows', () => {
    const image = buildLittleFs(1_048_576, files);
    const small = new LittleFs(image);
    small.write('/a.txt', text('other'));
    expect(small.changedSectors().map(({ length }) => length)).toEqual([blockSize]);

    const grown = new LittleFs(image);
    grown.write('/www/index.html', contentOf(30_100, 1));
    // Its last block and the metadata of the folder.
    expect(grown.changedSectors().reduce((sum, { length }) => sum + length, 0)).toBe(2 * blockSize);
  });

  it('changes nothing for contents that stay the same, apart from metadata', () => {
    const fileSystem = new LittleFs(buildLittleFs(1_048_576, files));
    fileSystem.write('/www/index.html', contentOf(30_000, 1));
    expect(fileSystem.changedSectors().reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(2 * blockSize);
  });

  it('leaves the old state readable in the other blocks of the pairs', () => {
    const image = buildLittleFs(1_048_576, files);
    const fileSystem = new LittleFs(image);
    fileSystem.write('/a.txt', text('one'));
    fileSystem.write('/a.txt', text('two'));
    const [sector] = fileSystem.changedSectors();
    expect(fileSystem.changedSectors()).toHaveLength(1);
    const cut = fileSystem.image.slice();
    cut.fill(0xff, sector?.offset, (sector?.offset ?? 0) + blockSize);
    expect(new TextDecoder().decode(new LittleFs(cut).read('/a.txt'))).toBe('small');
  });

  it('leaves the image unchanged when there is no space', () => {
    const fileSystem = new LittleFs(buildLittleFs(65_536, files));
    const before = fileSystem.image.slice();
    expect(codeOf(() => fileSystem.write('/new/big', contentOf(40_000, 1)))).toBe('full');
    expect(fileSystem.image).toEqual(before);
    expect(fileSystem.changedSectors()).toEqual([]);
    expect(fileSystem.list().map(({ path }) => path)).toEqual(['/a.txt', '/www', '/www/index.html']);
  });

  it('counts whole blocks as used', () => {
    const fileSystem = new LittleFs(formatLittleFs(65_536));
    expect(fileSystem.usage()).toEqual({ used: 2 * blockSize, total: 65_536 });
    fileSystem.write('/folder/big', contentOf(5_000, 1));
    expect(fileSystem.usage()).toEqual({ used: 6 * blockSize, total: 65_536 });
  });

  it.each([
    ['', 'name-unusable'],
    ['/a//b', 'name-unusable'],
    ['/../b', 'name-unusable'],
    [`/${'ü'.repeat(128)}`, 'name-too-long'],
    ['/www', 'not-a-file'],
    ['/a.txt/b', 'not-a-folder'],
  ])('refuses to write to "%s"', (path, code) => {
    const fileSystem = new LittleFs(buildLittleFs(131_072, files));
    expect(codeOf(() => fileSystem.write(path, text('x')))).toBe(code);
  });

  it('keeps user attributes when a file is replaced or renamed', () => {
    const attribute = { type: 0x374, id: 1, data: words(1_700_000_000, 0) };
    const fileSystem = new LittleFs(volume([[...file(1, 'a', 'old'), attribute]]));
    fileSystem.write('/a', text('new'));
    fileSystem.rename('/a', '/folder/b');
    const after = fileSystem.image;
    const stored = concat(words(1_700_000_000, 0));
    expect(Buffer.from(after).lastIndexOf(Buffer.from(stored))).toBeGreaterThan(0);
    expect(texts(new LittleFs(after))).toEqual([['/folder/b', 'new']]);
  });

  it.each([1, 2.5, 1_000])('refuses %s blocks of an unusable size', (count) => {
    const size = count === 1_000 ? 1_000 : blockSize;
    expect(codeOf(() => formatLittleFs(count === 1_000 ? 4_000 : blockSize, { blockSize: size }))).toBe(
      'size-unusable',
    );
  });

  it('has old or new contents after each sector that is written, in the order of the changed sectors', () => {
    const before = Array.from({ length: 12 }, (_, index) => ({
      path: `/folder ${index % 3}/file ${index}`,
      bytes: contentOf(200 + index * 900, index),
    }));
    const original = buildLittleFs(262_144, before);
    const fileSystem = new LittleFs(original);
    const after = before.map(({ path }, index) => ({ path, bytes: contentOf(9_000 - index * 700, index + 50) }));
    for (const { path, bytes } of after) {
      fileSystem.write(path, bytes);
    }
    fileSystem.write('/new folder/inner/file', contentOf(5_000, 99));
    const sectors = fileSystem
      .changedSectors()
      .flatMap(({ offset, length }) => Array.from({ length: length / 4_096 }, (_, index) => offset + index * 4_096));
    const image = original.slice();
    for (const offset of sectors) {
      image.set(fileSystem.image.subarray(offset, offset + 4_096), offset);
      const mounted = new LittleFs(image);
      expect(mounted.isReadOnly).toBe(false);
      for (const [index, { path }] of before.entries()) {
        const found = [before, after].map((files) => files[index]?.bytes ?? new Uint8Array());
        expect(found).toContainEqual(mounted.read(path));
      }
    }
    expect(Buffer.compare(image, fileSystem.image)).toBe(0);
  });
});
