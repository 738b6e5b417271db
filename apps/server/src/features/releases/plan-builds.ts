/**
 * Assigns the uploaded files of a version to its builds, with their addresses. Checks that the builds can be told apart,
 * and each build against its chip.
 */

import { familyOf, familyTraits, modelName } from '@wirebench/boards';
import {
  type Build,
  buildText,
  firmwareFormatOf,
  type NewBuild,
  offsetFaultText,
  readTypedOffset,
  releaseLimits,
  releaseText,
} from '@wirebench/contract';
import {
  type BuildFileReading,
  binaryReading,
  checkBuild,
  checkRelease,
  type ReleaseCheck,
  type ReleaseDevice,
  type ReleaseFileInfo,
  type ReleaseFinding,
} from '@wirebench/flasher/release';
import { ApiError, refusedField } from '../../api-error.ts';
import { readStoredBuildFile, readStoredFirmware } from './firmware-reader.ts';
import type { UploadedFile } from './upload-form.ts';
import type { NewBuildRow } from './versions.repository.ts';

interface PlannedFile {
  /** Place among the uploaded files. */
  readonly index: number;
  /** Flash address in bytes; null for a file that contains its addresses. */
  readonly offset: number | null;
}

export interface PlannedBuild extends Pick<Build, 'deviceFamily' | 'deviceModel' | 'guards'> {
  readonly files: readonly PlannedFile[];
}

/**
 * Returns the builds in their order.
 *
 * @param limit Maximum number of builds.
 * @throws ApiError (400) that names the build or the file.
 */
export function planBuilds(
  files: readonly NamedFile[],
  builds: readonly NewBuild[],
  limit: number,
): readonly PlannedBuild[] {
  if (builds.length === 0 || files.length === 0) {
    throw refused(releaseText.fileRequired);
  }
  if (builds.length > limit) {
    throw refused(buildText.limit(limit));
  }
  const planned = builds.map((build) => planBuild(files, build));
  const used = new Set(planned.flatMap((build) => build.files.map(({ index }) => index)));
  const unused = files.find((_, index) => !used.has(index));
  if (unused !== undefined) {
    throw refused(buildText.unusedFile(unused.fileName));
  }
  const seen = new Set<string>();
  for (const build of planned) {
    const key = boardsOf(build);
    if (seen.has(key)) {
      throw refused(buildText.same(modelName(build.deviceModel)));
    }
    seen.add(key);
  }
  return planned;
}

/**
 * Returns the builds with the project's own build first: the most general one for its model, because clients that know
 * no builds flash it to every board with that chip. The order of the others is kept.
 *
 * @throws ApiError (400) if no build is for the model.
 */
export function withOwnFirst(
  builds: readonly PlannedBuild[],
  deviceModel: Build['deviceModel'],
): readonly PlannedBuild[] {
  const own = builds.filter((build) => build.deviceModel === deviceModel);
  const [first] = own.toSorted((one, other) => guardCount(one) - guardCount(other));
  if (first === undefined) {
    throw refused(buildText.noProjectModel(modelName(deviceModel)));
  }
  return [first, ...builds.filter((build) => build !== first)];
}

/** Returns true if the simple form can describe the builds of a project for that model. */
export function isSimple(
  builds: readonly PlannedBuild[],
  deviceModel: Build['deviceModel'],
  files: readonly NamedFile[],
) {
  const [build, ...others] = builds;
  return (
    build !== undefined &&
    others.length === 0 &&
    build.deviceModel === deviceModel &&
    guardCount(build) === 0 &&
    build.files.length <= releaseLimits.files &&
    build.files.every(({ index }) => firmwareFormatOf(files[index]?.fileName ?? '') === 'bin')
  );
}

function planBuild(files: readonly NamedFile[], { deviceModel, guards, files: listed }: NewBuild): PlannedBuild {
  const model = deviceModel as Build['deviceModel'];
  const deviceFamily = familyOf(model);
  if (deviceFamily === null) {
    throw new RangeError(`The schema lets no such model through: ${model}`);
  }
  if (listed.length === 0) {
    throw refused(buildText.noFile(modelName(model)));
  }
  return {
    deviceFamily,
    deviceModel: model,
    guards,
    files: listed.map(({ index, offset = '' }) => {
      const file = files[index];
      if (file === undefined) {
        throw refused(buildText.unknownFile(index));
      }
      const isPlaced = familyTraits[deviceFamily].hasPlacedFiles || firmwareFormatOf(file.fileName) !== 'bin';
      return { index, offset: isPlaced ? null : offsetOf(file, offset) };
    }),
  };
}

function offsetOf({ fileName }: NamedFile, text: string): number {
  const typed = readTypedOffset(text);
  if (typed.fault !== null) {
    throw refused(offsetFaultText(fileName, typed));
  }
  return typed.offset;
}

/** Returns a key that is equal for builds for the same boards. */
function boardsOf({ deviceModel, guards: { flashSize, psram, minRevision, connection } }: PlannedBuild): string {
  return JSON.stringify([deviceModel, flashSize, psram, minRevision, connection]);
}

const guardCount = ({ guards }: PlannedBuild): number => Object.keys(guards).length;

const refused = (message: string) => refusedField('builds', message);

/**
 * Checks the builds, and returns them with the addresses of their files.
 *
 * @param accepted Names of damaged files that the caller accepts.
 * @throws ApiError (400) that names the file, with the code `files-damaged` for a damaged file that is not accepted.
 */
export async function checkBuilds(
  files: readonly UploadedFile[],
  builds: readonly PlannedBuild[],
  accepted: readonly string[],
): Promise<NewBuildRow[]> {
  const read = reader(files);
  const rows: NewBuildRow[] = [];
  // One after the other, so that the first fault in the order of the form is reported.
  for (const build of builds) {
    const found = await Promise.all(build.files.map(async (file) => ({ file, ...(await read(file, build)) })));
    const { deviceFamily, deviceModel, guards } = build;
    const label = modelName(deviceModel);
    refuseFindings(checkBuild(found, { deviceFamily, deviceModel, label }), accepted, 'builds');
    rows.push({
      deviceFamily,
      deviceModel,
      guards,
      files: found.map(({ file, uploaded, reading }) => ({
        fileName: uploaded.fileName,
        size: uploaded.bytes.size,
        sha256: uploaded.bytes.sha256,
        offset: file.offset ?? lowestOf(reading),
      })),
    });
  }
  return rows;
}

/** Returns a function that reads a file for a build, each file once for a chip. */
function reader(files: readonly UploadedFile[]) {
  const binaries = new Map<number, ReturnType<typeof readStoredFirmware>>();
  const others = new Map<string, Promise<BuildFileReading>>();
  return async ({ index, offset }: PlannedFile, { deviceFamily, deviceModel }: PlannedBuild) => {
    const uploaded = files[index];
    if (uploaded === undefined) {
      throw new RangeError('A planned file is not among the uploaded ones');
    }
    const { fileName: name, bytes } = uploaded;
    if (offset !== null) {
      const binary = binaries.get(index) ?? readStoredFirmware(bytes);
      binaries.set(index, binary);
      const reading = binaryReading(name, { offset, size: bytes.size, reading: await binary });
      return { name, uploaded, reading };
    }
    const key = `${deviceModel} ${index}`;
    const other = others.get(key) ?? readStoredBuildFile(bytes, name, { deviceFamily, deviceModel });
    others.set(key, other);
    return { name, uploaded, reading: await other };
  };
}

/** Returns the lowest address of a file that contains its addresses; 0 if it is unknown. */
function lowestOf({ pieces }: BuildFileReading): number {
  return pieces.length === 0 ? 0 : Math.min(...pieces.map(({ offset }) => offset ?? 0));
}

export interface NamedFile {
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
}

export type Placed<File extends NamedFile> = File & { readonly offset: number };

/**
 * Returns the files with their offsets.
 *
 * @param offsets Offsets as typed, one for each file in the same order.
 * @throws ApiError (400) that names the file.
 */
export function placeFiles<File extends NamedFile>(files: readonly File[], offsets: readonly string[]): Placed<File>[] {
  if (files.length === 0 || offsets.every((offset) => offset.trim() === '')) {
    throw refusedField('offsets', releaseText.fileRequired);
  }
  if (offsets.length !== files.length) {
    throw refusedField('offsets', `There must be one offset for each file: ${files.length}, not ${offsets.length}`);
  }
  return files.map((file, index) => {
    const typed = readTypedOffset(offsets[index] ?? '');
    if (typed.fault !== null) {
      throw refusedField('offsets', offsetFaultText(file.fileName, typed));
    }
    return { ...file, offset: typed.offset };
  });
}

export interface PlacedReading extends Placed<NamedFile> {
  readonly reading: ReleaseFileInfo['reading'];
}

/**
 * Checks that the release can be flashed.
 *
 * @param accepted Names of damaged files that the caller accepts.
 * @throws ApiError (400) for a release that cannot be flashed; with the code `files-damaged` for a damaged file that
 *   is not accepted.
 */
export function checkFiles(files: readonly PlacedReading[], device: ReleaseDevice, accepted: readonly string[]): void {
  const named = files.map(({ fileName, ...file }) => ({ name: fileName, ...file }));
  refuseFindings(checkRelease(named, device), accepted, 'offsets');
}

/**
 * Refuses the first finding that prevents publishing.
 *
 * @param field Field of the form that a refusal concerns.
 * @throws ApiError (400) as `checkFiles` does.
 */
function refuseFindings({ refusals, damage }: ReleaseCheck, accepted: readonly string[], field: string): void {
  const [refused] = refusals;
  if (refused !== undefined) {
    throw refusedField(field, sentenceOf(refused));
  }
  const [damaged] = damage.filter(({ files: names }) => !names.every((name) => accepted.includes(name)));
  if (damaged !== undefined) {
    const message = sentenceOf(damaged);
    throw new ApiError('files-damaged', { message, issues: [{ path: 'acceptDamaged', message }] });
  }
}

const sentenceOf = ({ what, remedy }: ReleaseFinding): string => `${what} ${remedy}`;
