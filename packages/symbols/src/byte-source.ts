/**
 * Where the bytes of a file come from: memory, or anything that can be read in pieces, such as a dropped `File`. A big ELF
 * is read section by section and never held as a whole. Knows nothing of what the bytes mean.
 */
import { SymbolFileError } from './symbol-failure.ts';

export interface ByteSource {
  /** Bytes in all. */
  readonly size: number;
  /** `length` bytes from `offset`; fewer at the end of the source. The caller does not write into them. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The bytes as they are, without a copy. */
export function bytesSource(bytes: ArrayBuffer | Uint8Array): ByteSource {
  const all = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  return { size: all.length, read: async (offset, length) => all.subarray(offset, offset + length) };
}

/** A `File` or `Blob`: each read loads that piece only. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Throws a `SymbolFileError` `truncated` when the source ends before. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  if (offset + length > source.size) {
    throw new SymbolFileError('truncated');
  }
  const bytes = await source.read(offset, length);
  if (bytes.length !== length) {
    throw new SymbolFileError('truncated');
  }
  return bytes;
}
