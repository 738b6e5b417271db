/** The thread of `firmware-reader.ts`: holds one file at a time and releases its memory at once. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { readFirmware } from '@wirebench/flasher/release';
import type { ReadAnswer, ReadRequest } from './firmware-reader.ts';
import { freeMemory } from './free-memory.ts';

let last: Promise<void> = Promise.resolve();

async function answer({ id, path }: ReadRequest): Promise<ReadAnswer> {
  try {
    const bytes = await readFile(path);
    const reading = structuredClone(await readFirmware(bytes));
    freeMemory(bytes);
    return { id, reading, error: null };
  } catch (error) {
    return { id, reading: null, error };
  }
}

parentPort?.on('message', (request: ReadRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});
