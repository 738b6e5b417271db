/** Calls about the ELF file of a version. Only the owner can read it. */
import { systemClock } from '@wirebench/clock';
import { firmwarePaths, VersionAnswer } from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { type CreationStep, progressSteps } from '../form/create-version.ts';
import { useReleaseMutation } from './projects.ts';
import { uploadElf } from './versions.ts';

/** Id of a version, and of one of its builds; undefined for the version itself. */
export type ElfPlace = readonly [versionId: string, buildId: string | undefined];

export interface ElfUpload {
  readonly file: File;
  readonly onStep: (step: CreationStep) => void;
  readonly signal: AbortSignal;
}

/** Mutation that uploads the ELF file and replaces an earlier one. An abort keeps the earlier one. */
export function useUploadElf(place: ElfPlace, ends: CallEnds<void, ElfUpload>) {
  return useReleaseMutation(async ({ file, onStep, signal }: ElfUpload) => {
    await uploadElf(firmwarePaths.versionElf(...place), file, progressSteps(onStep, systemClock), signal);
  }, ends);
}

export function useRemoveElf(place: ElfPlace, ends: CallEnds) {
  return useReleaseMutation(async () => {
    await request(firmwarePaths.versionElf(...place), VersionAnswer, { method: 'DELETE' });
  }, ends);
}

export function useDownloadElf(place: ElfPlace, ends: CallEnds<Blob>) {
  return useApiMutation<Blob>({
    mutationFn: async () => (await send(firmwarePaths.versionElf(...place))).blob(),
    ...ends,
  });
}
