/** Names of uploaded files: validation, and their form in a download header. */
import { releaseLimits } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';

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
 * Returns the name without folders, with any extension.
 *
 * @throws ApiError (400) for an invalid name.
 */
export function checkFileName(fileName: string): string {
  const name = (fileName.split(/[/\\]/).at(-1) ?? '').trim().normalize('NFC').toWellFormed();
  // Control characters end lines in headers. Direction marks hide the end of a name.
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw invalid('A file name cannot contain control characters');
  }
  if (name.length > releaseLimits.fileNameMaxLength) {
    throw invalid(`A file name cannot exceed ${releaseLimits.fileNameMaxLength} characters`);
  }
  return name;
}

/**
 * Returns `Content-Disposition` for a download (RFC 6266): an ASCII name for old clients, the whole name for others.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w.() -]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`;
}

function invalid(message: string): ApiError {
  return new ApiError('invalid-request', { message, issues: [{ path: 'files', message }] });
}
