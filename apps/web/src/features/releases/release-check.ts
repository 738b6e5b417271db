/**
 * Checks the files of a version by the rules of the server and the flashers (`@wirebench/flasher/release`). The
 * package is loaded with the first file, and each file is read once.
 */
import type { FirmwareReading, ReleaseCheck, ReleaseDevice, ReleaseFileInfo } from '@wirebench/flasher/release';
import { useState } from 'react';
import { useAsync } from '../../shared/ui/use-async.ts';

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

/** Returns the faults of the current files; none before they are read. */
export function useReleaseCheck(
  files: readonly CheckedFile[],
  { deviceFamily, deviceModel }: ReleaseDevice,
): ReleaseCheck {
  // Each keystroke creates new rows. Only changed files or offsets are checked again.
  const [known, setKnown] = useState(files);
  const isSame = (one: CheckedFile, other: CheckedFile | undefined) =>
    one.file === other?.file && one.offset === other.offset;
  if (known.length !== files.length || !known.every((one, index) => isSame(one, files[index]))) {
    setKnown(files);
  }
  const check = useAsync(
    [known, deviceFamily, deviceModel],
    async () => (known.length === 0 ? nothingFound : checkFiles(known, { deviceFamily, deviceModel })),
    (error) => console.warn('The firmware files were not checked.', error),
  );
  return known.length === 0 ? nothingFound : (check ?? nothingFound);
}
