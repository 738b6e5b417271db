/** Puts the uploaded files of a version at their flash addresses, or says why they cannot be there. */
import { findOverlap, formatOffset, overlapText, parseOffset, releaseLimits, releaseText } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';

export interface NamedFile {
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
}

/** `offsets` are as they were typed, one for each file in its order. Throws an `ApiError` (400) that names the file. */
export function placeFiles<File extends NamedFile>(
  files: readonly File[],
  offsets: readonly string[],
): (File & { readonly offset: number })[] {
  if (files.length === 0 || offsets.every((offset) => offset.trim() === '')) {
    throw refusal(releaseText.fileRequired);
  }
  if (offsets.length !== files.length) {
    throw refusal(`There must be one offset for each file: ${files.length}, not ${offsets.length}`);
  }
  const placed = files.map((file, index) => ({ ...file, offset: offsetFor(file, offsets[index] ?? '') }));
  const overlap = findOverlap(placed);
  if (overlap !== null) {
    throw refusal(overlapText(overlap));
  }
  return placed;
}

function offsetFor({ fileName, size }: NamedFile, text: string): number {
  const end = formatOffset(releaseLimits.addressSpace);
  const offset = parseOffset(text);
  if (text.trim() === '') {
    throw refusal(`"${fileName}" needs an offset, such as 0x10000`);
  }
  if (offset === null) {
    throw refusal(`The offset of "${fileName}" must be hex such as 0x10000 or a decimal number, below ${end}`);
  }
  if (size === 0) {
    throw refusal(`"${fileName}" is empty`);
  }
  if (offset + size > releaseLimits.addressSpace) {
    throw refusal(`"${fileName}" at ${formatOffset(offset)} ends above ${end}, where no flash is`);
  }
  return offset;
}

function refusal(message: string): ApiError {
  return new ApiError('invalid-request', { message, issues: [{ path: 'offsets', message }] });
}
