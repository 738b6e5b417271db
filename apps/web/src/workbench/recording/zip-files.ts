/** Joins files into a zip archive, in pieces, so that large files need little memory. Loaded when it is needed. */
import { Zip, ZipPassThrough } from 'fflate';

const pieceBytes = 4 << 20;
/** Bytes passed to the browser at a time, which keeps large blobs on the disk. */
const partBytes = 16 << 20;

/** Largest content of an archive with 32-bit sizes, with room for the names. */
export const maxZipBytes = 2 ** 32 - (1 << 20);

/** A file of the archive. A name that ends with a slash makes an empty folder. */
export interface ZippedFile {
  /** With slashes between folders, and none in front. */
  readonly name: string;
  readonly content: Blob;
  /** In milliseconds since the Unix epoch. */
  readonly lastModified: number;
}

/**
 * Stores the files without compression.
 *
 * @param onProgress Receives the number of bytes read so far.
 * @throws The reason of `signal` after its abort, and the browser's error for a file that is gone.
 */
export async function zipFiles(
  files: readonly ZippedFile[],
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
  for (const { name, content, lastModified } of files) {
    const entry = new ZipPassThrough(name);
    entry.mtime = lastModified;
    zip.add(entry);
    let at = 0;
    // An empty file has one empty piece.
    do {
      signal?.throwIfAborted();
      const piece = await content.slice(at, at + pieceBytes).arrayBuffer();
      at += pieceBytes;
      entry.push(new Uint8Array(piece), at >= content.size);
      read += piece.byteLength;
      onProgress(read);
    } while (at < content.size);
  }
  zip.end();
  return new Blob([...parts, ...pending], { type: 'application/zip' });
}
