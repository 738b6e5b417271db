/** Calls to the worker that reads and changes file systems. It is started with the first call. */
import { CallClient } from '../protocol/calls/call-client.ts';
import type { CallFailure } from '../protocol/calls/call-protocol.ts';
import { watchLife } from '../protocol/calls/thread-life.ts';
import type { FileSystemApi } from '../protocol/file-system-protocol.ts';

let client: CallClient<FileSystemApi, null> | null = null;
let lastId = 0;

const loss: CallFailure = {
  name: 'FileSystemThreadLost',
  message:
    'The browser ended the background task that reads file systems, often for lack of memory. Close this file system and open it again.',
  code: 'file-systems-lost',
};

/** Returns a number for a partition that is opened; never used before. */
export function nextFileSystemId(): number {
  return ++lastId;
}

/** Starts a new worker if there is none, or if the browser has ended it. */
export function fileSystemLine(): CallClient<FileSystemApi, null> {
  if (client === null) {
    const line = new CallClient<FileSystemApi, null>(() => undefined);
    client = line;
    const worker = new Worker(new URL('../worker/file-systems/file-systems.worker.ts', import.meta.url), {
      type: 'module',
      name: 'file-systems',
    });
    const lose = () => {
      if (client === line) {
        client = null;
      }
      line.lose({ pending: () => loss, later: () => loss });
    };
    watchLife(worker, lose);
    // The worker's code could not be loaded, or the worker threw an error.
    worker.addEventListener('error', () => {
      worker.terminate();
      lose();
    });
    line.attach(worker);
  }
  return client;
}
