import { afterEach, expect, it, vi } from 'vitest';
import { openWorkerRecordingFile } from './sync-recording-file.worker.ts';

/** A file with the behaviour of Chromium 109 in a worker: a write without a position goes to the start. */
function fileWithoutPosition() {
  const content = new Uint8Array(64);
  let size = 0;
  const access = {
    getSize: () => size,
    truncate: (to: number) => {
      size = to;
    },
    write: (bytes: Uint8Array, { at = 0 }: { at?: number } = {}) => {
      content.set(bytes, at);
      size = Math.max(size, at + bytes.length);
      return bytes.length;
    },
    flush: () => undefined,
    close: () => undefined,
  };
  const folder = {
    getDirectoryHandle: async () => folder,
    getFileHandle: async (_: string, { create = false } = {}) => {
      if (!create) {
        throw new DOMException('There is no such file.', 'NotFoundError');
      }
      return { createSyncAccessHandle: async () => access };
    },
  };
  vi.stubGlobal('navigator', {
    storage: { getDirectory: async () => folder },
    locks: { request: async () => undefined },
  });
  return () => new TextDecoder().decode(content.subarray(0, size));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a recording holds every piece in order where the file keeps no position, as in Chromium 109', async () => {
  const content = fileWithoutPosition();
  const file = await openWorkerRecordingFile('port-1.bin', null);
  for (const piece of ['first ', 'second ', 'third']) {
    file.write(new TextEncoder().encode(piece));
    file.flush();
  }
  expect(content()).toBe('first second third');
});
