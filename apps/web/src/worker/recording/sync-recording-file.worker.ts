/**
 * Recording in a worker, the only place that can write a file in place and at once. Written bytes survive a crash of
 * the tab. It is no entry: files named `*.worker.ts` run in workers only.
 */

import { markRunning, newFile, recordingFolder } from '../../shared/storage/recording-folder.ts';
import type { OpenRecordingFile } from './recording-file.ts';
import { openStreamRecordingFile } from './stream-recording-file.ts';

/** Opens the file in place if the browser supports it, else through a stream, as in a folder of the user. */
export const openWorkerRecordingFile: OpenRecordingFile = async (name, chosen) => {
  if (chosen !== null) {
    return openStreamRecordingFile(name, chosen);
  }
  const folder = await recordingFolder();
  const access = await accessInPlace(await newFile(folder, name));
  if (access === null) {
    await folder.removeEntry(name);
    return openStreamRecordingFile(name, null);
  }
  const ended = markRunning(name);
  access.truncate(0);
  // Passed with every write, because Chromium 109 keeps no position of its own and would write each piece at the
  // start.
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
    discard: async () => {
      access.close();
      await folder.removeEntry(name);
      ended();
    },
  };
};

/** Returns null before Chromium 102, which has no such access, and before 108, whose other methods return promises. */
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
