/** Compares images with the tools of the Arduino cores, `mklittlefs` and `mkspiffs`, if they are installed. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingCommands, run } from '../images/testing/tools.ts';
import type { NewFile } from './file-system.ts';
import { buildLittleFs } from './littlefs/little-fs.ts';
import { openFileSystem } from './open-file-system.ts';
import { buildSpiffs } from './spiffs/spiffs.ts';
import { contentOf } from './testing/operations.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-file-systems-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const numRuns = isLong ? 100 : 6;
const size = 262_144;

const missing = missingCommands('mklittlefs', 'mkspiffs');
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: file systems that are compared with it.`);
}

/** Files with different first letters, so that no name is a folder of another. */
const anyFiles = fc.array(fc.oneof(fc.nat(300), fc.nat(30_000)), { minLength: 1, maxLength: 8 }).map((lengths) =>
  lengths.map((length, index): NewFile => {
    const name = `${index}${'x'.repeat(index)}`;
    return { path: index % 2 === 0 ? `/${name}` : `/www/${name}`, bytes: contentOf(length, index) };
  }),
);

const sorted = (files: readonly NewFile[]) => files.toSorted((one, other) => (one.path < other.path ? -1 : 1));

/** Writes the files into an empty folder, and returns its name. */
function makeFolder(files: readonly NewFile[]): string {
  const at = join(folder, 'in');
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at);
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), bytes);
  }
  return at;
}

/** Returns the files below a folder. */
function readFolder(at: string): NewFile[] {
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(at, name)).isFile())
    .map((name) => ({ path: `/${name}`, bytes: new Uint8Array(readFileSync(join(at, name))) }));
}

function filesOf(image: Uint8Array): NewFile[] {
  const fileSystem = openFileSystem(image);
  expect(fileSystem.isReadOnly).toBe(false);
  return fileSystem
    .list()
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => ({ path, bytes: fileSystem.read(path) }));
}

describe.each([
  ['mklittlefs', buildLittleFs],
  // By default, mkspiffs is built without metadata.
  ['mkspiffs', (bytes: number, files: readonly NewFile[]) => buildSpiffs(bytes, files, { metaLength: 0 })],
] as const)('%s', (tool, build) => {
  const shape = ['-b', '4096', '-p', '256', '-s', `${size}`];

  it.runIf(!missing.includes(tool))('writes images that are read and changed here, and reads the result', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        const image = join(folder, 'image.bin');
        run(tool, '-c', makeFolder(files), ...shape, image);
        expect(sorted(filesOf(readFileSync(image)))).toEqual(sorted(files));

        const fileSystem = openFileSystem(readFileSync(image));
        const added = { path: '/new', bytes: contentOf(9_000, 9) };
        fileSystem.write(added.path, added.bytes);
        fileSystem.rename('/0', '/www/renamed');
        writeFileSync(image, fileSystem.image);
        const unpacked = join(folder, 'out');
        rmSync(unpacked, { recursive: true, force: true });
        run(tool, '-u', unpacked, ...shape, image);
        const [first, ...others] = files;
        const renamed = { path: '/www/renamed', bytes: first?.bytes ?? new Uint8Array() };
        expect(sorted(readFolder(unpacked))).toEqual(sorted([renamed, ...others, added]));
      }),
      { numRuns },
    );
  });

  it.runIf(!missing.includes(tool))('reads images that are built here', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        const image = join(folder, 'image.bin');
        writeFileSync(image, build(size, files));
        const unpacked = join(folder, 'out');
        rmSync(unpacked, { recursive: true, force: true });
        run(tool, '-u', unpacked, ...shape, image);
        expect(sorted(readFolder(unpacked))).toEqual(sorted(files));
      }),
      { numRuns },
    );
  });
});
