/**
 * Checks the files of a version by the rules of the server and the flashers (`@wirebench/flasher/release`). The
 * package is loaded with the first file, and each file is read once.
 */
import type { FirmwareReading, ReleaseCheck, ReleaseDevice, ReleaseFileInfo } from '@wirebench/flasher/release';
import { useAsync } from '../../shared/ui/use-async.ts';
import { useKept } from './use-kept.ts';

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

/** A file with a valid offset. */
export interface CheckedFile {
  readonly file: File;
  readonly offset: number;
}

/** Rejects if a file can no longer be read. */
export async function checkFiles(files: readonly CheckedFile[], device: ReleaseDevice): Promise<ReleaseCheck> {
  const infos = files.map(
    async ({ file, offset }): Promise<ReleaseFileInfo> => ({
      name: file.name,
      offset,
      size: file.size,
      reading: await readingOf(file),
    }),
  );
  const { checkRelease } = await loadRules();
  return checkRelease(await Promise.all(infos), device);
}

const nothingFound: ReleaseCheck = { refusals: [], damage: [], warnings: [] };

/** The addressed files of one build. */
export interface CheckedBuild {
  readonly files: readonly CheckedFile[];
  readonly target: ReleaseDevice;
}

/** Returns the faults of the current files of each build; none before they are read. */
export function useReleaseCheck(builds: readonly CheckedBuild[]): readonly ReleaseCheck[] {
  // Each keystroke creates new rows. Only changed files or offsets are checked again.
  const known = useKept(builds, isSameBuild);
  const checks = useAsync(
    [known],
    async () =>
      Promise.all(known.map(({ files, target }) => (files.length === 0 ? nothingFound : checkFiles(files, target)))),
    (error) => console.warn('The firmware files were not checked.', error),
  );
  return builds.map(({ files }, index) =>
    files.length === 0 || checks?.length !== builds.length ? nothingFound : (checks[index] ?? nothingFound),
  );
}

function isSameBuild(one: CheckedBuild, other: CheckedBuild): boolean {
  return (
    one.target.deviceFamily === other.target.deviceFamily &&
    one.target.deviceModel === other.target.deviceModel &&
    one.files.length === other.files.length &&
    one.files.every(({ file, offset }, index) => {
      const same = other.files[index];
      return file === same?.file && offset === same.offset;
    })
  );
}
