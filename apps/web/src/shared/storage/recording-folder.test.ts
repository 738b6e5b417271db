import { afterEach, expect, it, vi } from 'vitest';
import { newFile, recordingFolder, storedFiles } from './recording-folder.ts';

/** Private files of one origin. A folder exists after a request with `create`. */
function fakeOrigin() {
  const folders = new Set<string>();
  const root = {
    getDirectoryHandle: async (name: string, { create = false } = {}) => {
      if (!create && !folders.has(name)) {
        throw new DOMException('There is no such folder.', 'NotFoundError');
      }
      folders.add(name);
      return { entries: () => new Map().entries() };
    },
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', {
    storage: { getDirectory: async () => root },
    locks: { query: async () => ({ held: [] }) },
  });
  return { folders, root };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a browser that never recorded stores nothing when it looks for recordings', async () => {
  const { folders } = fakeOrigin();
  expect(await storedFiles()).toEqual([]);
  expect(folders.size).toBe(0);
  await recordingFolder();
  expect(folders.size).toBe(1);
  expect(await storedFiles()).toEqual([]);
});

it('a folder that cannot be read is not taken for a missing one', async () => {
  const { root } = fakeOrigin();
  vi.spyOn(root, 'getDirectoryHandle').mockRejectedValue(new DOMException('Refused.', 'SecurityError'));
  await expect(storedFiles()).rejects.toThrow('Refused.');
});

it('a new file never takes the name of another', async () => {
  const names = new Set(['a.bin']);
  const folder = {
    getFileHandle: async (name: string, { create = false } = {}) => {
      if (!names.has(name) && !create) {
        throw new DOMException('There is no such file.', 'NotFoundError');
      }
      names.add(name);
      return { name };
    },
  } as unknown as FileSystemDirectoryHandle;
  await expect(newFile(folder, 'a.bin')).rejects.toMatchObject({ name: 'InvalidModificationError' });
  expect((await newFile(folder, 'b.bin')).name).toBe('b.bin');
});
