/** What the ROM's loader and the stub have in common: what they work on, and how an outcome is reported. */
import type { EspChip } from '../chips/chip.ts';
import type { Memory } from '../memory.ts';
import type { NorFlash } from '../nor-flash.ts';
import type { EspRevision, EspRomDeflate, EspSecurity, EspStubKind } from '../options.ts';

/** What a loader finds on its chip. */
export interface LoaderContext {
  readonly chip: EspChip;
  readonly revision: EspRevision;
  /** MHz. */
  readonly crystal: number;
  readonly security: Required<EspSecurity>;
  readonly memory: Memory;
  readonly flash: NorFlash;
  readonly stubKind: EspStubKind;
  /** How the ROM writes compressed data. */
  readonly romDeflate: EspRomDeflate;
  /** What the ROM makes of a hash of what is behind the end of flash. */
  readonly hashBeyond: 'refused' | 'wrapped';
  /** The flash's pins are connected to the controller: by SPI_ATTACH, or by a stub's start. */
  readonly pins: { attached: boolean };
  /** The time of the memory's accesses, for one of the clock. */
  memoryTime(now: number): number;
  /** As an encrypted write does, in place. */
  encrypt(offset: number, data: Uint8Array): Uint8Array;
}

/** What becomes of the chip after an answer. */
export type Next =
  | { readonly kind: 'rate'; readonly baudRate: number }
  | { readonly kind: 'start'; readonly entry: number }
  | { readonly kind: 'leave' }
  | { readonly kind: 'crash' };

export interface Outcome {
  /** Frames without framing, in order; none: nothing is said. */
  readonly answers: readonly Uint8Array[];
  /** Not before this time, in the clock's milliseconds. */
  readonly answerAt: number;
  /** The next request is looked at from this time on. */
  readonly freeAt: number;
  readonly next?: Next;
  /** The command is not over: it goes on at `answerAt`, and this is what becomes of it then. */
  readonly resume?: (now: number) => Outcome;
}

export interface Loader {
  /** Most bytes of a frame. */
  readonly frameCapacity: number;
  /** What waits while a command is dealt with: so many frames, or the raw bytes in a ring of so many bytes. */
  readonly waiting: { readonly frames: number } | { readonly ring: number };
  /** Longer frames are cut at the capacity instead of passed over. */
  readonly cutsFrames: boolean;
  process(frame: Uint8Array, now: number): Outcome;
  /** The answer of a chip on which something went wrong, without doing anything. */
  refuse(frame: Uint8Array, now: number): Outcome;
}

/** Nothing is said, and the next request may come at once. */
export const silent = (now: number): Outcome => ({ answers: [], answerAt: now, freeAt: now });

/** GET_SECURITY_INFO's data. Flags: esptool, `SECURITY_INFO_FLAG_MAP`. */
export function securityInfo({ chip, revision, security }: LoaderContext): Uint8Array {
  const info = new Uint8Array(chip.securityInfo === 'full' ? 20 : 12);
  const view = new DataView(info.buffer);
  view.setUint32(0, (security.secureBoot ? 1 : 0) | (security.secureDownload ? 4 : 0), true);
  const counts = { off: 0, development: 1, release: 7 };
  info[4] = counts[security.flashEncryption];
  info[5] = security.flashEncryption === 'off' ? 0 : 4;
  info[6] = security.secureBoot ? 9 : 0;
  if (chip.securityInfo === 'full') {
    // What was behind the six purposes in the recorded session.
    info[11] = 0x0c;
    view.setUint32(12, chip.imageChipId ?? 0, true);
    view.setUint32(16, revision.major === 0 ? revision.minor : revision.major * 100 + revision.minor, true);
  }
  return info;
}
