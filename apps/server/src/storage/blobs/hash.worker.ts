/** The thread of `hash-thread.ts`. */
import { createHash, type Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { HashAnswer, HashRequest } from './hash-thread.ts';

interface Growing {
  readonly hash: Hash;
  /** Bytes of the file that are in the hash. */
  read: number;
  /** Error of reading the file, which invalidates the hash. */
  error: unknown;
}

const files = new Map<number, Growing>();

/** Large enough for few calls, small enough for the processor's cache. */
const buffer = Buffer.allocUnsafeSlow(131_072);

function readOn(file: number, growing: Growing, size: number): void {
  while (growing.read < size) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, size - growing.read), growing.read);
    if (length === 0) {
      throw new Error('The file has fewer bytes than were written to it');
    }
    growing.hash.update(length === buffer.length ? buffer : buffer.subarray(0, length));
    growing.read += length;
  }
}

function answerOf(id: number, { hash, error }: Growing): HashAnswer {
  return { id, sha256: error === null ? hash.digest('hex') : null, error };
}

parentPort?.on('message', ({ id, file, size, done }: HashRequest) => {
  const growing = files.get(id) ?? { hash: createHash('sha256'), read: 0, error: null };
  files.set(id, growing);
  try {
    readOn(file, growing, growing.error === null ? size : 0);
  } catch (error) {
    growing.error = error;
  }
  if (done) {
    files.delete(id);
    parentPort?.postMessage(answerOf(id, growing));
  }
});
