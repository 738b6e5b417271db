import { spawnSync } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readTar, TarError, TarWriter } from './tar.ts';

interface File {
  readonly name: string;
  readonly content: Buffer;
}

async function write(path: string, files: readonly File[]): Promise<void> {
  await using file = await open(path, 'w');
  const tar = new TarWriter(file, Date.UTC(2026, 10, 20));
  for (const { name, content } of files) {
    await tar.add({ name, size: content.length }, [content]);
  }
  await tar.end();
}

async function read(path: string): Promise<File[]> {
  await using file = await open(path, 'r');
  const files: File[] = [];
  for await (const { name, content } of readTar(file)) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) {
      chunks.push(chunk);
    }
    files.push({ name, content: Buffer.concat(chunks) });
  }
  return files;
}

const hasTar = spawnSync('tar', ['--version']).status === 0;

describe('archive', () => {
  it('gives back what was put in, of any length', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a.tar');
    const content = fc
      .oneof(fc.constantFrom(0, 1, 511, 512, 513, 1_048_577), fc.nat(3_000))
      .map((length) => Buffer.alloc(length, 'content '));
    const name = fc.stringMatching(/^[a-z]{1,20}(\/[a-zß]{1,20}){0,3}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ name, content }), { maxLength: 5 }), async (files) => {
        await write(path, files);
        expect(await read(path)).toEqual(files);
      }),
      { numRuns: 15 },
    );
  }, 30_000);

  it.runIf(hasTar)('can be read by tar, and reads archives that tar wrote', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a.tar');
    const files = [
      { name: 'firmware/blobs/ab/one.bin', content: Buffer.from('one') },
      { name: 'two.txt', content: Buffer.alloc(10_000, 'two ') },
    ];
    await write(path, files);
    expect(spawnSync('tar', ['-xf', path, '-C', folder.path]).status).toBe(0);
    for (const { name, content } of files) {
      expect(await readFile(join(folder.path, name))).toEqual(content);
    }
    const again = join(folder.path, 'b.tar');
    const names = files.map(({ name }) => name);
    expect(spawnSync('tar', ['--format=ustar', '-cf', again, ...names], { cwd: folder.path }).status).toBe(0);
    expect(await read(again)).toEqual(files);
  });

  it('rejects a file that is not an archive, is cut off, or has a changed header', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a.tar');
    await write(path, [{ name: 'name', content: Buffer.alloc(2_000, 'x') }]);
    const whole = await readFile(path);
    const changed = Buffer.from(whole);
    changed.write('nome', 0);
    for (const bytes of [
      Buffer.from('nothing of the kind'),
      whole.subarray(0, 1_500),
      changed,
      Buffer.alloc(600, 'x'),
    ]) {
      await writeFile(path, bytes);
      await expect(read(path)).rejects.toBeInstanceOf(TarError);
    }
  });

  it('keeps sizes that eleven octal digits do not hold', async () => {
    await using folder = await temporaryFolder();
    await using file = await open(join(folder.path, 'a.tar'), 'w+');
    const size = 9 * 1024 ** 3;
    const tar = new TarWriter(file, 0);
    // The header is written before the content turns out to be too short.
    await expect(tar.add({ name: 'large', size }, [])).rejects.toThrow(`large has 0 bytes instead of ${size}`);
    const { value } = await readTar(file).next();
    expect(value).toMatchObject({ name: 'large', size });
  });

  it('takes no name that does not fit', async () => {
    await using folder = await temporaryFolder();
    await using file = await open(join(folder.path, 'a.tar'), 'w');
    await expect(new TarWriter(file, 0).add({ name: 'x'.repeat(101), size: 0 }, [])).rejects.toThrow('is too long');
  });
});
