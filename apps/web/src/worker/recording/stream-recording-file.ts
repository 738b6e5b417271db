/**
 * Recording without access in place: on a page, and in workers before Chromium 108. Bytes of a stream reach the file
 * when the stream closes. The stream is therefore closed and reopened at times, so that a crash or a closed tab loses
 * only the last part.
 */

import { markRunning, newFile, recordingFolder } from '../../shared/storage/recording-folder.ts';
import type { OpenRecordingFile } from './recording-file.ts';

/**
 * Reopening copies the whole file. It waits until new bytes make up this fraction of it, or until no more bytes
 * arrive.
 */
const leastFraction = 0.25;

/** Bytes that may wait for a slow disk. */
const maxWaiting = 64 << 20;

export const openStreamRecordingFile: OpenRecordingFile = async (name, chosen) => {
  const folder = chosen ?? (await recordingFolder());
  const handle = await newFile(folder, name);
  let stream = await handle.createWritable();
  // Files of the user's own folder are not in the list of recordings.
  const ended = chosen === null ? markRunning(name) : () => undefined;
  /** Numbers of bytes: passed to `write`, taken by the stream, in the file, and passed at the last flush. */
  let written = 0;
  let taken = 0;
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
      if (written + bytes.length - taken > maxWaiting) {
        throw new DOMException('The disk is slower than the data.', 'TimeoutError');
      }
      const copy = bytes.slice();
      written += copy.length;
      enqueue(async () => {
        await stream.write(copy);
        taken += copy.length;
      });
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
    async discard() {
      enqueue(() => stream.close());
      await queue;
      await folder.removeEntry(name);
      ended();
    },
  };
};
