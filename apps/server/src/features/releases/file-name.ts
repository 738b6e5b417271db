/** Validation of the names of uploaded files. */
import { buildText, firmwareFormatOf, releaseLimits } from '@wirebench/contract';
import { ApiError, refusedField } from '../../api-error.ts';

/**
 * Returns the name without folders.
 *
 * @throws ApiError 415 for anything but `.bin`, 400 for an invalid name.
 */
export function checkBinName(fileName: string): string {
  const name = checkFileName(fileName);
  if (!/[^.]\.bin$/i.test(name)) {
    throw new ApiError('unsupported-media-type', {
      message: `"${name}" is not a .bin file. Only .bin files can be uploaded.`,
    });
  }
  return name;
}

/**
 * Returns the name of a file of a build without folders.
 *
 * @throws ApiError 415 for anything but firmware, 400 for an invalid name.
 */
export function checkFirmwareName(fileName: string): string {
  const name = checkFileName(fileName);
  if (name.startsWith('.') || firmwareFormatOf(name) === null) {
    throw new ApiError('unsupported-media-type', { message: buildText.formats(name) });
  }
  return name;
}

/**
 * Returns the name without folders, with any extension.
 *
 * @throws ApiError (400) for an invalid name.
 */
export function checkFileName(fileName: string): string {
  const name = (fileName.split(/[/\\]/).at(-1) ?? '').trim().normalize('NFC').toWellFormed();
  // Control characters end lines in headers. Direction marks hide the end of a name.
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw refusedField('files', 'A file name cannot contain control characters');
  }
  if (name.length > releaseLimits.fileNameMaxLength) {
    throw refusedField('files', `A file name cannot exceed ${releaseLimits.fileNameMaxLength} characters`);
  }
  return name;
}
