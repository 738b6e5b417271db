/**
 * Checks the files of a version by the rules of the server and the flashers (`@wirebench/flasher/release`). The
 * package is loaded with the first file, and each file is read once.
 */
import { type DeviceModel, modelName } from '@wirebench/boards';
import { releaseLimits } from '@wirebench/contract';
import type {
  AppVersion,
  BuildFile,
  FirmwareReading,
  ReleaseCheck,
  ReleaseDevice,
  ReleaseFileInfo,
} from '@wirebench/flasher/release';
import { useEffect, useRef } from 'react';
import { useAsync } from '../../../shared/ui/use-async.ts';
import type { FlashTarget } from './suggest-offsets.ts';
import { useKept } from './use-kept.ts';
import type { AddressedFile } from './version-draft.ts';

const loadRules = () => import('@wirebench/flasher/release');

const readings = new WeakMap<File, Promise<FirmwareReading>>();

/** Rejects if the file can no longer be read. The next call retries. */
function readingOf(file: File): Promise<FirmwareReading> {
  const known = readings.get(file);
  if (known !== undefined) {
    return known;
  }
  const reading = loadRules().then(async ({ readFirmware }) => readFirmware(new Uint8Array(await file.arrayBuffer())));
  readings.set(file, reading);
  reading.catch(() => readings.delete(file));
  return reading;
}

/** The files of one build, each with an address or a format that has its own. */
export interface CheckedBuild {
  readonly files: readonly AddressedFile[];
  readonly target: FlashTarget;
  /** False: the simple form, by whose rules a file may be for a chip that had no projects when it was made. */
  readonly isBuild: boolean;
}

/** Rejects if a file can no longer be read. */
export async function checkFiles({ files, target, isBuild }: CheckedBuild): Promise<ReleaseCheck> {
  if (isBuild) {
    return checkFilesOfBuild(files, target);
  }
  const infos = files.map(
    async ({ file, offset }): Promise<ReleaseFileInfo> => ({
      name: file.name,
      offset: offset ?? 0,
      size: file.size,
      reading: await readingOf(file),
    }),
  );
  const { checkRelease } = await loadRules();
  return checkRelease(await Promise.all(infos), target);
}

/** Returns the versions that the apps of a build state. Rejects if a file can no longer be read. */
export async function appsOf({ files }: Pick<CheckedBuild, 'files'>): Promise<readonly AppVersion[]> {
  const { appVersionOf } = await loadRules();
  const placed = files.filter(({ offset }) => offset !== null);
  const read = placed.map(async ({ file }) => appVersionOf({ name: file.name, reading: await readingOf(file) }) ?? []);
  return (await Promise.all(read)).flat();
}

/**
 * Offers the version that all apps of newly chosen files state, if no version was typed. Each choice of files offers
 * once, so that an emptied field stays empty.
 */
export function useStatedVersion(
  typed: string,
  builds: readonly Pick<CheckedBuild, 'files'>[],
  onStated: (version: string) => void,
): void {
  const asked = useRef<readonly File[]>([]);
  const now = useRef({ typed, onStated });
  useEffect(() => {
    now.current = { typed, onStated };
    const files = builds.flatMap((build) => build.files.map(({ file }) => file));
    if (files.length === asked.current.length && files.every((file, index) => file === asked.current[index])) {
      return;
    }
    asked.current = files;
    if (files.length === 0 || typed.trim() !== '') {
      return;
    }
    Promise.all(builds.map(appsOf)).then(
      (found) => {
        const [version, ...others] = new Set(found.flat().map((app) => app.version));
        const isTyped = now.current.typed.trim() !== '';
        if (
          version !== undefined &&
          others.length === 0 &&
          !isTyped &&
          version.length <= releaseLimits.versionMaxLength
        ) {
          now.current.onStated(version);
        }
      },
      // The check of the files reports that.
      () => undefined,
    );
  });
}

async function checkFilesOfBuild(files: readonly AddressedFile[], target: ReleaseDevice): Promise<ReleaseCheck> {
  const { binaryReading, checkBuild, readBuildFile } = await loadRules();
  const read = files.map(async ({ file, offset }): Promise<BuildFile> => {
    const { name, size } = file;
    return offset === null
      ? { name, reading: await readBuildFile(name, new Uint8Array(await file.arrayBuffer()), target) }
      : { name, reading: binaryReading(name, { offset, size, reading: await readingOf(file) }) };
  });
  const label = modelName(target.deviceModel as DeviceModel);
  return checkBuild(await Promise.all(read), { ...target, label });
}

const nothingFound: ReleaseCheck = { refusals: [], damage: [], warnings: [] };

/** Returns the faults of the current files of each build; none before they are read. */
export function useReleaseCheck(builds: readonly CheckedBuild[]): readonly ReleaseCheck[] {
  // Each keystroke creates new rows. Only changed files or offsets are checked again.
  const known = useKept(builds, isSameBuild);
  const checks = useAsync(
    [known],
    async () => Promise.all(known.map((build) => (build.files.length === 0 ? nothingFound : checkFiles(build)))),
    (error) => console.warn('The firmware files were not checked.', error),
  );
  return builds.map(({ files }, index) =>
    files.length === 0 || checks?.length !== builds.length ? nothingFound : (checks[index] ?? nothingFound),
  );
}

function isSameBuild(one: CheckedBuild, other: CheckedBuild): boolean {
  return (
    one.isBuild === other.isBuild &&
    one.target.deviceFamily === other.target.deviceFamily &&
    one.target.deviceModel === other.target.deviceModel &&
    one.files.length === other.files.length &&
    one.files.every(({ file, offset }, index) => {
      const same = other.files[index];
      return file === same?.file && offset === same.offset;
    })
  );
}
