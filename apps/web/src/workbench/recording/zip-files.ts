/** Joins files into a zip archive, in pieces, so that large files need little memory. Loaded when it is needed. */
import { Zip, ZipPassThrough } from 'fflate';

const pieceBytes = 4 << 20;
/** Bytes passed to the browser at a time, which keeps large blobs on the disk. */
const partBytes = 16 << 20;

/** Largest content of an archive with 32-bit sizes, with room for the names. */
export const maxZipBytes = 2 ** 32 - (1 << 20);

/** A file with its place in the archive. A `File` is one. A name that ends with `/` is a folder. */
export interface ZipSource extends Pick<Blob, 'size' | 'slice'> {
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly lastModified: number;
}

/**
 * Stores the files without compression.
 *
 * @param onProgress Receives the number of bytes read so far.
 * @throws The reason of `signal` after its abort, and the browser's error for a file that is gone.
 */
export async function zipFiles(
  files: readonly ZipSource[],
  onProgress: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<Blob> {
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  let read = 0;
  const zip = new Zip((error, bytes) => {
    if (error !== null) {
      throw error;
    }
    pending.push(bytes.slice());
    pendingBytes += bytes.length;
    if (pendingBytes >= partBytes) {
      parts.push(new Blob(pending));
      pending = [];
      pendingBytes = 0;
    }
  });
  for (const file of files) {
    const entry = new ZipPassThrough(file.name);
    entry.mtime = file.lastModified;
    zip.add(entry);
    if (file.size === 0) {
      entry.push(new Uint8Array(), true);
    }
    for (let at = 0; at < file.size; at += pieceBytes) {
      signal?.throwIfAborted();
      const piece = await file.slice(at, at + pieceBytes).arrayBuffer();
      entry.push(new Uint8Array(piece), at + piece.byteLength >= file.size);
      read += piece.byteLength;
      onProgress(read);
    }
  }
  zip.end();
  return new Blob([...parts, ...pending], { type: 'application/zip' });
}
