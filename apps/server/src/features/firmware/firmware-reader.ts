/**
 * Reads what the bytes of uploaded files say (decision 26). The beginning of a file is read here; what needs all of an image goes to
 * a thread of its own, one file at a time, so that neither the time nor the memory of it is everybody's.
 */
import { open } from 'node:fs/promises';
import { type FirmwareReading, firmwareHeadSize, readFirmwareHead } from '@wirebench/flasher/release';
import { AnsweringThread } from '../../answering-thread.ts';
import { BlobStoreUnavailableError } from '../../storage/blobs/blob-store.ts';
import { onDisk } from '../../storage/blobs/disk.ts';

/** To the thread. */
export interface ReadRequest {
  readonly id: number;
  /** A whole file that stays where it is until the answer. */
  readonly path: string;
}

/** From the thread. */
export interface ReadAnswer {
  readonly id: number;
  /** Null where the file could not be read. */
  readonly reading: FirmwareReading | null;
  /** Why it could not be read. */
  readonly error: unknown;
}

/** A file on the disk. */
export interface StoredFirmware {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Of this process. */
const thread = new AnsweringThread<ReadRequest, ReadAnswer>(new URL('./read.worker.ts', import.meta.url), 'read');

/** Rejects with `BlobStoreUnavailableError` when the file cannot be read; never for what it holds. */
export async function readStoredFirmware({ path, size }: StoredFirmware): Promise<FirmwareReading> {
  const head = await onDisk(() => readHead(path));
  const reading = await readFirmwareHead(head, size);
  if (reading !== null) {
    return reading;
  }
  const { post, answer } = thread.ask();
  post({ path });
  const { reading: whole, error } = await answer;
  if (whole === null) {
    throw new BlobStoreUnavailableError('away', { cause: error });
  }
  return whole;
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
