/** Publishes a version of a firmware project from local files, with a publishing token. */
import { openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  ErrorAnswer,
  elfText,
  firmwarePaths,
  nameKey,
  type Project,
  ProjectList,
  pagePaths,
  parseOffset,
  releasePath,
  VersionAnswer,
} from '@wirebench/contract';
import { checkRelease, readFirmware } from '@wirebench/flasher/release';
import { elfOfBuild, type PlacedPath, type Publication } from './arguments.ts';
import { PublishError } from './publish-error.ts';
import { elfOf, readBuild } from './read-build.ts';

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];

export interface Published {
  /** Share link of the version. */
  readonly link: string;
  /** Reason for which the link does not work for others; null if it works. */
  readonly note: string | null;
}

interface Schema<Answer> {
  parse(value: unknown): Answer;
}

/**
 * Uploads and publishes a version. An incomplete upload creates no version.
 *
 * @param folder Base of relative paths.
 * @throws PublishError
 */
export async function publishRelease(publication: Publication, folder: string): Promise<Published> {
  const { server, token, version: number, staysPrivate } = publication;
  const call = caller(server, token);
  const listed = publication.build === null ? publication.files : await readBuild(resolve(folder, publication.build));
  const files = await Promise.all(listed.map((file) => openFile(file, folder)));
  const elf = await elfFileOf(publication, folder);
  const { projects } = await call(firmwarePaths.projects, ProjectList);
  const project = projectNamed(publication.project, projects);
  await check(files, project, publication.acceptDamaged);
  const { version } = await call(firmwarePaths.newVersion, VersionAnswer, formOf(publication, project, files, elf));
  const link = `${server}${releasePath('version', version.shareId)}`;
  if (staysPrivate) {
    return { link, note: `Version ${number} is private, as requested. ${openFor(server)}` };
  }
  if (!project.isPublic) {
    const note = `Version ${number} was uploaded. It is private because the project ${project.name} is private. ${openFor(server)}`;
    return { link, note };
  }
  await call(firmwarePaths.versionSharing(version._id), VersionAnswer, { isPublic: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PublishError(`Version ${number} was uploaded and is still private: ${reason}`, { cause: error });
  });
  return { link, note: null };
}

const openFor = (server: string): string => `The link works once you make it public on ${server}${pagePaths.releases}.`;

function projectNamed(wanted: string, projects: readonly Project[]): Project {
  const found = projects.find(({ _id, name }) => _id === wanted || nameKey(name) === nameKey(wanted));
  if (found === undefined) {
    const names = projects.map(({ name }) => `"${name}"`).join(', ');
    throw new PublishError(
      `There is no project "${wanted}". ${names === '' ? 'You have no projects yet.' : `Your projects: ${names}.`}`,
    );
  }
  return found;
}

/**
 * Refuses files that the server would refuse, before megabytes are sent.
 *
 * @throws PublishError
 */
async function check(files: readonly OpenFile[], project: Project, accepted: readonly string[]): Promise<void> {
  const infos = files.map(async ({ path, offset, bytes }) => ({
    name: basename(path),
    offset: parseOffset(offset) ?? 0,
    size: bytes.size,
    reading: await readFirmware(new Uint8Array(await bytes.arrayBuffer())),
  }));
  const { refusals, damage } = checkRelease(await Promise.all(infos), project);
  const [refused] = refusals;
  if (refused !== undefined) {
    throw new PublishError(`${refused.what} ${refused.remedy}`);
  }
  const damaged = damage.find(({ files: names }) => !names.every((name) => accepted.includes(name)));
  if (damaged !== undefined) {
    const name = damaged.files.join(', ');
    throw new PublishError(`${damaged.what} ${damaged.remedy} To publish it anyway: --accept-damaged ${name}`);
  }
}

interface OpenElf {
  readonly path: string;
  readonly bytes: Blob;
}

/**
 * Opens the ELF file; null for a publication without one.
 *
 * @throws PublishError
 */
async function elfFileOf({ elf, build }: Publication, folder: string): Promise<OpenElf | null> {
  if (elf === null) {
    return null;
  }
  const path = elf === elfOfBuild ? await elfOf(resolve(folder, build ?? '.')) : resolve(folder, elf);
  try {
    const bytes = await openAsBlob(path);
    const head = new Uint8Array(await bytes.slice(0, ELF_MAGIC.length).arrayBuffer());
    if (ELF_MAGIC.every((byte, index) => head[index] === byte)) {
      return { path, bytes };
    }
  } catch (error) {
    throw new PublishError(`${path} cannot be read`, { cause: error });
  }
  throw new PublishError(elfText.notElf(basename(path)));
}

interface OpenFile extends PlacedPath {
  readonly bytes: Blob;
}

/**
 * Opens a file without reading it: its bytes are read while they are sent.
 *
 * @throws PublishError
 */
async function openFile(file: PlacedPath, folder: string): Promise<OpenFile> {
  try {
    return { ...file, bytes: await openAsBlob(resolve(folder, file.path)) };
  } catch (error) {
    throw new PublishError(`${file.path} cannot be read`, { cause: error });
  }
}

/** Puts fields before files, so that the server can refuse before megabytes are sent. */
function formOf(
  {
    version,
    description,
    acceptDamaged,
    replaceOldest,
  }: Pick<Publication, 'version' | 'description' | 'acceptDamaged' | 'replaceOldest'>,
  { _id }: Project,
  files: readonly OpenFile[],
  elf: OpenElf | null,
): FormData {
  const form = new FormData();
  form.append('projectId', _id);
  form.append('version', version);
  form.append('description', description);
  form.append('offsets', JSON.stringify(files.map(({ offset }) => offset)));
  if (acceptDamaged.length > 0) {
    form.append('acceptDamaged', JSON.stringify(acceptDamaged));
  }
  if (replaceOldest) {
    form.append('replaceOldest', 'true');
  }
  for (const { path, bytes } of files) {
    form.append('files', bytes, basename(path));
  }
  if (elf !== null) {
    form.append('elf', elf.bytes, basename(elf.path));
  }
  return form;
}

function caller(server: string, token: string) {
  return async <Answer>(path: string, schema: Schema<Answer>, body?: FormData | object): Promise<Answer> => {
    const json = body === undefined || body instanceof FormData ? null : JSON.stringify(body);
    const answer = await fetch(`${server}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(json === null ? {} : { 'content-type': 'application/json' }) },
      body: json ?? (body instanceof FormData ? body : null),
    }).catch((error: unknown) => {
      throw new PublishError(`${server} does not answer`, { cause: error });
    });
    if (answer.status === 401) {
      throw new PublishError(
        `The publishing token is invalid, expired or revoked. Create a new one on ${server}${pagePaths.releases}, under Tokens.`,
      );
    }
    const content: unknown = await answer.json().catch(() => null);
    if (!answer.ok) {
      const refusal = ErrorAnswer.safeParse(content);
      throw new PublishError(refusal.success ? refusal.data.error : `${server} answered ${answer.status}`);
    }
    try {
      return schema.parse(content);
    } catch (error) {
      throw new PublishError(`${server} does not answer like a Wirebench server. Check --server.`, { cause: error });
    }
  };
}
