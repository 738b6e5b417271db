/** Puts decoders to work on a port. */
import type { DecoderContent } from '@wirebench/contract/decoders';
import { CompiledDecoder } from './compiled-decoder.ts';
import { FrameConversation } from './frame-conversation.ts';
import type { FrameReader, FrameSettings } from './frame-types.ts';
import { Budget, StreamCutter } from './stream-cutter.ts';

/**
 * Prepares decoders that share a line. At each position of the stream the first one that fits wins.
 *
 * @throws DecoderError with a sentence, if a file of a decoder is missing or cannot be read.
 */
export function compile(decoders: readonly DecoderContent[], settings: FrameSettings = {}): FrameReader {
  const compiled = decoders.map((decoder) => new CompiledDecoder(decoder, settings));
  return {
    cutter(direction) {
      const budget = new Budget();
      const matchers = compiled.flatMap((one) => one.matchers(budget, direction));
      const ms = Math.max(0, ...compiled.map((one) => one.silence(direction)));
      return new StreamCutter(matchers, budget, { ms, byteTime: settings.byteTime ?? 0 });
    },
    conversation: () => new FrameConversation(compiled, settings),
  };
}

/** A port as its decoders see it. Ids of USB are those of `SerialPortInfo`. */
export interface FramePort {
  readonly usbVendorId?: number | undefined;
  readonly usbProductId?: number | undefined;
}

/** Returns true if a decoder names the adapter of this port, so that it may be offered there. */
export function isMadeFor({ when }: DecoderContent, { usbVendorId, usbProductId }: FramePort): boolean {
  const hex = (id: number | undefined) => (id ?? -1).toString(16).padStart(4, '0');
  return when.usb.some((id) => {
    const [vendor, product] = id.toLowerCase().split(':');
    return vendor === hex(usbVendorId) && (product === undefined || product === hex(usbProductId));
  });
}
