/** Compares FAT with Debian's dosfstools (`mkfs.fat`, `fsck.fat`) and mtools, if they are installed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewFile } from '../file-system.ts';
import { contentOf } from '../testing/operations.ts';
import { FatFs } from './fat-fs.ts';
import { buildFat, formatFat } from './format-fat.ts';

/** Debian keeps programs for administrators in a folder of their own. */
const env = {
  ...process.env,
  PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
  MTOOLS_SKIP_CHECK: '1',
  LC_ALL: 'C.UTF-8',
};
const tools = ['mkfs.fat', 'fsck.fat', 'mcopy', 'mmd', 'mren', 'mdel'];
const missing = tools.filter((tool) => spawnSync(tool, ['--help'], { env }).error !== undefined);
if (missing.length > 0) {
  console.info(
    `Left out, because this machine has no ${missing.join(', ')}: FAT that is compared with dosfstools and mtools.`,
  );
}
const numRuns = isLong ? 60 : 4;

let folder: string;
let image: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-fat-'));
  image = join(folder, 'image.bin');
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(tool: string, ...args: string[]): void {
  const { status, stderr, stdout } = spawnSync(tool, args, { env, encoding: 'utf8' });
  expect(status, `${tool} ${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
}

/** Names that need long ones, short ones, and other letters than ASCII. mtools spells a short one with ö in two ways. */
const names = [
  'README.TXT',
  'index.html',
  'A rather long name of a file.json',
  'größe der Datei.txt',
  'x',
  'ünïcödé and long.bin',
];
const anyFiles = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...names), length: fc.nat(20_000), deep: fc.nat(2) }), {
    minLength: 1,
    maxLength: 6,
    selector: ({ name }) => name,
  })
  .map((all) =>
    all.map(({ name, length, deep }, seed): NewFile => {
      const path = ['/', '/www/', '/www/deep folder/'][deep] ?? '/';
      return { path: path + name, bytes: contentOf(length, seed) };
    }),
  );

const sorted = (files: readonly NewFile[]) => files.toSorted((one, other) => (one.path < other.path ? -1 : 1));

/** Returns what mtools copies out of the image. */
function unpacked(): NewFile[] {
  const at = join(folder, 'out');
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at);
  run('mcopy', '-s', '-n', '-i', image, '::/', at);
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(at, name)).isFile())
    .map((name) => ({ path: `/${name}`, bytes: new Uint8Array(readFileSync(join(at, name))) }));
}

function filesOf(fileSystem: FatFs): NewFile[] {
  const files = fileSystem.list().filter(({ kind }) => kind === 'file');
  return files.map(({ path }) => ({ path, bytes: fileSystem.read(path) }));
}

/** Ends a hung program, with a margin for a busy machine: the long run starts thousands of them. */
const timeout = isLong ? 600_000 : 90_000;

describe.runIf(missing.length === 0)('FAT', { timeout }, () => {
  it.each([
    { title: 'FAT12', size: 1_048_576, args: ['-F', '12'] },
    { title: 'FAT12 with sectors of 4,096 bytes', size: 1_048_576, args: ['-S', '4096', '-s', '1'] },
    { title: 'FAT12 with one table', size: 524_288, args: ['-f', '1', '-s', '2'] },
    { title: 'FAT16', size: 8_388_608, args: ['-F', '16', '-s', '1'] },
    { title: 'FAT32', size: 41_943_040, args: ['-F', '32', '-s', '1'] },
  ])('is read and changed as mtools made it: $title', ({ size, args }) => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        writeFileSync(image, new Uint8Array(size));
        run('mkfs.fat', ...args, image);
        run('mmd', '-i', image, '::/www', '::/www/deep folder');
        for (const { path, bytes } of files) {
          const local = join(folder, 'local');
          writeFileSync(local, bytes);
          run('mcopy', '-i', image, local, `::${path}`);
        }
        const fileSystem = new FatFs(readFileSync(image));
        expect([fileSystem.isReadOnly, fileSystem.findings]).toEqual([false, []]);
        expect(sorted(filesOf(fileSystem))).toEqual(sorted(files));

        const added = { path: '/www/a new file.bin', bytes: contentOf(9_000, 9) };
        fileSystem.write(added.path, added.bytes);
        const [first, ...others] = files;
        fileSystem.rename(first?.path ?? '', '/moved/Renamed.txt');
        writeFileSync(image, fileSystem.image);
        run('fsck.fat', '-n', image);
        const renamed = { path: '/moved/Renamed.txt', bytes: first?.bytes ?? new Uint8Array() };
        expect(sorted(unpacked())).toEqual(sorted([renamed, ...others, added]));
      }),
      { numRuns: size > 10_000_000 ? 1 : numRuns },
    );
  });

  it.each([
    { title: 'sectors of 4,096 bytes', size: 1_048_576, options: { wearLevelling: false } },
    { title: 'sectors of 512 bytes', size: 1_048_576, options: { wearLevelling: false, sectorSize: 512 as const } },
    { title: 'FAT16', size: 8_388_608, options: { wearLevelling: false, sectorSize: 512 as const } },
  ])('is sound and readable by mtools when made here: $title', ({ size, options }) => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        writeFileSync(image, buildFat(size, files, options));
        run('fsck.fat', '-n', image);
        expect(sorted(unpacked())).toEqual(sorted(files));
      }),
      { numRuns },
    );
  });

  it('is sound after files and folders were removed, and after it was emptied', () => {
    const fileSystem = new FatFs(formatFat(1_048_576, { wearLevelling: false }));
    for (let index = 0; index < 40; index++) {
      fileSystem.write(`/folder ${index % 4}/file number ${index}.txt`, contentOf(index * 300, index));
    }
    fileSystem.remove('/folder 1');
    fileSystem.remove('/folder 2/file number 2.txt');
    fileSystem.rename('/folder 3', '/folder 2/inner');
    writeFileSync(image, fileSystem.image);
    run('fsck.fat', '-n', image);
    expect(sorted(unpacked())).toEqual(sorted(filesOf(fileSystem)));
    fileSystem.format();
    writeFileSync(image, fileSystem.image);
    run('fsck.fat', '-n', image);
    expect(unpacked()).toEqual([]);
  });
});
