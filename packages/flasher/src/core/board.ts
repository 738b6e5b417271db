/**
 * Types that the boards of all families report with: progress of a write, outcome of each region, final state of the
 * board. Methods that only one family has are in the family's folder.
 */
import type { BoardState } from './flash-failure.ts';
import type { FlashRange } from './region.ts';

/** Options for reading, erasing and hashing. */
export interface WorkOptions {
  readonly signal?: AbortSignal;
  /** Receives the number of bytes done so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

export type WritePhase = 'comparing' | 'writing' | 'verifying';

/** Step of carrying out a plan. `saving`: reading the data that must survive the erase. */
export type WriteStage = 'saving' | 'erasing' | 'writing';

/** Result of a region. */
export type RegionOutcome =
  /** The flash already held the bytes; nothing was written. */
  | 'same'
  | 'verified'
  /** Written, but this board or its bootloader offers no way to verify. */
  | 'unverified';

/**
 * Evidence that a region was written. `read-back`: every byte was read and compared; the value is the SHA-256 of the
 * bytes read. `crc16`: the bootloader compared it and then started the program.
 */
export interface RegionProof {
  readonly kind: 'md5' | 'sha256' | 'sha384' | 'sha512' | 'crc32' | 'crc16' | 'read-back';
  /** Lower-case hexadecimal. */
  readonly value: string;
}

export interface RegionReport extends FlashRange {
  readonly outcome: RegionOutcome;
  /** Null if `unverified`. */
  readonly proof: RegionProof | null;
}

export type WriteEvent =
  /** Sent at most every 50 ms, in addition to the first and last of a phase. */
  | {
      readonly type: 'progress';
      readonly phase: WritePhase;
      /** Bytes of all regions that are done or on their way. Never decreases. */
      readonly done: number;
      readonly total: number;
      /** Recent image bytes per second while writing; null until known. */
      readonly speed: number | null;
      /** Milliseconds left at this speed; null until known. */
      readonly remaining: number | null;
    }
  /** Comparing has finished: bytes that are the same, and bytes to write. */
  | { readonly type: 'compared'; readonly same: number; readonly toWrite: number }
  | ({ readonly type: 'region' } & RegionReport);

export interface WriteReport {
  /** `complete`, or `unverified` for a board that cannot verify. */
  readonly state: BoardState;
  readonly regions: readonly RegionReport[];
  /** Image bytes that were written, and that were already there. */
  readonly written: number;
  readonly same: number;
  /** Bytes sent to the board, including framing. */
  readonly sent: number;
  /** Milliseconds from the first comparison to the last verification. */
  readonly duration: number;
  /** Number of times that writing continued after a fault. */
  readonly repeated: number;
}
