/**
 * Frames as a person types them for a decoder: a request in words, a sentence, or hex digits. The checksum is added. An
 * entry of its own, for the field that sends.
 */
import type { DecoderContent } from '@wirebench/contract/decoders';
import { calculatorOf } from './checksums.ts';
import { CompiledDecoder } from './compiled-decoder.ts';
import { bodyFault, isInWords, typedRequest } from './steps/modbus/typed-request.ts';
import { DecoderError } from './steps/step-files.ts';

export type FrameInput =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  /** @property message One or two sentences. */
  | { readonly ok: false; readonly message: string };

const refused = (message: string): FrameInput => ({ ok: false, message });

/**
 * Encodes a typed frame.
 *
 * @param hex Bytes of the text, if it is hex digits; null: it is not.
 */
export function encodeFrame(decoder: DecoderContent, text: string, hex: Uint8Array | null): FrameInput {
  const { steps, framing, title } = decoder;
  if (steps.includes('nmea')) {
    return sentence(decoder, text);
  }
  if (steps.includes('modbus')) {
    const typed = isInWords(text) ? typedRequest(text) : null;
    if (typed?.ok === false) {
      return typed;
    }
    const body = typed === null ? hex : Uint8Array.from(typed.bytes);
    if (body === null || body.length < 2) {
      return refused('Type a request, such as 7 read 4 from 0, or unit, function and data as hex digits.');
    }
    const fault = bodyFault(body);
    return fault === null ? withChecksum(decoder, body) : refused(fault);
  }
  // Other framings have escapes, or ends that a checksum may contain.
  const isPlain = framing.kind === 'length' || framing.kind === 'gap';
  if (!isPlain || decoder.checksum === undefined) {
    return refused(`${title} has no checksum that can be added to typed bytes. Type whole frames as Hex.`);
  }
  return hex === null || hex.length === 0
    ? refused('Type the bytes of the frame as hex digits, without the checksum.')
    : withChecksum(decoder, hex);
}

/** Adds the checksum where the decoder has it. */
function withChecksum(decoder: DecoderContent, body: Uint8Array): FrameInput {
  const refusal = `With their checksum, these bytes are no frame of ${decoder.title}.`;
  return checked(
    decoder,
    refusal,
    (compiled) => compiled.check?.complete(body, compiled.contentOf(body).form.tail) ?? null,
  );
}

/**
 * Looks at a frame with the decoder itself.
 *
 * @param make Returns the frame, or null if there is none.
 */
function checked(
  decoder: DecoderContent,
  refusal: string,
  make: (compiled: CompiledDecoder) => Uint8Array<ArrayBuffer> | null,
): FrameInput {
  try {
    const compiled = new CompiledDecoder(decoder, {});
    const bytes = make(compiled);
    const isRight = bytes !== null && (compiled.isFrame(bytes) || compiled.settled(bytes) === bytes.length);
    return isRight ? { ok: true, bytes } : refused(refusal);
  } catch (error) {
    if (error instanceof DecoderError) {
      return refused(error.message);
    }
    throw error;
  }
}

/** Completes a sentence of NMEA 0183 (version 4.11, section 5.3): `$`, checksum and line end. A typed checksum is replaced. */
function sentence(decoder: DecoderContent, text: string): FrameInput {
  const [, start = '$', address, cells = ''] =
    /^\s*([$!])?([A-Z][A-Z\d]{2,23})(,[\x20-\x7e]*?)?(?:\*[\dA-F]{0,2})?\s*$/i.exec(text) ?? [];
  if (address === undefined || cells.includes('*')) {
    return refused('Type a sentence, such as PUBX,00 or $GPGLL,4916.45,N. Its checksum and line end are added.');
  }
  const body = `${address.toUpperCase()}${cells}`;
  const bytes = new TextEncoder().encode(body);
  const digits = calculatorOf('xor8')(bytes, 0, bytes.length).toString(16).toUpperCase().padStart(2, '0');
  const refusal = `With its checksum, this is no sentence of ${decoder.title}. A sentence has up to 1,024 characters.`;
  return checked(decoder, refusal, () => new TextEncoder().encode(`${start}${body}*${digits}\r\n`));
}
