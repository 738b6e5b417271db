import { afterEach, expect, it, vi } from 'vitest';
import { newFile, recordingFolder, storedFiles } from './recording-folder.ts';
import { fakePrivateFiles } from './testing/private-files.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a browser that never recorded stores nothing when it looks for recordings', async () => {
  const { folders } = fakePrivateFiles();
  expect(await storedFiles()).toEqual([]);
  expect(folders.size).toBe(0);
  await recordingFolder();
  expect(folders.size).toBe(1);
  expect(await storedFiles()).toEqual([]);
});

it('a folder that cannot be read is not taken for a missing one', async () => {
  const { root } = fakePrivateFiles();
  vi.spyOn(root, 'getDirectoryHandle').mockRejectedValue(new DOMException('Refused.', 'SecurityError'));
  await expect(storedFiles()).rejects.toThrow('Refused.');
});

it('a new file never takes the name of another', async () => {
  fakePrivateFiles();
  const folder = await recordingFolder();
  await folder.getFileHandle('a.bin', { create: true });
  await expect(newFile(folder, 'a.bin')).rejects.toMatchObject({ name: 'InvalidModificationError' });
  expect((await newFile(folder, 'b.bin')).name).toBe('b.bin');
});
