/**
 * Reads the format of uploaded files (decision 26). The beginning of a file is read here. If a whole image is needed,
 * a worker thread reads one file at a time, so that other requests do not wait and memory stays bounded.
 */
import { open } from 'node:fs/promises';
import {
  type BuildFileReading,
  type FirmwareReading,
  firmwareHeadSize,
  type ReleaseDevice,
  readFirmwareHead,
} from '@wirebench/flasher/release';
import { AnsweringThread } from '../../answering-thread.ts';
import { BlobStoreUnavailableError } from '../../storage/blobs/blob-store.ts';
import { onDisk } from '../../storage/blobs/disk.ts';

/** Message to the thread. */
export interface ReadRequest {
  readonly id: number;
  /** A complete file that stays in place until the answer. */
  readonly path: string;
  /** File of a build, which is read by its format and name; null for a file that is read as a `.bin`. */
  readonly build: { readonly name: string; readonly device: ReleaseDevice } | null;
}

/** Message from the thread. */
export interface ReadAnswer {
  readonly id: number;
  /** Null if the file could not be read, or belongs to a build. */
  readonly reading: FirmwareReading | null;
  /** Null if the file could not be read, or belongs to none. */
  readonly buildReading: BuildFileReading | null;
  /** Reason why the file could not be read. */
  readonly error: unknown;
}

export interface StoredFirmware {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** The one thread of this process. */
const thread = new AnsweringThread<ReadRequest, ReadAnswer>(new URL('./read.worker.ts', import.meta.url), 'read');

/**
 * Reads a file. The content of a file never causes a rejection.
 *
 * @throws BlobStoreUnavailableError if the file cannot be read.
 */
export async function readStoredFirmware({ path, size }: StoredFirmware): Promise<FirmwareReading> {
  const head = await onDisk(() => readHead(path));
  const reading = await readFirmwareHead(head, size);
  if (reading !== null) {
    return reading;
  }
  const { post, answer } = thread.ask();
  post({ path, build: null });
  const { reading: whole, error } = await answer;
  if (whole === null) {
    throw new BlobStoreUnavailableError('away', { cause: error });
  }
  return whole;
}

/**
 * Reads a file of a build by its format. The content of a file never causes a rejection.
 *
 * @throws BlobStoreUnavailableError if the file cannot be read.
 */
export async function readStoredBuildFile(
  { path }: StoredFirmware,
  name: string,
  device: ReleaseDevice,
): Promise<BuildFileReading> {
  const { post, answer } = thread.ask();
  post({ path, build: { name, device } });
  const { buildReading, error } = await answer;
  if (buildReading === null) {
    throw new BlobStoreUnavailableError('away', { cause: error });
  }
  return buildReading;
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(firmwareHeadSize), 0, firmwareHeadSize, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
