/** Encodes typed frames with ready decoders and with those that the browser keeps. Loaded when frames are typed. */
import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderContent } from '@wirebench/contract/decoders';
import { encodeFrame } from '@wirebench/frames/frame-input';
import { parseHexInput } from '@wirebench/serial';
import { type DecoderId, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import { keptDecoder } from '../../../workbench/decoders/kept-decoders.ts';
import type { EncodedOrRefused } from './send-message.ts';

/** Text of the own decoder that was checked last, and its content; null: it has faults. */
let own: { readonly text: string; readonly content: DecoderContent | null } = { text: '', content: null };

function contentOf(decoder: DecoderId): DecoderContent | null {
  if (!isOwnDecoder(decoder)) {
    return completeDecoder(libraryDecoders[decoder]);
  }
  const text = keptDecoder(decoder)?.text ?? '';
  own = own.text === text ? own : { text, content: checkDecoder(text).content };
  return own.content;
}

/** Encodes a frame, or says why there is none. */
export function encodeTypedFrame(decoder: DecoderId, text: string): EncodedOrRefused {
  const content = contentOf(decoder);
  return content === null
    ? { ok: false, message: 'The decoder of this port has faults. Tools → Decoders shows them.' }
    : encodeFrame(content, text, parseHexInput(text)?.bytes ?? null);
}
