/** Publishes a version of a firmware project from local files, with a publishing token. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import {
  type BuildGuards,
  buildLimits,
  ErrorAnswer,
  elfText,
  familyOf,
  firmwareFormatOf,
  firmwarePaths,
  nameKey,
  type Project,
  ProjectList,
  pagePaths,
  parseOffset,
  releasePath,
  VersionAnswer,
} from '@wirebench/contract';
import { checkRelease, type ReleaseDevice, readFirmware } from '@wirebench/flasher/release';
import { type ChipBuild, elfOfBuild, type Publication } from './arguments.ts';
import { PublishError } from './publish-error.ts';
import { elfOf, readBuild, sketchIn } from './read-build.ts';

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
  const content = publication.builds === undefined ? await filesOf(publication, folder) : null;
  const builds = await Promise.all((publication.builds ?? []).map((build) => openBuild(build, folder)));
  const elf = await elfFileOf(publication, folder);
  const { projects } = await call(firmwarePaths.projects, ProjectList);
  const project = projectNamed(publication.project, projects);
  for (const { files, device } of content === null ? builds : [{ files: content, device: project }]) {
    await check(files, device, publication.acceptDamaged);
  }
  const form = formOf(publication, project, content ?? builds, elf);
  const { version } = await call(firmwarePaths.newVersion, VersionAnswer, form);
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

const filesOf = async ({ build, files }: Publication, folder: string): Promise<OpenFile[]> =>
  Promise.all((build === null ? files : await readBuild(resolve(folder, build))).map((file) => openFile(file, folder)));

interface OpenBuild {
  readonly device: ReleaseDevice;
  readonly guards: BuildGuards;
  readonly files: readonly OpenFile[];
}

/**
 * Opens the files of a build for one chip: those that the list in its folder names, or one file.
 *
 * @throws PublishError
 */
async function openBuild({ deviceModel, guards, path, offset }: ChipBuild, folder: string): Promise<OpenBuild> {
  const device = { deviceFamily: familyOf(deviceModel) ?? 'esp', deviceModel };
  const place = resolve(folder, path);
  const isFolder = (await stat(place).catch(() => null))?.isDirectory() ?? false;
  if (isFolder && device.deviceFamily === 'avr') {
    return { device, guards, files: [await openFile({ path: await sketchIn(place), offset: null }, folder)] };
  }
  if (isFolder && device.deviceFamily !== 'esp') {
    throw new PublishError(`${path} is a folder. Name the file for ${deviceModel}: --build ${deviceModel}=<file>.hex`);
  }
  if (!isFolder && offset === null && firmwareFormatOf(path) === 'bin') {
    throw new PublishError(`${path} has no flash address. Put it in front: --build ${deviceModel}=0x0=${path}`);
  }
  const listed = isFolder ? await readBuild(place, buildLimits.files) : [{ path, offset }];
  return { device, guards, files: await Promise.all(listed.map((file) => openFile(file, folder))) };
}

/**
 * Refuses files that the server would refuse, before megabytes are sent.
 *
 * @throws PublishError
 */
async function check(files: readonly OpenFile[], device: ReleaseDevice, accepted: readonly string[]): Promise<void> {
  // Files with their own addresses are left to the server, which reads them.
  const placed = files.filter(({ offset }) => offset !== null);
  const infos = placed.map(async ({ path, offset, bytes }) => ({
    name: basename(path),
    offset: parseOffset(offset ?? '') ?? 0,
    size: bytes.size,
    reading: await readFirmware(new Uint8Array(await bytes.arrayBuffer())),
  }));
  const { refusals, damage } = checkRelease(await Promise.all(infos), device);
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

interface OpenFile {
  readonly path: string;
  /** Flash offset in the form `0x…`; null for a file with its own addresses. */
  readonly offset: string | null;
  readonly bytes: Blob;
}

/**
 * Opens a file without reading it: its bytes are read while they are sent.
 *
 * @throws PublishError
 */
async function openFile(file: Omit<OpenFile, 'bytes'>, folder: string): Promise<OpenFile> {
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
    channel,
  }: Pick<Publication, 'version' | 'description' | 'acceptDamaged' | 'replaceOldest' | 'channel'>,
  { _id }: Project,
  content: readonly OpenFile[] | readonly OpenBuild[],
  elf: OpenElf | null,
): FormData {
  const form = new FormData();
  form.append('projectId', _id);
  form.append('version', version);
  form.append('description', description);
  const { files, builds } = uploadOf(content);
  if (builds === null) {
    form.append('offsets', JSON.stringify(files.map(({ offset }) => offset)));
  } else {
    form.append('builds', JSON.stringify(builds));
  }
  if (acceptDamaged.length > 0) {
    form.append('acceptDamaged', JSON.stringify(acceptDamaged));
  }
  if (replaceOldest) {
    form.append('replaceOldest', 'true');
  }
  if (channel !== undefined) {
    form.append('channel', channel);
  }
  for (const { path, bytes } of files) {
    form.append('files', bytes, basename(path));
  }
  if (elf !== null) {
    form.append('elf', elf.bytes, basename(elf.path));
  }
  return form;
}

const isBuilds = (content: readonly OpenFile[] | readonly OpenBuild[]): content is readonly OpenBuild[] =>
  content[0] !== undefined && 'device' in content[0];

/** Returns the files to send, each once, and the builds that refer to them; null for a version of the simple form. */
function uploadOf(content: readonly OpenFile[] | readonly OpenBuild[]) {
  if (!isBuilds(content)) {
    return { files: content, builds: null };
  }
  const files = new Map(content.flatMap((build) => build.files).map((file) => [file.path, file]));
  const places = [...files.keys()];
  const builds = content.map(({ device, guards, files: own }) => ({
    deviceModel: device.deviceModel,
    guards,
    files: own.map(({ path, offset }) => ({ index: places.indexOf(path), ...(offset === null ? {} : { offset }) })),
  }));
  return { files: [...files.values()], builds };
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
