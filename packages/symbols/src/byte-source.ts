/**
 * The bytes of a file, in memory or in any other form that can be read in pieces, such as a dropped `File`. A big ELF
 * file is read section by section and never held as a whole.
 */
import { SymbolFileError } from './symbol-failure.ts';

export interface ByteSource {
  /** Size in bytes. */
  readonly size: number;
  /** Returns `length` bytes from `offset`; fewer at the end of the source. The caller must not modify them. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Makes a source of a `File` or `Blob`: each read loads only its piece. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/**
 * Reads exactly `length` bytes.
 *
 * @throws SymbolFileError `truncated` if the source is shorter.
 */
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
