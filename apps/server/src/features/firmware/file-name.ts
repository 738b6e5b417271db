/** Names of uploaded files: which are taken, and how one is given back in a header. */
import { releaseLimits } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';

/** The name without folders. Throws an `ApiError`: 415 for what is no `.bin`, 400 for what is no name. */
export function checkBinName(fileName: string): string {
  const name = checkFileName(fileName);
  if (!/[^.]\.bin$/i.test(name)) {
    throw new ApiError('unsupported-media-type', {
      message: `"${name}" is not a .bin file. Only .bin files can be uploaded.`,
    });
  }
  return name;
}

/** The name without folders, whatever it ends in. Throws an `ApiError` (400) for what is no name. */
export function checkFileName(fileName: string): string {
  const name = (fileName.split(/[/\\]/).at(-1) ?? '').trim().normalize('NFC').toWellFormed();
  // Control characters end lines in headers, and the marks that turn the direction of writing hide how a name ends.
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw invalid('A file name cannot contain control characters');
  }
  if (name.length > releaseLimits.fileNameMaxLength) {
    throw invalid(`A file name cannot exceed ${releaseLimits.fileNameMaxLength} characters`);
  }
  return name;
}

/** `Content-Disposition` for a download (RFC 6266): plain letters for old clients, all of the name for the rest. */
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
