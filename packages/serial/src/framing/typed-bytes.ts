/** A few bytes as typed in a setting: text with escapes, or hex digits. */
import { encodeEscaped, escapeBytes } from '../escapes.ts';
import { hexText } from '../hex-text.ts';
import { encodePinned } from '../send-input.ts';

export interface TypedBytes {
  readonly as: 'text' | 'hex';
  readonly typed: string;
}

const maxTypedBytes = 16;

/** Returns a sentence that says why the input is invalid; null for valid input. */
export function typedBytesFailure({ as, typed }: TypedBytes): string | null {
  const encoded = encode({ as, typed });
  if (!encoded.ok) {
    return as === 'hex' ? 'Enter pairs of hex digits, such as 0D 0A.' : encoded.message;
  }
  const { length } = encoded.bytes;
  return length === 0 || length > maxTypedBytes ? `Enter 1 to ${maxTypedBytes} bytes.` : null;
}

/**
 * Returns the typed bytes.
 *
 * @throws RangeError if the input is invalid.
 */
export function typedBytes(bytes: TypedBytes): Uint8Array<ArrayBuffer> {
  const encoded = encode(bytes);
  const failure = typedBytesFailure(bytes);
  if (!encoded.ok || failure !== null) {
    throw new RangeError(failure ?? undefined);
  }
  return encoded.bytes;
}

/** Converts the bytes to the other notation. Invalid input stays as it was typed. */
export function typedAs(as: TypedBytes['as'], bytes: TypedBytes): TypedBytes {
  if (as === bytes.as || typedBytesFailure(bytes) !== null) {
    return { as, typed: bytes.typed };
  }
  return { as, typed: as === 'hex' ? hexText(typedBytes(bytes)) : escapeBytes(typedBytes(bytes)) };
}

const encode = ({ as, typed }: TypedBytes) =>
  as === 'hex' ? encodePinned(typed, 'hex', 'none') : encodeEscaped(typed, 'none');
