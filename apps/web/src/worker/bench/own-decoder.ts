/** Prepares a decoder of a person's own for a port. Loaded when the first one is chosen. */
import { checkDecoder } from '@wirebench/contract/decoders';
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
  const bytes = new Map<string, Uint8Array>();
  for (const { sha256 } of content.files) {
    const file = files.get(sha256);
    if (file !== undefined && file.size <= largestDecoderFile) {
      const read = new Uint8Array(await file.arrayBuffer());
      // A file with another hash is another file, so the one that is named is missing.
      if (fileHash(read) === sha256) {
        bytes.set(sha256, read);
      }
    }
  }
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
