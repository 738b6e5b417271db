/**
 * Recording where a file cannot be written in place: on a page, and in workers before Chromium 108. What a stream writes becomes the
 * file's when the stream is closed, so it is closed now and then and opened again: a closed tab or a crash costs the last part alone.
 */

import { markRunning, recordingFolder } from '../../shared/storage/recording-folder.ts';
import type { OpenRecordingFile } from './recording-file.ts';

/**
 * Reopening copies the whole file. It waits until new bytes make up this fraction of it, or until no more bytes
 * arrive.
 */
const leastFraction = 0.25;

export const openStreamRecordingFile: OpenRecordingFile = async (name) => {
  const folder = await recordingFolder();
  const handle = await folder.getFileHandle(name, { create: true });
  let stream = await handle.createWritable();
  const ended = markRunning(name);
  /** Bytes: given to the stream, of these in the file, and given when it was last asked to flush. */
  let written = 0;
  let kept = 0;
  let flushedAt = 0;
  let failure: { readonly reason: unknown } | null = null;
  let queue: Promise<void> = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.then(async () => {
      if (failure !== null) {
        return;
      }
      try {
        await work();
      } catch (reason) {
        failure = { reason };
      }
    });
  };
  const keep = async (size: number) => {
    await stream.close();
    kept = size;
    stream = await handle.createWritable({ keepExistingData: true });
    await stream.seek(size);
  };
  return {
    name,
    durable: false,
    write(bytes) {
      if (failure !== null) {
        throw failure.reason;
      }
      const copy = bytes.slice();
      written += copy.length;
      enqueue(() => stream.write(copy));
    },
    flush() {
      const size = written;
      const rests = size === flushedAt;
      flushedAt = size;
      enqueue(async () => {
        if (size > kept && (rests || size - kept >= kept * leastFraction)) {
          await keep(size);
        }
      });
    },
    async close() {
      enqueue(() => stream.close());
      await queue;
      ended();
      if (failure !== null) {
        throw failure.reason;
      }
    },
  };
};
