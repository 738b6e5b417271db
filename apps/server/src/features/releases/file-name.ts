/** Validation of the names of uploaded files. */
import {
  buildText,
  firmwareFormatOf,
  normalizeLine,
  releaseLimits,
  singleLineFault,
  singleLineText,
} from '@wirebench/contract';
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
  const name = normalizeLine(fileName.split(/[/\\]/).at(-1) ?? '').normalize('NFC');
  const { fileNameMaxLength } = releaseLimits;
  const fault = singleLineFault(name, fileNameMaxLength);
  if (fault !== null) {
    throw refusedField('files', singleLineText('A file name', fault, fileNameMaxLength));
  }
  return name;
}
