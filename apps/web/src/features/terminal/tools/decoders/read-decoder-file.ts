/** Reads a decoder from a file: its content, or a JKit with one. Loaded with the first file. */
import { jkitLimits, jkitText } from '@wirebench/contract/constants';
import { checkDecoder } from '@wirebench/contract/decoders';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { readGivenText } from '../../../../shared/files/read-given-text.ts';

export type DecoderText =
  | { readonly ok: true; readonly text: string }
  /** @property reason One sentence with a remedy. */
  | { readonly ok: false; readonly reason: string };

export async function readDecoderText(file: File): Promise<DecoderText> {
  // A JKit file escapes its content.
  if (file.size > 8 * jkitLimits.contentSize) {
    return { ok: false, reason: `${file.name} is too large for a decoder: its content cannot exceed 64 KB.` };
  }
  let text: string;
  try {
    text = await readGivenText(file);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    return { ok: false, reason: `${file.name} could not be read. Choose it again.` };
  }
  const root = fieldsOf(parseJson(text));
  const { content } = { ...root, ...fieldsOf(root['data']) };
  const own = typeof content === 'string' ? content : text;
  const [fault] = checkDecoder(own).faults;
  return fault === undefined
    ? { ok: true, text: own }
    : {
        ok: false,
        reason:
          fault === jkitText.invalid
            ? `${file.name} is no decoder: it is no JSON.`
            : `${file.name} is no decoder that can be used: ${fault}.`,
      };
}
