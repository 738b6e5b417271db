/**
 * Recording from within a worker, the only place where a file can be written at once and in place: what is written survives
 * a crash of the tab. Not an entry of its own: files named `*.worker.ts` are those that only a worker can run.
 */
import type { OpenRecordingFile } from './recording-file.ts';
import { markRunning, recordingFolder } from './recording-folder.ts';

export const openSyncRecordingFile: OpenRecordingFile = async (name) => {
  const folder = await recordingFolder();
  const handle = await folder.getFileHandle(name, { create: true });
  const access = await handle.createSyncAccessHandle();
  const ended = markRunning(name);
  access.truncate(0);
  return {
    name,
    write(bytes) {
      const written = access.write(bytes);
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
