/**
 * Recording where no worker can hold the ports: a page writes in the background, and the file is only complete once it is
 * closed.
 */
import type { OpenRecordingFile } from './recording-file.ts';
import { markRunning, recordingFolder } from './recording-folder.ts';

export const openPageRecordingFile: OpenRecordingFile = async (name) => {
  const folder = await recordingFolder();
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  const ended = markRunning(name);
  let failure: unknown = null;
  return {
    name,
    write(bytes) {
      if (failure !== null) {
        throw failure;
      }
      stream.write(bytes.slice()).catch((error: unknown) => {
        failure = error;
      });
    },
    // The stream writes on by itself; there is nothing that would make it do so sooner.
    flush: () => undefined,
    close: async () => {
      await stream.close();
      ended();
    },
  };
};
