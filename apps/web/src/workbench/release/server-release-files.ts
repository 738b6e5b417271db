/** The files of a release of this server, the JKit of its monitor, and the report of a flash. Fetched with the first flash. */
import {
  firmwarePaths,
  JkitAnswer,
  JkitContent,
  jkitPaths,
  sharedFirmwarePaths,
  type Version,
} from '@wirebench/contract';
import { sha256Of } from '@wirebench/flasher/sha256';
import type { GivenFile } from '../../protocol/flash-protocol.ts';
import { api, publicApi, readPublic, send } from '../../shared/api/api.ts';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { readBody } from '../../shared/files/read-body.ts';
import {
  type FlashOutcome,
  type MonitorMessages,
  ReleaseError,
  type ReleaseFile,
  type ServerRelease,
} from './release.ts';
import { releaseErrorOf } from './release-problem.tsx';

type Link = Pick<ServerRelease, 'type' | 'owned' | 'shareId'>;

/**
 * Loads files of a version, and compares their hashes.
 * @param onProgress Receives the number of bytes of all files that have arrived.
 * @throws ReleaseError
 */
export async function loadFiles(
  link: Link,
  versionId: string,
  files: readonly ReleaseFile[],
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<readonly GivenFile[]> {
  const received = files.map(() => 0);
  return Promise.all(
    files.map(async (file, index) => {
      const content = await loadFile(link, versionId, file, signal, (bytes) => {
        received[index] = bytes;
        onProgress(received.reduce((sum, part) => sum + part, 0));
      });
      return { name: file.name, content, offset: file.offset };
    }),
  );
}

/** Without hashes, on a page over plain http, the board's own hash is the only check. */
async function loadFile(
  { type, owned, shareId }: Link,
  versionId: string,
  { id, name, sha256 }: ReleaseFile,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<Blob> {
  let content: Blob;
  try {
    const answer =
      owned === null
        ? await (await publicApi()).send(sharedFirmwarePaths.file(type, shareId, id), { signal })
        : await send(firmwarePaths.versionFile(versionId, id), { signal });
    content = await readBody(answer, onProgress);
  } catch (error) {
    throw signal.aborted ? error : releaseErrorOf(error);
  }
  const found = await sha256Of(new Uint8Array(await content.arrayBuffer()));
  if (found !== '' && found !== sha256) {
    throw new ReleaseError(`${name} is not the file that was published: its SHA-256 differs`, 'Try again.');
  }
  return content;
}

/**
 * Loads the messages and rules of a JKit.
 * @param isOwner True: the caller is the publisher, who can read a private one. Everyone else needs it shared.
 */
export async function monitorMessages(jkitId: string, isOwner: boolean, signal: AbortSignal): Promise<MonitorMessages> {
  const path = jkitPaths.jkit(jkitId);
  const read = (client: ApiClient) => client.request(path, JkitAnswer, { signal });
  const { name, content } = (isOwner ? await read(await api()) : await readPublic(read)).data;
  const { fields, settings, rules = [] } = JkitContent.parse(JSON.parse(content));
  return {
    name,
    lineEnding: settings?.ending ?? (settings?.lineEnding === true ? 'crlf' : 'lf'),
    // A monitor has no field for a number: its message would be sent with the place of it.
    messages: fields
      .filter((field) => typeof field === 'string' || field.flow?.value === undefined)
      .map((field) =>
        typeof field === 'string'
          ? { content: field, mode: 'text', label: null, hidden: false }
          : {
              content: field.content,
              mode: field.type === 'hex' ? 'hex' : 'text',
              label: field.label ?? null,
              hidden: field.hidden ?? false,
            },
      ),
    rules,
  };
}

/** Reports a flash of a public version, without waiting for the answer, even while the page is left. */
export async function reportFlash(
  apiUrl: string,
  { shareId, isPublic }: Pick<Version, 'shareId' | 'isPublic'>,
  outcome: FlashOutcome,
): Promise<void> {
  if (!isPublic) {
    return;
  }
  const { result, chip, errorCode, buildId } = outcome;
  const body = {
    result,
    ...(chip !== null && { chip }),
    ...(errorCode !== null && { errorCode }),
    ...(buildId !== null && { buildId }),
  };
  await fetch(`${apiUrl}${sharedFirmwarePaths.flashes(shareId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  });
}
