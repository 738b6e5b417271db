import { describe, expect, it } from 'vitest';
import { addEdits, applyEdits, type FileEdit } from './edits.ts';
import { readBootSector } from './fat/boot-sector.ts';
import { formatFat } from './fat/format-fat.ts';
import { FileSystemError } from './file-system-error.ts';
import { formatLittleFs } from './littlefs/little-fs.ts';
import { buildImage, formatImage, openFileSystem } from './open-file-system.ts';
import { formatSpiffs } from './spiffs/spiffs.ts';
import { contentOf } from './testing/operations.ts';

const size = 131_072;
const text = (value: string) => new TextEncoder().encode(value);
const files = [
  { path: '/config.json', bytes: text('{"interval_s": 60}') },
  { path: '/www/index.html', bytes: contentOf(9_000, 1) },
  { path: '/www/logo.png', bytes: contentOf(5_000, 2) },
];

describe('a format of FAT without wear levelling', () => {
  const empty = new Uint8Array(size).fill(0xff);
  /** Entry of a root folder with the label CIRCUITPY. */
  const label = Uint8Array.from([...text('CIRCUITPY  '), 0x08]);

  it('makes a plain volume where there was none', () => {
    const { fileSystem } = applyEdits(empty, [{ kind: 'format', as: 'fat', wearLevelling: false }]);
    const image = fileSystem?.image ?? empty;
    expect([...image.subarray(0, 3), image[510], image[511]]).toEqual([0xeb, 0xfe, 0x90, 0x55, 0xaa]);
    expect(new DataView(image.buffer).getUint16(11, true)).toBe(512);
  });

  it('keeps the label of the volume', () => {
    const image = formatFat(size, { wearLevelling: false, sectorSize: 512 });
    const root = readBootSector(image)?.root?.at ?? 0;
    image.set(label, root);
    const volume = openFileSystem(image);
    volume.write('/code.py', text('print(1)'));
    const { fileSystem } = applyEdits(volume.image, [{ kind: 'format', as: 'fat', wearLevelling: false }]);
    expect(fileSystem?.list()).toEqual([]);
    expect(fileSystem?.image.subarray(root, root + label.length)).toEqual(label);
  });
});

describe.each(['littlefs', 'spiffs', 'fat'] as const)('edits of %s', (kind) => {
  const image = buildImage(kind, size, files);
  const changesOf = (...edits: FileEdit[]) =>
    applyEdits(image, edits)
      .entries.filter(({ change }) => change !== null)
      .map(({ path, change, was }) => [path, change, was]);

  it('list the differences from the board, within its changed sectors', () => {
    const edited = applyEdits(image, [
      { kind: 'write', path: '/config.json', bytes: text('{}') },
      { kind: 'write', path: '/www/new.txt', bytes: text('new') },
      { kind: 'rename', path: '/www/logo.png', to: '/logo.png' },
      { kind: 'remove', path: '/www/index.html' },
    ]);
    expect(edited.entries.filter(({ change }) => change !== null).map(({ path, change }) => [path, change])).toEqual(
      expect.arrayContaining([
        ['/config.json', 'changed'],
        ['/www/new.txt', 'added'],
        ['/logo.png', 'renamed'],
        ['/www/index.html', 'removed'],
      ]),
    );
    const written = image.slice();
    for (const { offset, bytes } of edited.changed) {
      expect(offset % 4_096).toBe(0);
      written.set(bytes, offset);
    }
    const back = openFileSystem(written);
    expect(new TextDecoder().decode(back.read('/config.json'))).toBe('{}');
    expect(back.read('/logo.png')).toEqual(files[2]?.bytes);
    expect(back.list().map(({ path }) => path)).not.toContain('/www/index.html');
    expect(edited.changed.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(size);
  });

  it('are empty when the old contents are written back', () => {
    const edited = applyEdits(image, [
      { kind: 'write', path: '/config.json', bytes: text('{}') },
      { kind: 'write', path: '/config.json', bytes: files[0]?.bytes ?? text('') },
    ]);
    expect(edited.isChanged).toBe(false);
    expect(edited.changed).toEqual([]);
  });

  it('are undone one by one', () => {
    const made: FileEdit[] = [
      { kind: 'write', path: '/config.json', bytes: text('{}') },
      { kind: 'write', path: '/new.txt', bytes: text('new') },
      { kind: 'rename', path: '/www/logo.png', to: '/logo.png' },
      { kind: 'remove', path: '/www/index.html' },
    ];
    const undone = (...paths: string[]) => paths.map((path): FileEdit => ({ kind: 'restore', path }));
    expect(changesOf(...made, ...undone('/config.json', '/new.txt', '/logo.png'))).toEqual([
      ['/www/index.html', 'removed', '/www/index.html'],
    ]);
    expect(changesOf(...made, ...undone('/config.json', '/new.txt', '/logo.png', '/www/index.html'))).toEqual([]);
  });

  it('restore a removed folder with its contents', () => {
    expect(changesOf({ kind: 'remove', path: '/www' })).toEqual([['/www', 'removed', '/www']]);
    const { entries, isChanged, fileSystem } = applyEdits(image, [
      { kind: 'remove', path: '/www' },
      { kind: 'restore', path: '/www' },
    ]);
    expect(isChanged).toBe(false);
    expect(entries.find(({ path }) => path === '/www')?.files).toBe(2);
    expect(fileSystem?.read('/www/index.html')).toEqual(files[1]?.bytes);
  });

  it('list a renamed folder once', () => {
    expect(changesOf({ kind: 'rename', path: '/www', to: '/html' })).toEqual([['/html', 'renamed', '/www']]);
  });

  it('empty the file system, or make another one', () => {
    const other = kind === 'littlefs' ? 'spiffs' : 'littlefs';
    const emptied = applyEdits(image, [{ kind: 'format', as: kind }]);
    expect(emptied.isFormatted).toBe(true);
    expect(emptied.entries.every(({ change }) => change === 'removed')).toBe(true);
    const changed = applyEdits(image, [{ kind: 'format', as: other }]);
    expect(changed.fileSystem?.kind).toBe(other);
    expect(changed.isChanged).toBe(true);
  });

  it('are refused as a whole when the file system is full', () => {
    expect(() =>
      applyEdits(image, [
        { kind: 'write', path: '/small', bytes: contentOf(100, 1) },
        { kind: 'write', path: '/large', bytes: contentOf(size, 2) },
      ]),
    ).toThrow(expect.objectContaining({ code: 'full' }));
  });
});

describe('edits', () => {
  it('make a file system in an erased partition', () => {
    const erased = new Uint8Array(size).fill(0xff);
    expect(() => applyEdits(erased, [])).toThrow(FileSystemError);
    const { fileSystem, isChanged } = applyEdits(erased, [
      { kind: 'format', as: 'littlefs' },
      { kind: 'write', path: '/a', bytes: text('a') },
    ]);
    expect(isChanged).toBe(true);
    expect(fileSystem?.list().map(({ path }) => path)).toEqual(['/a']);
  });

  it('keep one write of each file while only files are written', () => {
    const write = (path: string, value: string): FileEdit => ({ kind: 'write', path, bytes: text(value) });
    const removal: FileEdit = { kind: 'remove', path: '/c' };
    expect(addEdits([write('/a', '1'), write('/b', '1')], [write('/a', '2')])).toEqual([
      write('/b', '1'),
      write('/a', '2'),
    ]);
    expect(addEdits([write('/a', '1'), removal], [write('/a', '2')])).toHaveLength(3);
    expect(addEdits([write('/a', '1'), removal], [{ kind: 'format', as: 'spiffs' }])).toHaveLength(1);
  });
});

describe('formatting a file system that is smaller than its partition', () => {
  const short = 96 * 4_096;
  const partition = 128 * 4_096;
  const inPartition = (image: Uint8Array) => {
    const all = new Uint8Array(partition).fill(0xff);
    all.set(image);
    return all;
  };

  // littlefs refuses another number of blocks than its own (`lfs.c`, "Invalid block count"); that of SPIFFS is in its magic numbers.
  it.each([
    ['littlefs', [{ path: '/a', bytes: Uint8Array.of(1) }], true],
    ['littlefs', [], true],
    ['spiffs', [{ path: '/a', bytes: Uint8Array.of(1) }], true],
    ['spiffs', [], true],
    ['fat', [{ path: '/a', bytes: Uint8Array.of(1) }], true],
    ['fat', [], true],
    ['fat', [{ path: '/a', bytes: Uint8Array.of(1) }], false],
    ['fat', [], false],
  ] as const)('fills it with %s (stored: %j, wear levelling: %s)', (kind, stored, wearLevelling) => {
    const old = openFileSystem(formatImage(kind, short, wearLevelling));
    for (const { path, bytes } of stored) {
      old.write(path, bytes);
    }
    const formatted = applyEdits(inPartition(old.image), [{ kind: 'format', as: kind, wearLevelling }]);
    const whole = openFileSystem(formatImage(kind, partition, wearLevelling));
    expect(formatted.isChanged).toBe(true);
    const written = inPartition(old.image);
    for (const { offset, bytes } of formatted.changed) {
      written.set(bytes, offset);
    }
    const again = openFileSystem(written);
    expect([again.list(), again.title, again.usage(), again.findings]).toEqual([
      [],
      whole.title,
      whole.usage(),
      whole.findings,
    ]);
    expect(applyEdits(written, [{ kind: 'format', as: kind, wearLevelling }]).isChanged).toBe(false);
  });

  it('keeps block size, version and layout', () => {
    const blocks = openFileSystem(inPartition(formatLittleFs(short, { blockSize: 8_192, minorVersion: 1 })));
    blocks.format();
    expect(blocks.title).toBe('LittleFS 2.1, 64 blocks of 8,192 bytes');
    const pages = openFileSystem(inPartition(formatSpiffs(short, { blockSize: 8_192, pageSize: 512 })));
    pages.format();
    expect(openFileSystem(pages.image).title).toBe('SPIFFS, 64 blocks of 8,192 bytes, pages of 512 bytes');
  });
});

describe('formatting a file system that is larger than its partition', () => {
  it.each(['littlefs', 'spiffs', 'fat'] as const)('makes a new %s that fits', (kind) => {
    const cut = buildImage(kind, 0x4_0000, [{ path: '/a', bytes: Uint8Array.of(1) }]).slice(0, 0x2_0000);
    expect(applyEdits(cut, []).fileSystem?.isReadOnly).toBe(true);
    const { fileSystem } = applyEdits(cut, [
      { kind: 'format', as: kind },
      { kind: 'write', path: '/b', bytes: Uint8Array.of(2) },
    ]);
    const again = openFileSystem(fileSystem?.image ?? cut);
    expect([again.isReadOnly, again.list().map(({ path }) => path)]).toEqual([false, ['/b']]);
    expect(again.findings.map(({ code }) => code)).not.toContain('image-shorter');
  });
});
