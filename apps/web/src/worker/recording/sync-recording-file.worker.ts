/**
 * Recording from within a worker, the only place where a file can be written at once and in place: what is written survives
 * a crash of the tab. Not an entry of its own: files named `*.worker.ts` are those that only a worker can run.
 */

import { markRunning, recordingFolder } from '../../shared/storage/recording-folder.ts';
import type { OpenRecordingFile } from './recording-file.ts';
import { openStreamRecordingFile } from './stream-recording-file.ts';

/** In place where this browser can, else through a stream. */
export const openWorkerRecordingFile: OpenRecordingFile = async (name) => {
  const folder = await recordingFolder();
  const access = await accessInPlace(await folder.getFileHandle(name, { create: true }));
  if (access === null) {
    return openStreamRecordingFile(name);
  }
  const ended = markRunning(name);
  access.truncate(0);
  // Said with every write: Chromium 109 has no position of its own and would write each piece at the start.
  let at = 0;
  return {
    name,
    durable: true,
    write(bytes) {
      const written = access.write(bytes, { at });
      at += written;
      if (written < bytes.byteLength) {
        throw new DOMException('The file accepted only part of the data.', 'QuotaExceededError');
      }
    },
    flush: () => access.flush(),
    close: async () => {
      access.close();
      ended();
    },
  };
};

/** Null before Chromium 102, which has no such access, and before 108: there all but reading and writing are promises. */
async function accessInPlace(handle: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle | null> {
  if (!('createSyncAccessHandle' in handle)) {
    return null;
  }
  const access = await handle.createSyncAccessHandle();
  const size: unknown = access.getSize();
  if (typeof size === 'number') {
    return access;
  }
  await size;
  await access.close();
  return null;
}
