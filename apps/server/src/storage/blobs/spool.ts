/**
 * Incoming files: written to the disk and hashed while they arrive, synced while the next one arrives. Memory holds
 * two batches of them. A store takes a file over under a key, or it is discarded.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { onDisk } from './disk.ts';
import { HashThread } from './hash-thread.ts';
import type { SpooledFile } from './spooled-file.ts';

type OnWritten = (chunk: Uint8Array) => void;

export interface Spool {
  /**
   * Receives `source` to its end, and calls `onWritten` with each chunk when it is no longer needed. Rejects with the
   * error of `source`, or with `BlobStoreUnavailableError`, and then leaves no file.
   */
  receive(source: AsyncIterable<Uint8Array>, onWritten?: OnWritten): Promise<SpooledFile>;
  /** Removes the files of processes that ended during an upload. Returns the number of removed files. */
  sweep(): Promise<number>;
  /** Rejects if the folder is not writable. */
  check(): Promise<void>;
}

/** Milliseconds after which a file counts as abandoned. A request may take half as long (`listeners.ts`). */
const ABANDONED_AFTER = 3_600_000;

/** Bytes per write: large enough for few calls, small enough for many simultaneous uploads. */
const BATCH = 524_288;

/** Pieces per write: a form parser cuts bytes that resemble its boundary into pieces of a few bytes. */
const BATCH_PIECES = 1_024;

/** Names begin with the time of creation, which copies and clocks of file servers do not change. */
const NAME = /^(\d+)-[\da-f-]{36}$/;

/** Opens a spool in `folder`, which is created if it is missing. Several processes may share one. */
export async function openSpool(folder: string, clock: Clock): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  /** Names of this process's files. A date that was set forwards must not make them look abandoned. */
  const held = new Set<string>();
  const newName = () => `${Math.floor(clock.wallTime())}-${randomUUID()}`;
  return {
    async receive(source, onWritten = () => undefined) {
      const name = newName();
      const path = join(folder, name);
      held.add(name);
      try {
        const written = await write(path, source, onWritten);
        const dispose = async () => {
          await Promise.allSettled([written.safe]);
          await discard(path);
          held.delete(name);
        };
        return { path, ...written, [Symbol.asyncDispose]: dispose };
      } catch (error) {
        await discard(path);
        held.delete(name);
        throw error;
      }
    },

    async sweep() {
      const names = await onDisk(() => readdir(folder));
      const abandoned = names.filter(
        (name) => !held.has(name) && Number(NAME.exec(name)?.[1]) < clock.wallTime() - ABANDONED_AFTER,
      );
      await Promise.all(abandoned.map((name) => discard(join(folder, name))));
      return abandoned.length;
    },

    check: () =>
      onDisk(async () => {
        const path = join(folder, newName());
        await (await open(path, 'wx', 0o600)).close();
        await rm(path, { force: true });
      }),
  };
}

type Written = Pick<SpooledFile, 'size' | 'sha256' | 'safe'>;

/** The one thread of this process: it hashes faster than the main thread receives files. */
const hashThread = new HashThread();

async function write(path: string, source: AsyncIterable<Uint8Array>, onWritten: OnWritten): Promise<Written> {
  const handle = await onDisk(() => open(path, 'wx+', 0o600));
  const hash = hashThread.begin(handle.fd);
  let size = 0;
  let writing = Promise.resolve();
  let batch: Uint8Array[] = [];
  let batchSize = 0;
  // One batch is written while the next one arrives.
  const next = async () => {
    await writing;
    const written = size;
    writing = writeAll(handle, batch, batchSize, onWritten).then(() => hash.grow(written));
    writing.catch(isAwaited);
    batch = [];
    batchSize = 0;
  };
  try {
    for await (const chunk of source) {
      size += chunk.length;
      batch.push(chunk);
      batchSize += chunk.length;
      if (batchSize >= BATCH || batch.length >= BATCH_PIECES) {
        await next();
      }
    }
    await next();
    await writing;
  } catch (error) {
    // In this order: the running write still passes its size to the hash.
    await Promise.allSettled([writing]);
    await Promise.allSettled([hash.end()]);
    await handle.close();
    throw error;
  }
  const hashed = hash.end();
  const safe = syncAndClose(handle, hashed);
  safe.catch(isAwaited);
  return { size, sha256: await hashed, safe };
}

async function syncAndClose(handle: FileHandle, hashed: Promise<string>): Promise<void> {
  try {
    await onDisk(() => handle.sync());
  } finally {
    await Promise.allSettled([hashed]);
    await handle.close();
  }
}

/** Handles a rejection that occurs while something else is awaited. The later await gets the error. */
function isAwaited(): void {
  // See above.
}

async function writeAll(
  handle: FileHandle,
  batch: readonly Uint8Array[],
  size: number,
  onWritten: OnWritten,
): Promise<void> {
  if (size > 0) {
    await onDisk(async () => {
      const { bytesWritten } = await handle.writev(batch);
      if (bytesWritten < size) {
        // The system may accept less than it was given, and reports the reason at the next write.
        await handle.appendFile(Buffer.concat(batch).subarray(bytesWritten));
      }
    });
    for (const chunk of batch) {
      onWritten(chunk);
    }
  }
}

function discard(path: string): Promise<void> {
  return onDisk(() => rm(path, { force: true }));
}
