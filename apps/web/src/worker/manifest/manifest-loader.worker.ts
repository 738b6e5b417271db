/** Worker that loads a manifest or the files of a build, and nothing else. It answers one task. */
import { loadBuildFiles, loadManifest, ManifestError, type ManifestRequest } from '@wirebench/flasher/release';
import type { ManifestTask, ManifestTaskFault, ManifestTaskMessage } from '../../protocol/manifest-protocol.ts';

/** `request`: for tests, which see by it that the code has run. */
declare const self: DedicatedWorkerGlobalScope & { request?: ManifestRequest };

const request: ManifestRequest = {
  fetch: (address, init) => fetch(address, init),
  // The page ends the worker to cancel.
  signal: new AbortController().signal,
  isSecurePage: self.location.protocol === 'https:',
};

self.request = request;

const send = (message: ManifestTaskMessage) => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<ManifestTask>) => {
  run(data).then(send, (error: unknown) => send({ fault: faultOf(error) }));
});

async function run(task: ManifestTask): Promise<ManifestTaskMessage> {
  if (task.kind === 'manifest') {
    return { release: await loadManifest(task.address, request) };
  }
  const loaded = await loadBuildFiles(task, request, (received) => send({ received }));
  return { contents: loaded.map(({ bytes }) => new Blob([bytes])) };
}

function faultOf(error: unknown): ManifestTaskFault {
  if (error instanceof ManifestError) {
    const { code, what, remedy } = error;
    return { code, what, remedy };
  }
  return { code: 'unknown', what: error instanceof Error ? error.message : String(error), remedy: 'Try again.' };
}
