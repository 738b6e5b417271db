import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipFiles } from './zip-files.ts';

const bytesOf = (length: number, seed: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251);

describe('zip archive of a recording', () => {
  it('has every byte of every file, also of large ones, and tells how far it is', async () => {
    const contents = [bytesOf(3, 1), bytesOf(4 << 20, 2), bytesOf((4 << 20) + 1, 3)];
    const files = contents.map((content, index) => new File([content], `part-${index}.bin`));
    const progress: number[] = [];
    const zip = await zipFiles(files, (bytes) => progress.push(bytes));
    const entries = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(Object.keys(entries)).toEqual(['part-0.bin', 'part-1.bin', 'part-2.bin']);
    for (const [index, content] of contents.entries()) {
      expect(Buffer.compare(entries[`part-${index}.bin`] ?? new Uint8Array(), content)).toBe(0);
    }
    expect(progress.at(-1)).toBe(contents.reduce((sum, { length }) => sum + length, 0));
  });

  it('has empty files and folders', async () => {
    const folder = Object.assign(new Blob(), { name: 'lib/', lastModified: Date.now() });
    const zip = await zipFiles([folder, new File([], 'empty.py'), new File(['x'], 'last.py')], () => undefined);
    const entries = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(Object.entries(entries).map(([name, { length }]) => [name, length])).toEqual([
      ['lib/', 0],
      ['empty.py', 0],
      ['last.py', 1],
    ]);
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    const file = new File([bytesOf(9 << 20, 1)], 'a.bin');
    await expect(zipFiles([file], () => controller.abort(), controller.signal)).rejects.toThrow('aborted');
  });
});
