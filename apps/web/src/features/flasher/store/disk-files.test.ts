import { describe, expect, it } from 'vitest';
import { changedContents, lookAtDisk, noteDiskFiles } from './disk-files.ts';

/** A file on a disk that a build can write again. */
function diskFile(name: string, text: string, lastModified: number) {
  let now = new File([text], name, { lastModified });
  const write = (next: string, at: number) => {
    now = new File([next], name, { lastModified: at });
  };
  return { file: { name, content: now, reread: () => Promise.resolve(now) }, write };
}

describe('files that a build writes again', () => {
  it('are noticed once, read again on request, and then count as unchanged', async () => {
    const app = diskFile('build/app.bin', 'one', 1_000);
    noteDiskFiles([app.file]);
    expect(await lookAtDisk(['app.bin'])).toBe(false);
    app.write('two', 2_000);
    expect(await lookAtDisk(['app.bin'])).toBe(true);
    expect(await lookAtDisk(['app.bin'])).toBe(false);
    const read = await changedContents();
    expect(await read[0]?.content.text()).toBe('two');
    noteDiskFiles(read);
    expect(await changedContents()).toEqual([]);
    expect(await lookAtDisk(['app.bin'])).toBe(false);
  });

  it('that are gone for the moment, or no longer chosen, are passed over', async () => {
    const gone = {
      name: 'gone.bin',
      content: new File(['x'], 'gone.bin'),
      reread: () => Promise.reject(new Error('gone')),
    };
    const removed = diskFile('removed.bin', 'one', 1_000);
    noteDiskFiles([gone, removed.file]);
    removed.write('two', 2_000);
    expect(await lookAtDisk(['gone.bin'])).toBe(false);
  });
});
