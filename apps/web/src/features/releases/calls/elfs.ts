/** Calls about the ELF file of a version. Only the owner can read it. */
import { systemClock } from '@wirebench/clock';
import { firmwarePaths, VersionAnswer } from '@wirebench/contract';
import { api, request, send } from '../../../shared/api/api.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { type CreationStep, uploadPace } from '../create-version.ts';
import { useReleaseMutation } from './projects.ts';
import { uploadFetch } from './upload-fetch.ts';

export interface ElfUpload {
  readonly file: File;
  readonly onStep: (step: CreationStep) => void;
  readonly signal: AbortSignal;
}

/** Mutation that uploads the ELF file and replaces an earlier one. An abort keeps the earlier one. */
export function useUploadElf(versionId: string, ends: CallEnds<void, ElfUpload>) {
  return useReleaseMutation(async ({ file, onStep, signal }: ElfUpload) => {
    const paceOf = uploadPace(systemClock);
    const client = await api(
      uploadFetch((progress) =>
        onStep(
          progress.sent < progress.total
            ? { step: 'uploading', ...progress, bytesPerSecond: paceOf(progress.sent) }
            : { step: 'storing' },
        ),
      ),
    );
    const body = new FormData();
    body.append('elf', file, file.name);
    await client.request(firmwarePaths.versionElf(versionId), VersionAnswer, { method: 'POST', body, signal });
  }, ends);
}

export function useRemoveElf(versionId: string, ends: CallEnds) {
  return useReleaseMutation(async () => {
    await request(firmwarePaths.versionElf(versionId), VersionAnswer, { method: 'DELETE' });
  }, ends);
}

export function useDownloadElf(versionId: string, ends: CallEnds<Blob>) {
  return useApiMutation<Blob>({
    mutationFn: async () => (await send(firmwarePaths.versionElf(versionId))).blob(),
    ...ends,
  });
}
