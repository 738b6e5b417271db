/** Publishes a version of a firmware project from local files, with a publishing token. */

import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type DeviceModel, type FamilyId, familyOf, familyTraits, modelName, releasePath } from '@wirebench/boards';
import {
  type Build,
  type BuildGuards,
  buildsOf,
  elfText,
  firmwareFormatOf,
  firmwarePaths,
  isForSameBoards,
  type LocalBuild,
  type Project,
  ProjectList,
  pagePaths,
  parseOffset,
  releaseLimits,
  releaseText,
  type Version,
  VersionAnswer,
  versionDifference,
} from '@wirebench/contract';
import {
  appVersionOf,
  binaryReading,
  checkBuild,
  checkRelease,
  otherAppVersions,
  type ReleaseDevice,
  readBuildFile,
  readFirmware,
} from '@wirebench/flasher/release';
import { type ChipBuild, elfOfBuild, type Publication } from './arguments.ts';
import { PublishError } from './publish-error.ts';
import { elfOf, readBuild, sketchIn } from './read-build.ts';
import { caller, projectNamed, versionNumbered } from './server-call.ts';

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];

export interface Published {
  /** Share link of the version. */
  readonly link: string;
  /** Reason for which the link does not work for others; null if it works. */
  readonly note: string | null;
  /** Possible faults of the files, as sentences. They did not prevent the version. */
  readonly warnings: readonly string[];
}

/** Prints the link as the only line of standard output, and what else is to be known on standard error. */
export function printPublished({ link, note, warnings }: Published): void {
  console.log(link);
  for (const warning of warnings) {
    console.error(`Warning: ${warning}`);
  }
  if (note !== null) {
    console.error(note);
  }
}

/**
 * Uploads and publishes a version. An incomplete upload creates no version. A repeated call continues after any failure:
 * a version that is there with the same files is not uploaded again.
 *
 * @param folder Base of relative paths.
 * @throws PublishError
 */
export async function publishRelease(publication: Publication, folder: string): Promise<Published> {
  const { server, token, version: number, staysPrivate } = publication;
  const call = caller(server, token);
  const opened = await openBuilds(publication, folder);
  const elf = await elfFileOf(publication, folder);
  const { projects } = await call(firmwarePaths.projects, ProjectList);
  const project = projectNamed(publication.project, projects);
  const planned = opened.map((build) => ({ ...build, device: build.device ?? project }));
  const warnings = publication.elf === elfOfBuild ? withoutElf(planned) : [];
  for (const build of planned) {
    warnings.push(...(await check(build, publication)));
  }
  const existing = async (among: readonly Project[]) => {
    const known = versionNumbered(number, project, among);
    if (known !== null) {
      await requireSame(known, publication, project, planned);
    }
    return known;
  };
  const version =
    (await existing(projects)) ??
    (await call(firmwarePaths.newVersion, VersionAnswer, formOf(publication, project, planned, elf)).then(
      (answer) => answer.version,
      // A proxy may have given up while the server was still storing: the version is there with the next answer.
      async (error: unknown) => {
        const isTaken = error instanceof PublishError && error.status === 409;
        const known = isTaken ? await existing((await call(firmwarePaths.projects, ProjectList)).projects) : null;
        if (known === null) {
          throw error;
        }
        return known;
      },
    ));
  await giveElf({ version, build: null, elf, call });
  for (const build of planned) {
    await giveBuildElf(version, project, build, call);
  }
  const link = `${server}${releasePath('version', version.shareId)}`;
  if (staysPrivate && !version.isPublic) {
    return { link, note: `Version ${number} is private, as requested. ${openFor(server)}`, warnings };
  }
  if (!project.isPublic) {
    const note = `Version ${number} was uploaded. It is private because the project ${project.name} is private. ${openFor(server)}`;
    return { link, note, warnings };
  }
  await call(firmwarePaths.versionSharing(version._id), VersionAnswer, { isPublic: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PublishError(`Version ${number} was uploaded and is still private: ${reason}`, { cause: error });
  });
  return { link, note: null, warnings };
}

/**
 * Checks that the version that is there is the one to publish.
 *
 * @throws PublishError that names what differs.
 */
async function requireSame(
  known: Version,
  { version: number, channel }: Publication,
  project: Project,
  planned: readonly PlannedBuild[],
): Promise<void> {
  const local = planned.map(async ({ device, guards, files }): Promise<LocalBuild> => {
    const hashed = files.map(async ({ path, offset, bytes }) => ({
      name: basename(path),
      offset,
      sha256: await hashOf(bytes),
    }));
    return { deviceModel: device.deviceModel, guards, files: await Promise.all(hashed) };
  });
  const storedChannel = known.channel ?? 'stable';
  const difference =
    versionDifference(known, project, await Promise.all(local)) ??
    (channel === undefined || channel === storedChannel ? null : `It is in the channel ${storedChannel}.`);
  if (difference !== null) {
    throw new PublishError(`${releaseText.versionTaken(number)} ${difference}`);
  }
}

async function hashOf(bytes: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes.stream()) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

interface ElfGift {
  readonly version: Version;
  /** Null: the ELF file is the version's own. */
  readonly build: Build | null;
  readonly elf: OpenElf | null;
  readonly call: ReturnType<typeof caller>;
}

/** Sends the ELF file to a version, or to a build of it, that is without it. */
async function giveElf({ version, build, elf, call }: ElfGift): Promise<void> {
  const stored = build === null ? version.elf : build.elf;
  if (elf === null || stored?.sha256 === (await hashOf(elf.bytes))) {
    return;
  }
  const form = new FormData();
  form.append('elf', elf.bytes, basename(elf.path));
  await call(firmwarePaths.versionElf(version._id, build?._id), VersionAnswer, form);
}

/**
 * Sends the ELF file of a build in a request of its own.
 *
 * @throws PublishError that names the build.
 */
async function giveBuildElf(
  version: Version,
  project: Project,
  { device, guards, elf }: PlannedBuild,
  call: ReturnType<typeof caller>,
): Promise<void> {
  const stored = buildsOf(version, project).find((build) => isForSameBoards(build, { ...device, guards }));
  try {
    await giveElf({ version, build: stored ?? null, elf, call });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const name = modelName(device.deviceModel as DeviceModel);
    throw new PublishError(
      `Version ${version.version} was uploaded, but not the ELF file of its build for ${name}: ${reason}`,
      { cause: error },
    );
  }
}

/** Returns a sentence for each build whose ELF file is not known. */
function withoutElf(builds: readonly PlannedBuild[]): string[] {
  return builds
    .filter(({ isNamed, elf, device }) => isNamed && elf === null && familyTraits[device.deviceFamily].hasElf)
    .map(
      ({ device }) =>
        `The build for ${modelName(device.deviceModel as DeviceModel)} is one file, which names no ELF file: add it to the build in the version's menu.`,
    );
}

const openFor = (server: string): string => `The link works once you make it public on ${server}${pagePaths.releases}.`;

/** Opens the builds of a publication. Without names of chips, its files are the only build, for the project's chip. */
async function openBuilds({ build, builds, files, elf }: Publication, folder: string): Promise<readonly OpenBuild[]> {
  if (builds !== undefined) {
    return Promise.all(builds.map((one) => openBuild(one, folder, elf === elfOfBuild)));
  }
  const listed = build === null ? files : await readBuild(resolve(folder, build));
  const opened = await Promise.all(listed.map((file) => openFile(file, folder)));
  return [{ isNamed: false, device: null, guards: {}, files: opened, elf: null }];
}

/** Contents by which the folder of a build is read: a list of its files, or one sketch. Missing: a folder is refused. */
const folderContents: Readonly<Partial<Record<FamilyId, 'list' | 'sketch'>>> = { esp: 'list', avr: 'sketch' };

interface OpenBuild {
  /** True: the command names its chip, so its files may have their own addresses. */
  readonly isNamed: boolean;
  /** Null: the project's. */
  readonly device: ReleaseDevice | null;
  readonly guards: BuildGuards;
  readonly files: readonly OpenFile[];
  /** Sent to the build of the version; null for none. */
  readonly elf: OpenElf | null;
}

/** A build whose chip is known. */
interface PlannedBuild extends OpenBuild {
  readonly device: ReleaseDevice;
}

/**
 * Opens the files of a build for one chip: those that the list in its folder names, or one file.
 *
 * @param withElf True: with the ELF file that the folder names.
 * @throws PublishError
 */
async function openBuild(
  { deviceModel, guards, path, offset }: ChipBuild,
  folder: string,
  withElf: boolean,
): Promise<OpenBuild> {
  const device = { deviceFamily: familyOf(deviceModel) ?? 'esp', deviceModel };
  const place = resolve(folder, path);
  const isFolder = (await stat(place).catch(() => null))?.isDirectory() ?? false;
  const contents = folderContents[device.deviceFamily];
  if (isFolder && contents === 'sketch') {
    return {
      isNamed: true,
      device,
      guards,
      files: [await openFile({ path: await sketchIn(place), offset: null }, folder)],
      elf: null,
    };
  }
  if (isFolder && contents === undefined) {
    throw new PublishError(`${path} is a folder. Name the file for ${deviceModel}: --build ${deviceModel}=<file>.hex`);
  }
  if (!isFolder && offset === null && firmwareFormatOf(path) === 'bin') {
    throw new PublishError(`${path} has no flash address. Put it in front: --build ${deviceModel}=0x0=${path}`);
  }
  const listed = isFolder ? await readBuild(place) : [{ path, offset }];
  const elf =
    isFolder && withElf ? await openElf(await elfOf(place, 'Build it again, or leave --with-elf out.')) : null;
  return { isNamed: true, device, guards, files: await Promise.all(listed.map((file) => openFile(file, folder))), elf };
}

/**
 * Refuses files that the server would refuse, before megabytes are sent.
 *
 * @returns Warnings as sentences. Those about unrecognised files are left out, because such files may be encrypted.
 * @throws PublishError
 */
async function check(
  { files, device, isNamed }: PlannedBuild,
  { version, acceptDamaged: accepted }: Pick<Publication, 'version' | 'acceptDamaged'>,
): Promise<string[]> {
  const read = await Promise.all(
    files.map(async ({ path, offset, bytes }) => {
      const name = basename(path);
      const content = new Uint8Array(await bytes.arrayBuffer());
      const place = { offset: parseOffset(offset ?? '') ?? 0, size: bytes.size };
      return offset === null
        ? { name, reading: await readBuildFile(name, content, device) }
        : { name, reading: binaryReading(name, { ...place, reading: await readFirmware(content) }) };
    }),
  );
  const label = modelName(device.deviceModel as DeviceModel);
  const { refusals, damage, warnings } = isNamed
    ? checkBuild(read, { ...device, label })
    : checkRelease(
        read.flatMap(({ reading }) => reading.pieces.map((piece) => ({ ...piece, offset: piece.offset ?? 0 }))),
        device,
      );
  const [refused] = refusals;
  if (refused !== undefined) {
    throw new PublishError(`${refused.what} ${refused.remedy}`);
  }
  const damaged = damage.find(({ files: names }) => !names.every((name) => accepted.includes(name)));
  if (damaged !== undefined) {
    const name = damaged.files.join(', ');
    throw new PublishError(`${damaged.what} ${damaged.remedy} To publish it anyway: --accept-damaged ${name}`);
  }
  const isUnknown = (name: string) =>
    read.some(
      (file) => file.name === name && file.reading.pieces.every(({ reading }) => reading.part.kind === 'unknown'),
    );
  const apps = read.flatMap(({ name, reading }) =>
    reading.pieces.flatMap((piece) => appVersionOf({ ...piece, name }) ?? []),
  );
  const remarks = otherAppVersions(version, apps).map(
    (app) =>
      `The app in "${app.name}" says ${app.version}: visitors read ${version}, and the board says what its app says.`,
  );
  const found = warnings.filter(({ files: names }) => names.length === 0 || !names.every(isUnknown));
  return [...remarks, ...found.map(({ what, remedy }) => `${what} ${remedy}`)];
}

interface OpenElf {
  readonly path: string;
  readonly bytes: Blob;
}

/**
 * Opens the ELF file of the version; null for a publication without one, and for builds that have their own.
 *
 * @throws PublishError
 */
async function elfFileOf({ elf, build, builds }: Publication, folder: string): Promise<OpenElf | null> {
  if (elf === null || (elf === elfOfBuild && builds !== undefined)) {
    return null;
  }
  return openElf(
    elf === elfOfBuild ? await elfOf(resolve(folder, build ?? '.'), 'Name it with --elf.') : resolve(folder, elf),
  );
}

/** @throws PublishError for a file that is no ELF file, or cannot be read. */
async function openElf(path: string): Promise<OpenElf> {
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
  project: Project,
  planned: readonly PlannedBuild[],
  elf: OpenElf | null,
): FormData {
  const form = new FormData();
  form.append('projectId', project._id);
  form.append('version', version);
  form.append('description', description);
  const { files, builds } = uploadOf(planned);
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

/**
 * Returns the files to send, each once, and the builds that refer to them; null for the simple form, which has fields for
 * the only build of a command that names no chip, and for few files.
 */
function uploadOf(planned: readonly PlannedBuild[]) {
  const files = new Map(planned.flatMap((build) => build.files).map((file) => [file.path, file]));
  const places = [...files.keys()];
  if (planned.every((build) => !build.isNamed && build.files.length <= releaseLimits.files)) {
    return { files: planned.flatMap((build) => build.files), builds: null };
  }
  const builds = planned.map(({ device: { deviceModel }, guards, files: own }) => ({
    deviceModel,
    guards,
    files: own.map(({ path, offset }) => ({ index: places.indexOf(path), ...(offset === null ? {} : { offset }) })),
  }));
  return { files: [...files.values()], builds };
}
