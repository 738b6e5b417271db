import { createHash, randomBytes } from 'node:crypto';
import { firmwarePaths } from '@wirebench/contract';
import { noise } from '../noise.ts';
import { bodyOf, type Call, callWithRetries, json, read, type Writer } from './writer.ts';

interface VersionOfList {
  readonly _id: string;
  readonly version: string;
  readonly files: readonly { readonly _id: string; readonly sha256: string; readonly size: number }[];
}

/** Uploads versions, some of which share bytes, and deletes every third. */
export function versionWriter(): Writer {
  const present = new Map<string, readonly string[]>();
  const deleted = new Set<string>();
  /** Unanswered deletions: both results are correct. */
  const undecided = new Set<string>();
  let project: Promise<string | null> | null = null;
  let number = 0;

  const projectOf = async (call: Call): Promise<string | null> => {
    project ??= createProject(call);
    const id = await project;
    if (id === null) {
      project = null;
    }
    return id;
  };

  return {
    async write(call) {
      const projectId = await projectOf(call);
      if (projectId === null) {
        return false;
      }
      const turn = number++;
      const oldest = turn % 3 === 2 ? [...present.keys()][0] : undefined;
      if (oldest !== undefined) {
        present.delete(oldest);
        const gone = (await call(firmwarePaths.version(oldest), { method: 'DELETE' }))?.status === 204;
        (gone ? deleted : undecided).add(oldest);
        return gone;
      }
      const files = turn % 4 === 0 ? [commonBytes, noise(20_000)] : [noise(1 + ((turn * 7_919) % 60_000))];
      const body = (await bodyOf(
        await call(firmwarePaths.newVersion, versionForm(projectId, `1.0.${turn}`, files)),
      )) as {
        version: VersionOfList;
      } | null;
      if (body !== null) {
        present.set(body.version._id, files.map(sha256));
      }
      return body !== null;
    },

    async findMissing(call) {
      const projectId = await project;
      if (projectId === null || projectId === undefined) {
        return [];
      }
      const { versions } = (await read(call, firmwarePaths.versions(projectId))) as {
        versions: readonly VersionOfList[];
      };
      const byId = new Map(versions.map((version) => [version._id, version]));
      const problems = [...present]
        .filter(
          ([id, hashes]) =>
            byId
              .get(id)
              ?.files.map((file) => file.sha256)
              .sort()
              .join() !== [...hashes].sort().join(),
        )
        .map(([id]) => `version ${id} is missing or has other files`);
      problems.push(...[...deleted].filter((id) => byId.has(id)).map((id) => `version ${id} is back`));
      for (const version of versions) {
        problems.push(...(await findWrongBytes(call, version)));
      }
      return problems;
    },
  };
}

/** Bytes that several versions share: raw data, neither text nor an image of any chip. */
const commonBytes = Buffer.alloc(30_000, Buffer.of(0x01, 0x9c, 0x00, 0xf3, 0x80, 0x5a, 0xff));

async function createProject(call: Call): Promise<string | null> {
  const name = `Project ${randomBytes(4).toString('hex')}`;
  const body = { name, description: '', deviceFamily: 'esp', deviceModel: 'esp32' };
  const created = (await bodyOf(await call(firmwarePaths.newProject, json(body)))) as {
    project: { _id: string };
  } | null;
  return created?.project._id ?? null;
}

function versionForm(projectId: string, version: string, files: readonly Buffer[]): RequestInit {
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('version', version);
  form.set('description', 'Written while the server was killed');
  form.set('offsets', JSON.stringify(files.map((_file, index) => `0x${(index * 0x100000).toString(16)}`)));
  for (const [index, bytes] of files.entries()) {
    form.append('files', new Blob([new Uint8Array(bytes)]), `part-${index}.bin`);
  }
  return { method: 'POST', body: form };
}

async function findWrongBytes(call: Call, { _id, files }: VersionOfList): Promise<readonly string[]> {
  const problems = files.length === 0 ? [`version ${_id} has no files`] : [];
  for (const file of files) {
    const answer = await callWithRetries(call, firmwarePaths.versionFile(_id, file._id));
    const bytes = answer?.ok ? Buffer.from(await answer.arrayBuffer()) : null;
    if (bytes === null || bytes.length !== file.size || sha256(bytes) !== file.sha256) {
      problems.push(`version ${_id} lacks bytes: ${answer?.status ?? 'no answer'}`);
    }
  }
  return problems;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
