/** Calls about versions: creation, and data that the list does not contain. */
import { useQuery } from '@tanstack/react-query';
import {
  type ConsoleSettings,
  FlashesAnswer,
  firmwarePaths,
  type NewPull,
  type ReleaseChannel,
  type Version,
  VersionAnswer,
  VersionList,
} from '@wirebench/contract';
import { api, request } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import type { CallEnds } from '../../../shared/api/use-api-mutation.ts';
import type { PlacedBuild } from '../form/build-drafts.ts';
import { indexedBuilds } from '../form/indexed-builds.ts';
import { useReleaseMutation } from './projects.ts';
import { type UploadProgress, uploadFetch } from './upload-fetch.ts';

/** Returns the versions of a project from the server. */
export async function versionsOf(projectId: string, signal: AbortSignal): Promise<Version[]> {
  return (await request(firmwarePaths.versions(projectId), VersionList, { signal })).versions;
}

export interface VersionUpload {
  readonly projectId: string;
  readonly version: string;
  readonly description: string;
  readonly channel: ReleaseChannel;
  readonly console: ConsoleSettings | null;
  /** At least one. Those for the project's model are first. */
  readonly builds: readonly PlacedBuild[];
  /** True: the only build is sent as the simple form, with its ELF file. */
  readonly isSimple: boolean;
  /** Names of damaged files that the user has decided to publish. */
  readonly acceptDamaged: readonly string[];
}

/** Adds a version. The version exists only after this has resolved; an abort or a failure leaves nothing behind. */
export async function uploadVersion(
  upload: VersionUpload,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<Version> {
  const client = await api(uploadFetch(onProgress));
  const body = await formOf(upload);
  return (await client.request(firmwarePaths.newVersion, VersionAnswer, { method: 'POST', body, signal })).version;
}

/** Uploads the ELF file of a version, or of one of its builds, and replaces an earlier one. An abort keeps that. */
export async function uploadElf(
  path: string,
  file: File,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<Version> {
  const client = await api(uploadFetch(onProgress));
  const body = new FormData();
  body.append('elf', file, file.name);
  return (await client.request(path, VersionAnswer, { method: 'POST', body, signal })).version;
}

/** Fields come before files, so that the server can refuse before megabytes are sent. */
async function formOf(upload: VersionUpload): Promise<FormData> {
  const { projectId, version, description, channel, console, builds, isSimple, acceptDamaged } = upload;
  const form = new FormData();
  form.append('projectId', projectId);
  form.append('version', version);
  form.append('description', description);
  if (channel === 'beta') {
    form.append('channel', channel);
  }
  const placed = isSimple ? builds.flatMap((build) => build.files) : [];
  const indexed = await indexedBuilds(isSimple ? [] : builds);
  if (isSimple) {
    form.append('offsets', JSON.stringify(placed.map(({ offset }) => offset.trim())));
  } else {
    form.append('builds', JSON.stringify(indexed.builds));
  }
  if (console !== null) {
    form.append('console', JSON.stringify(console));
  }
  if (acceptDamaged.length > 0) {
    form.append('acceptDamaged', JSON.stringify(acceptDamaged));
  }
  for (const file of isSimple ? placed.map(({ file: own }) => own) : indexed.files) {
    form.append('files', file, file.name);
  }
  const elf = isSimple ? (builds[0]?.elf ?? null) : null;
  if (elf !== null) {
    form.append('elf', elf, elf.name);
  }
  return form;
}

/** Mutation that sets the monitor's settings. Null removes them. */
export function useSetVersionConsole(id: string, ends: CallEnds<void, ConsoleSettings | null>) {
  return useReleaseMutation(async (console: ConsoleSettings | null) => {
    await request(firmwarePaths.versionConsole(id), VersionAnswer, { method: 'POST', body: { console } });
  }, ends);
}

/** Mutation that takes a version of a project from a manifest on the web. */
export function usePullVersion(projectId: string, ends: CallEnds<Version, NewPull>) {
  return useReleaseMutation(async (body: NewPull) => {
    const path = firmwarePaths.projectPull(projectId);
    return (await request(path, VersionAnswer, { method: 'POST', body })).version;
  }, ends);
}

/** Mutation that moves a version to a channel. */
export function useSetVersionChannel(id: string, ends: CallEnds<void, ReleaseChannel>) {
  return useReleaseMutation(async (channel: ReleaseChannel) => {
    await request(firmwarePaths.versionChannel(id), VersionAnswer, { method: 'POST', body: { channel } });
  }, ends);
}

/**
 * Query for successes and failures by chip and error.
 * @param wanted False: sends no request yet.
 */
export function useFlashes(id: string, wanted: boolean) {
  return useQuery(
    {
      queryKey: ['firmware-flashes', id],
      queryFn: async ({ signal }) =>
        (await request(firmwarePaths.versionFlashes(id), FlashesAnswer, { signal })).flashes,
      enabled: wanted,
    },
    queryClient,
  );
}
