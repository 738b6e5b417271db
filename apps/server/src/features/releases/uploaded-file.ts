import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';

/** A file of a form, which is stored until the end of the call. */
export interface UploadedFile {
  /** Without folders. */
  readonly fileName: string;
  readonly bytes: SpooledFile;
}
