import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipFiles } from './zip-files.ts';

const bytesOf = (length: number, seed: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251);

const zipped = (name: string, content: Uint8Array<ArrayBuffer>) => ({
  name,
  content: new Blob([content]),
  lastModified: Date.UTC(2026, 0, 1),
});

describe('zip archive', () => {
  it('has every byte of every file, also of large ones, and tells how far it is', async () => {
    const contents = [bytesOf(3, 1), bytesOf(4 << 20, 2), bytesOf((4 << 20) + 1, 3)];
    const files = contents.map((content, index) => zipped(`part-${index}.bin`, content));
    const progress: number[] = [];
    const zip = await zipFiles(files, (bytes) => progress.push(bytes));
    const entries = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(Object.keys(entries)).toEqual(['part-0.bin', 'part-1.bin', 'part-2.bin']);
    for (const [index, content] of contents.entries()) {
      expect(Buffer.compare(entries[`part-${index}.bin`] ?? new Uint8Array(), content)).toBe(0);
    }
    expect(progress.at(-1)).toBe(contents.reduce((sum, { length }) => sum + length, 0));
  });

  it('has empty files and empty folders', async () => {
    const empty = new Uint8Array();
    const zip = await zipFiles(
      [zipped('a/', empty), zipped('a/empty.txt', empty), zipped('b', bytesOf(2, 1))],
      () => undefined,
    );
    const entries = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(entries).toEqual({ 'a/': empty, 'a/empty.txt': empty, b: bytesOf(2, 1) });
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    const file = zipped('a.bin', bytesOf(9 << 20, 1));
    await expect(zipFiles([file], () => controller.abort(), controller.signal)).rejects.toThrow('aborted');
  });
});
