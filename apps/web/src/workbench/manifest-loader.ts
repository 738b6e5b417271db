/** Runs tasks of the worker that loads releases from any address. Each task has a worker of its own. */
import type { ManifestFile, ManifestRelease } from '@wirebench/flasher/release';
import type { ManifestTask, ManifestTaskFault, ManifestTaskMessage } from '../protocol/manifest-protocol.ts';

/** Failure of a task. Its message says what happened, and `remedy` what to do next. */
export class ManifestTaskError extends Error {
  readonly code: ManifestTaskFault['code'];
  readonly remedy: string;

  constructor({ code, what, remedy }: ManifestTaskFault) {
    super(what);
    this.name = 'ManifestTaskError';
    this.code = code;
    this.remedy = remedy;
  }
}

/** @param address Absolute, from `manifestAddress`. */
export async function readManifestAt(address: string, signal: AbortSignal): Promise<ManifestRelease> {
  const message = await runTask({ kind: 'manifest', address }, signal, () => undefined);
  return 'release' in message ? message.release : unexpected();
}

/**
 * Loads the files of one build.
 *
 * @param onProgress Receives the number of bytes of all files that have arrived.
 */
export async function readManifestFiles(
  files: readonly ManifestFile[],
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<readonly Blob[]> {
  const message = await runTask({ kind: 'files', files }, signal, onProgress);
  return 'contents' in message ? message.contents : unexpected();
}

const unexpected = (): never => {
  throw new Error('The worker answered another task.');
};

/** Resolves with the last message of the task. Rejects with a `ManifestTaskError`, or the signal's reason. */
function runTask(
  task: ManifestTask,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<ManifestTaskMessage> {
  if (signal.aborted) {
    return Promise.reject(signal.reason);
  }
  const worker = new Worker(new URL('../worker/manifest/manifest-loader.worker.ts', import.meta.url), {
    type: 'module',
    name: 'manifest-loader',
  });
  const { promise, resolve, reject } = Promise.withResolvers<ManifestTaskMessage>();
  const cancel = () => reject(signal.reason);
  signal.addEventListener('abort', cancel);
  worker.addEventListener('message', ({ data }: MessageEvent<ManifestTaskMessage>) => {
    if ('received' in data) {
      onProgress(data.received);
    } else if ('fault' in data) {
      reject(new ManifestTaskError(data.fault));
    } else {
      resolve(data);
    }
  });
  worker.addEventListener('error', () =>
    reject(
      new ManifestTaskError({
        code: 'unknown',
        what: 'The part of Wirebench that loads releases from other hosts could not be started.',
        remedy: 'Check the network, then try again.',
      }),
    ),
  );
  worker.postMessage(task);
  return promise.finally(() => {
    signal.removeEventListener('abort', cancel);
    worker.terminate();
  });
}
