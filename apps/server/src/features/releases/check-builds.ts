/** Reads the files of builds and checks each build against its chip. */
import { deviceModelName } from '@wirebench/contract';
import { type BuildFileReading, binaryReading, checkBuild } from '@wirebench/flasher/release';
import { readStoredBuildFile, readStoredFirmware } from './firmware-reader.ts';
import { refuseFindings } from './place-files.ts';
import type { PlannedBuild, PlannedFile } from './plan-builds.ts';
import type { UploadedFile } from './uploaded-file.ts';
import type { NewBuildRow } from './versions.repository.ts';

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
    const label = deviceModelName(deviceModel);
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
