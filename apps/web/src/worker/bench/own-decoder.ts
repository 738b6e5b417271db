/** Prepares a decoder of a person's own for a port. Loaded when the first one is chosen. */
import { checkDecoder, type DecoderContent } from '@wirebench/contract/decoders';
import { DecoderError } from '@wirebench/frames';
import { fileHash, largestDecoderFile } from '@wirebench/frames/decoder-file';
import { missingFiles, type PreparedReader, readerOf } from '@wirebench/frames/ready-reader';
import type { DecoderAnswer, OwnDecoder } from '../../protocol/bench/frame-part.ts';

/** Checks content and files again: the page is not trusted to have done so. */
export async function ownReader({ content: text, files }: OwnDecoder): Promise<PreparedReader | DecoderAnswer> {
  const { content, faults } = checkDecoder(text);
  if (content === null) {
    return { kind: 'refused', reason: `${faults[0]}.` };
  }
  const bytes = await bytesOfFiles(content, files);
  const missing = await missingFiles(content, bytes);
  if (missing.length > 0) {
    return { kind: 'missing', files: missing };
  }
  try {
    return await readerOf([content], bytes);
  } catch (error) {
    if (error instanceof DecoderError) {
      return { kind: 'refused', reason: error.message };
    }
    throw error;
  }
}

/** Reads the given files that a decoder names, by their SHA-256. A file with another hash is another file. */
export async function bytesOfFiles(
  content: DecoderContent,
  files: ReadonlyMap<string, Blob>,
): Promise<Map<string, Uint8Array>> {
  const bytes = new Map<string, Uint8Array>();
  for (const { sha256 } of content.files) {
    const file = files.get(sha256);
    if (file !== undefined && file.size <= largestDecoderFile) {
      const read = new Uint8Array(await file.arrayBuffer());
      if (fileHash(read) === sha256) {
        bytes.set(sha256, read);
      }
    }
  }
  return bytes;
}
