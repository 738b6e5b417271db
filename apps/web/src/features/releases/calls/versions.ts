/** Calls about versions. Each that changes something refreshes the list before it resolves. */
import {
  type ConsoleSettings,
  type DescriptionChange,
  FlashesAnswer,
  firmwarePaths,
  ShareAnswer,
  type Version,
  VersionAnswer,
  VersionList,
} from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';
import type { PlacedFile } from '../model/version-draft.ts';
import { refreshProjects } from './projects.ts';
import { type UploadProgress, uploadFetch } from './upload-fetch.ts';

/** The versions of a project as the server has them now. */
export async function versionsOf(projectId: string, signal: AbortSignal): Promise<Version[]> {
  return (await (await api()).request(firmwarePaths.versions(projectId), VersionList, { signal })).versions;
}

export interface VersionUpload {
  readonly projectId: string;
  readonly version: string;
  readonly description: string;
  readonly console: ConsoleSettings | null;
  readonly files: readonly PlacedFile[];
  /** Names of damaged files that somebody has decided to publish. */
  readonly acceptDamaged: readonly string[];
}

/** Adds a version. Until it resolves there is none: an abort or a failure leaves nothing behind. */
export async function uploadVersion(
  upload: VersionUpload,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<Version> {
  const client = await api(uploadFetch(onProgress));
  const body = formOf(upload);
  return (await client.request(firmwarePaths.newVersion, VersionAnswer, { method: 'POST', body, signal })).version;
}

/** Fields before files, so that the server can refuse before megabytes are on their way. */
function formOf({ projectId, version, description, console, files, acceptDamaged }: VersionUpload): FormData {
  const form = new FormData();
  form.append('projectId', projectId);
  form.append('version', version);
  form.append('description', description);
  form.append('offsets', JSON.stringify(files.map(({ offset }) => offset.trim())));
  if (console !== null) {
    form.append('console', JSON.stringify(console));
  }
  if (acceptDamaged.length > 0) {
    form.append('acceptDamaged', JSON.stringify(acceptDamaged));
  }
  for (const { file } of files) {
    form.append('files', file, file.name);
  }
  return form;
}

/** @param change `before` is the description that was edited: a 409 says which one there is instead. */
export async function describeVersion(id: string, change: DescriptionChange): Promise<void> {
  await (await api()).request(firmwarePaths.versionDescription(id), VersionAnswer, {
    method: 'POST',
    body: change,
  });
  await refreshProjects();
}

/** @param console null takes the set-up away. */
export async function setVersionConsole(id: string, console: ConsoleSettings | null): Promise<void> {
  await (await api()).request(firmwarePaths.versionConsole(id), VersionAnswer, { method: 'POST', body: { console } });
  await refreshProjects();
}

/** Says which visibility is meant, so that a repeated call changes nothing. */
export async function setVersionPublic(id: string, isPublic: boolean): Promise<void> {
  await (await api()).request(firmwarePaths.versionSharing(id), VersionAnswer, { method: 'POST', body: { isPublic } });
  await refreshProjects();
}

/** The id of the share link. */
export async function shareVersion(id: string): Promise<string> {
  return (await (await api()).request(firmwarePaths.versionShare(id), ShareAnswer, { method: 'POST' })).shareId;
}

export async function deleteVersion(id: string): Promise<void> {
  await (await api()).send(firmwarePaths.version(id), { method: 'DELETE' });
  await refreshProjects();
}

/** Successes and failures per chip and error. */
export async function flashesOf(id: string, signal: AbortSignal): Promise<FlashesAnswer['flashes']> {
  return (await (await api()).request(firmwarePaths.versionFlashes(id), FlashesAnswer, { signal })).flashes;
}
