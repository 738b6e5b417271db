/** Assigns flash addresses to the uploaded files of a version and checks them. */
import { offsetFaultText, readTypedOffset, releaseText } from '@wirebench/contract';
import {
  checkRelease,
  type ReleaseCheck,
  type ReleaseDevice,
  type ReleaseFileInfo,
  type ReleaseFinding,
} from '@wirebench/flasher/release';
import { ApiError, refusedField } from '../../api-error.ts';

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
export function refuseFindings({ refusals, damage }: ReleaseCheck, accepted: readonly string[], field: string): void {
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
