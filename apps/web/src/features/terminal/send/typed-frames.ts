/**
 * Frames that are typed for the decoder of a port. Their code and the decoders are loaded when frames are typed for the first
 * time.
 */
import { useEffect } from 'react';
import { pageStore } from '../../../shared/page-store.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { LOAD_FAILED } from '../../../shared/ui/use-loaded.ts';
import { type DecoderId, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import type { EncodedOrRefused } from './send-message.ts';

/** Ready decoders whose frames can be typed: in words, as a sentence, or as bytes that get a checksum. */
const typeable: ReadonlySet<DecoderId> = new Set(['modbus', 'nmea', 'ubx']);

/** Returns true if frames may be typed for a decoder. One of a person's own says later if it has no checksum. */
export const hasTypedFrames = (decoder: DecoderId | null): boolean =>
  decoder !== null && (typeable.has(decoder) || isOwnDecoder(decoder));

type Typing = typeof import('./typed-frames.lazy.ts');

const loaded = pageStore<{ readonly typing: Typing | null }>({ typing: null });

let loading: Promise<Typing> | null = null;

/** Hint in an empty field. An own decoder has that of its steps once the code is loaded. */
export function frameHint(decoder: DecoderId | null): string {
  const steps: readonly unknown[] = (decoder && loaded.getState().typing?.typingFor(decoder)?.steps) ?? [decoder];
  return steps.includes('nmea')
    ? 'GPGLL,4916.45,N'
    : steps.includes('modbus')
      ? '7 read 4 from 0, or bytes'
      : 'Bytes of a frame';
}

/** Loads the code. A failure is said, and the next call tries again. */
async function load(): Promise<void> {
  loading ??= import('./typed-frames.lazy.ts');
  try {
    loaded.setState({ typing: await loading });
  } catch (error) {
    loading = null;
    toast(LOAD_FAILED, { level: 'error' });
    throw error;
  }
}

/** Calls `act` once typed frames can be encoded, if they cannot yet. Returns false if they can. */
export function whenFramesLoad(act: () => void): boolean {
  if (loaded.getState().typing !== null) {
    return false;
  }
  load().then(act, () => undefined);
  return true;
}

/** Encodes a frame for the decoder of a port, or says why there is none. */
export function encodeFrameFor(decoder: DecoderId | null, text: string): EncodedOrRefused {
  if (decoder === null || !hasTypedFrames(decoder)) {
    return {
      ok: false,
      message: 'Frames can be typed for Modbus, NMEA, UBX and your own decoders. Choose one under Frames.',
    };
  }
  const { typing } = loaded.getState();
  return typing === null
    ? { ok: false, message: 'The decoder is still being loaded. Try again in a moment.' }
    : typing.encodeTypedFrame(decoder, text);
}

/** Returns the frame of a text that is typed; null: it is not typed as a frame, or cannot be encoded yet. */
export function useTypedFrame(decoder: DecoderId | null, text: string, isWanted: boolean): EncodedOrRefused | null {
  const isLoaded = loaded.use(({ typing }) => typing !== null);
  useEffect(() => {
    if (isWanted && !isLoaded) {
      load().catch(() => undefined);
    }
  }, [isWanted, isLoaded]);
  return isWanted && isLoaded && text !== '' ? encodeFrameFor(decoder, text) : null;
}
