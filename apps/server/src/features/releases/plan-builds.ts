/** Assigns the uploaded files of a version to its builds, and checks that the builds can be told apart. */
import {
  type Build,
  buildText,
  deviceModelName,
  familyOf,
  firmwareFormatOf,
  type NewBuild,
  offsetFaultText,
  readTypedOffset,
  releaseLimits,
  releaseText,
} from '@wirebench/contract';
import { refusedField } from '../../api-error.ts';
import type { NamedFile } from './place-files.ts';

export interface PlannedFile {
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
      throw refused(buildText.same(deviceModelName(build.deviceModel)));
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
    throw refused(buildText.noProjectModel(deviceModelName(deviceModel)));
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
    throw refused(buildText.noFile(deviceModelName(model)));
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
      const hasAddresses = deviceFamily === 'nrf' || firmwareFormatOf(file.fileName) !== 'bin';
      return { index, offset: hasAddresses ? null : offsetOf(file, offset) };
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
