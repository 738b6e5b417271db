/** The common interface of the ROM's loader and the stub: their context, and the outcome of a command. */
import type { EspChip } from '../chips/chip.ts';
import type { Memory } from '../memory.ts';
import type { NorFlash } from '../nor-flash.ts';
import type { EspRevision, EspRomDeflate, EspSecurity, EspStubKind } from '../options.ts';

/** The parts of the chip that a loader uses. */
export interface LoaderContext {
  readonly chip: EspChip;
  readonly revision: EspRevision;
  /** Frequency in MHz. */
  readonly crystal: number;
  readonly security: Required<EspSecurity>;
  readonly memory: Memory;
  readonly flash: NorFlash;
  readonly stubKind: EspStubKind;
  /** The way in which the ROM writes compressed data. */
  readonly romDeflate: EspRomDeflate;
  /** Behaviour of the ROM for a hash beyond the end of flash. */
  readonly hashBeyond: 'refused' | 'wrapped';
  /** `attached` is true if the flash's pins are connected to the controller, by SPI_ATTACH or by a stub's start. */
  readonly pins: { attached: boolean };
  /** Converts the clock's time to the time of the memory's accesses. */
  memoryTime(now: number): number;
  /** Encrypts data for a write at `offset`. */
  encrypt(offset: number, data: Uint8Array): Uint8Array;
}

/** Consequence of a command, after its answer. */
export type Next =
  | { readonly kind: 'rate'; readonly baudRate: number }
  | { readonly kind: 'start'; readonly entry: number }
  | { readonly kind: 'leave' }
  | { readonly kind: 'crash' };

export interface Outcome {
  /** Answers without framing, in order; empty: no answer. */
  readonly answers: readonly Uint8Array[];
  /** Earliest time of the answers, in the clock's milliseconds. */
  readonly answerAt: number;
  /** Time from which the next request is processed, in the clock's milliseconds. */
  readonly freeAt: number;
  readonly next?: Next;
  /** Continues a command that waits: called at `answerAt`, instead of answering. */
  readonly resume?: (now: number) => Outcome;
}

export interface Loader {
  /** Longest frame in bytes, without framing. */
  readonly frameCapacity: number;
  /** Input that is kept while a command is processed: a number of frames, or raw bytes in a ring of this size. */
  readonly waiting: { readonly frames: number } | { readonly ring: number };
  /** True: longer frames are truncated. False: they are dropped. */
  readonly cutsFrames: boolean;
  process(frame: Uint8Array, now: number): Outcome;
  /** Returns a failure answer without executing the command. */
  refuse(frame: Uint8Array, now: number): Outcome;
}

/** An outcome without an answer. The next request may follow at once. */
export const silent = (now: number): Outcome => ({ answers: [], answerAt: now, freeAt: now });

/** Returns the data of GET_SECURITY_INFO. Flags: esptool, `SECURITY_INFO_FLAG_MAP`. */
export function securityInfo({ chip, revision, security }: LoaderContext): Uint8Array {
  const info = new Uint8Array(chip.securityInfo === 'full' ? 20 : 12);
  const view = new DataView(info.buffer);
  view.setUint32(0, (security.secureBoot ? 1 : 0) | (security.secureDownload ? 4 : 0), true);
  const counts = { off: 0, development: 1, release: 7 };
  info[4] = counts[security.flashEncryption];
  info[5] = security.flashEncryption === 'off' ? 0 : 4;
  info[6] = security.secureBoot ? 9 : 0;
  if (chip.securityInfo === 'full') {
    // The byte behind the six key purposes, as in the recorded session.
    info[11] = 0x0c;
    view.setUint32(12, chip.imageChipId ?? 0, true);
    view.setUint32(16, revision.major === 0 ? revision.minor : revision.major * 100 + revision.minor, true);
  }
  return info;
}
