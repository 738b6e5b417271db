/** Encodes typed frames with ready decoders and with those that the browser keeps. Loaded when frames are typed. */
import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderContent, type DecoderStep } from '@wirebench/contract/decoders';
import { type FrameEncoder, frameEncoder } from '@wirebench/frames/frame-input';
import { parseHexInput } from '@wirebench/serial';
import { type DecoderId, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import { keptDecoder } from '../../../workbench/decoders/kept-decoders.ts';
import type { EncodedOrRefused } from './send-message.ts';

interface Typing {
  readonly encode: FrameEncoder;
  readonly steps: readonly DecoderStep[];
}

/** Encoders of the ready decoders. */
const ready = new Map<DecoderId, Typing>();
/** Text of the own decoder that was typed for last, and its encoder; null: it has faults. */
let own: { readonly text: string; readonly typing: Typing | null } = { text: '', typing: null };

const typingOf = (content: DecoderContent): Typing => ({ encode: frameEncoder(content), steps: content.steps });

/** Returns the encoder and the steps of a decoder, made once for each content; null: it has faults. */
export function typingFor(decoder: DecoderId): Typing | null {
  if (!isOwnDecoder(decoder)) {
    const typing = ready.get(decoder) ?? typingOf(completeDecoder(libraryDecoders[decoder]));
    ready.set(decoder, typing);
    return typing;
  }
  const text = keptDecoder(decoder)?.text ?? '';
  if (own.text !== text) {
    const { content } = checkDecoder(text);
    own = { text, typing: content === null ? null : typingOf(content) };
  }
  return own.typing;
}

/** Encodes a frame, or says why there is none. */
export function encodeTypedFrame(decoder: DecoderId, text: string): EncodedOrRefused {
  return (
    typingFor(decoder)?.encode(text, parseHexInput(text)?.bytes ?? null) ?? {
      ok: false,
      message: 'The decoder of this port has faults. Tools → Decoders shows them.',
    }
  );
}
