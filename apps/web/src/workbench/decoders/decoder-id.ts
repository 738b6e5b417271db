/** Ids of decoders that a port may have. Apart from the decoders, which are loaded when one is chosen. */
import { type ReadyDecoder, readyDecoderNamed } from '@wirebench/frames/ready-decoders';

/** A decoder that this browser keeps (`kept-decoders.ts`). */
export type OwnDecoderId = `own:${string}`;
export type DecoderId = ReadyDecoder | OwnDecoderId;

/** Returns the id of a ready decoder or of a kept one; null if `value` is neither. */
export function decoderIdOf(value: unknown): DecoderId | null {
  return isOwnDecoder(value) ? value : readyDecoderNamed(value);
}

export function isOwnDecoder(value: unknown): value is OwnDecoderId {
  return typeof value === 'string' && /^own:[\w-]{1,64}$/.test(value);
}
