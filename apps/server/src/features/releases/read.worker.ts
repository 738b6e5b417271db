/** The thread of `firmware-reader.ts`: holds one file at a time and releases its memory at once. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { readBuildFile, readFirmware } from '@wirebench/flasher/release';
import type { ReadAnswer, ReadRequest } from './firmware-reader.ts';
import { freeMemory } from './free-memory.ts';

let last: Promise<void> = Promise.resolve();

async function answer({ id, path, build }: ReadRequest): Promise<ReadAnswer> {
  try {
    const bytes = await readFile(path);
    const reading = build === null ? structuredClone(await readFirmware(bytes)) : null;
    const buildReading = build === null ? null : structuredClone(await readBuildFile(build.name, bytes, build.device));
    freeMemory(bytes);
    return { id, reading, buildReading, error: null };
  } catch (error) {
    return { id, reading: null, buildReading: null, error };
  }
}

parentPort?.on('message', (request: ReadRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});
