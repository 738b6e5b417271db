/** A version of a firmware project from files on this machine, by a publishing token. Knows no command line. */
import { openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  ErrorAnswer,
  firmwarePaths,
  nameKey,
  type Project,
  ProjectList,
  pagePaths,
  releasePath,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import type { PlacedPath, Publication } from './arguments.ts';

export interface Published {
  /** The version's share link. */
  readonly link: string;
  /** What keeps the link from working for others; null when it works. */
  readonly note: string | null;
}

/** Something that whoever runs the build can mend; the message says what. */
export class PublishError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PublishError';
  }
}

interface Schema<Answer> {
  parse(value: unknown): Answer;
}

/** @param folder where relative paths begin. Throws a `PublishError`; without a complete upload there is no version. */
export async function publishRelease(publication: Publication, folder: string): Promise<Published> {
  const { server, token, version: number, staysPrivate } = publication;
  const call = caller(server, token);
  const files = await Promise.all(publication.files.map((file) => openFile(file, folder)));
  const { projects } = await call(firmwarePaths.projects, ProjectList);
  const project = projectNamed(publication.project, projects);
  const { version } = await call(firmwarePaths.newVersion, VersionAnswer, formOf(publication, project, files));
  const link = `${server}${releasePath('version', version.shareId)}`;
  if (staysPrivate) {
    return { link, note: `Version ${number} is private, as you asked. ${openFor(server)}` };
  }
  if (!project.isPublic) {
    const note = `Version ${number} was uploaded, and the project ${project.name} is private: so is the version. ${openFor(server)}`;
    return { link, note };
  }
  await call(firmwarePaths.versionSharing(version._id), VersionAnswer, { isPublic: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PublishError(`Version ${number} was uploaded and is still private: ${reason}`, { cause: error });
  });
  return { link, note: null };
}

const openFor = (server: string): string => `Make it public on ${server}${pagePaths.releases}, then the link opens.`;

function projectNamed(wanted: string, projects: readonly Project[]): Project {
  const found = projects.find(({ _id, name }) => _id === wanted || nameKey(name) === nameKey(wanted));
  if (found === undefined) {
    const names = projects.map(({ name }) => `"${name}"`).join(', ');
    throw new PublishError(`There is no project "${wanted}". ${names === '' ? 'You have none.' : `Yours: ${names}.`}`);
  }
  return found;
}

interface OpenFile extends PlacedPath {
  readonly bytes: Blob;
}

/** The bytes are read as they are sent. */
async function openFile(file: PlacedPath, folder: string): Promise<OpenFile> {
  try {
    return { ...file, bytes: await openAsBlob(resolve(folder, file.path)) };
  } catch (error) {
    throw new PublishError(`${file.path} cannot be read`, { cause: error });
  }
}

/** Fields before files, so that the server can refuse before megabytes are on their way. */
function formOf(
  { version, description }: Pick<Version, 'version' | 'description'>,
  { _id }: Project,
  files: readonly OpenFile[],
): FormData {
  const form = new FormData();
  form.append('projectId', _id);
  form.append('version', version);
  form.append('description', description);
  form.append('offsets', JSON.stringify(files.map(({ offset }) => offset)));
  for (const { path, bytes } of files) {
    form.append('files', bytes, basename(path));
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
        `The publishing token is not good (any more): make another on ${server}${pagePaths.releases}, under Tokens`,
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
      throw new PublishError(`${server} answered something that is no answer of Wirebench`, { cause: error });
    }
  };
}
