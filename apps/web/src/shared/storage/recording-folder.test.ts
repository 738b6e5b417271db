import { afterEach, expect, it, vi } from 'vitest';
import { finishedRecordings, recordingFolder } from './recording-folder.ts';

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
  expect(await finishedRecordings()).toEqual([]);
  expect(folders.size).toBe(0);
  await recordingFolder();
  expect(folders.size).toBe(1);
  expect(await finishedRecordings()).toEqual([]);
});

it('a folder that cannot be read is not taken for a missing one', async () => {
  const { root } = fakeOrigin();
  vi.spyOn(root, 'getDirectoryHandle').mockRejectedValue(new DOMException('Refused.', 'SecurityError'));
  await expect(finishedRecordings()).rejects.toThrow('Refused.');
});
