/**
 * Frames as a person types them for a decoder: a request in words, a sentence, or hex digits. The checksum is added. An
 * entry of its own, for the field that sends.
 */
import type { DecoderContent } from '@wirebench/contract/decoders';
import { calculatorOf } from './checksums.ts';
import { CompiledDecoder } from './compiled-decoder.ts';
import { bodyFault, isInWords, typedRequest } from './steps/modbus/typed-request.ts';
import { DecoderError } from './steps/step-files.ts';

type FrameInput =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  /** @property message One or two sentences. */
  | { readonly ok: false; readonly message: string };

/**
 * Encodes a typed frame.
 *
 * @param hex Bytes of the text, if it is hex digits; null: it is not.
 */
export type FrameEncoder = (text: string, hex: Uint8Array | null) => FrameInput;

/** A decoder at work, or the sentence that says why it cannot be. */
type Compiled = () => CompiledDecoder | string;

const refused = (message: string): FrameInput => ({ ok: false, message });

/** Returns the encoder of a decoder, which is compiled for the first frame and kept for the next ones. */
export function frameEncoder(decoder: DecoderContent): FrameEncoder {
  const { steps, framing, checksum, title } = decoder;
  const compiled = compiledOnce(decoder);
  const addChecksum = (body: Uint8Array) => withChecksum(compiled, title, body);
  if (steps.includes('nmea')) {
    return (text) => sentence(compiled, title, text);
  }
  if (steps.includes('modbus')) {
    return (text, hex) => modbusFrame(addChecksum, text, hex);
  }
  // Other framings have escapes, or ends that a checksum may contain.
  const isPlain = framing.kind === 'length' || framing.kind === 'gap';
  if (!isPlain || checksum === undefined) {
    return () => refused(`${title} has no checksum that can be added to typed bytes. Type whole frames as Hex.`);
  }
  return (_, hex) =>
    hex === null || hex.length === 0
      ? refused('Type the bytes of the frame as hex digits, without the checksum.')
      : addChecksum(hex);
}

function compiledOnce(decoder: DecoderContent): Compiled {
  let compiled: CompiledDecoder | string | null = null;
  return () => {
    try {
      compiled ??= new CompiledDecoder(decoder, {});
    } catch (error) {
      if (!(error instanceof DecoderError)) {
        throw error;
      }
      compiled = error.message;
    }
    return compiled;
  };
}

/** Reads a request in words, or unit, function and data. */
function modbusFrame(addChecksum: (body: Uint8Array) => FrameInput, text: string, hex: Uint8Array | null): FrameInput {
  const typed = isInWords(text) ? typedRequest(text) : null;
  if (typed?.ok === false) {
    return typed;
  }
  const body = typed === null ? hex : Uint8Array.from(typed.bytes);
  if (body === null || body.length < 2) {
    return refused('Type a request, such as 7 read 4 from 0, or unit, function and data as hex digits.');
  }
  const fault = bodyFault(body);
  return fault === null ? addChecksum(body) : refused(fault);
}

/** Adds the checksum where the decoder has it. */
function withChecksum(compiled: Compiled, title: string, body: Uint8Array): FrameInput {
  const refusal = `With their checksum, these bytes are no frame of ${title}.`;
  return checked(
    compiled,
    refusal,
    (decoder) => decoder.check?.complete(body, decoder.contentOf(body, 'sent').form.tail) ?? null,
  );
}

/**
 * Looks at a frame with the decoder itself.
 *
 * @param make Returns the frame, or null if there is none.
 */
function checked(
  compiled: Compiled,
  refusal: string,
  make: (decoder: CompiledDecoder) => Uint8Array<ArrayBuffer> | null,
): FrameInput {
  const decoder = compiled();
  if (typeof decoder === 'string') {
    return refused(decoder);
  }
  const bytes = make(decoder);
  const isRight = bytes !== null && (decoder.isFrame(bytes, 'sent') || decoder.settled(bytes) === bytes.length);
  return isRight ? { ok: true, bytes } : refused(refusal);
}

/** Completes a sentence of NMEA 0183 (version 4.11, section 5.3): `$`, checksum and line end. A typed checksum is replaced. */
function sentence(compiled: Compiled, title: string, text: string): FrameInput {
  const [, start = '$', address, cells = ''] =
    /^\s*([$!])?([A-Z][A-Z\d]{2,23})(,[\x20-\x7e]*?)?(?:\*[\dA-F]{0,2})?\s*$/i.exec(text) ?? [];
  if (address === undefined || cells.includes('*')) {
    return refused('Type a sentence, such as PUBX,00 or $GPGLL,4916.45,N. Its checksum and line end are added.');
  }
  const body = `${address.toUpperCase()}${cells}`;
  const bytes = new TextEncoder().encode(body);
  const digits = calculatorOf('xor8')(bytes, 0, bytes.length).toString(16).toUpperCase().padStart(2, '0');
  const refusal = `With its checksum, this is no sentence of ${title}. A sentence has up to 1,024 characters.`;
  return checked(compiled, refusal, () => new TextEncoder().encode(`${start}${body}*${digits}\r\n`));
}
