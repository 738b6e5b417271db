/**
 * What the boards of all families report: how far a write is, what became of each region, in what state the board is left. Types
 * only. What else the board of a family can do is in the family's folder.
 */
import type { BoardState } from './flash-failure.ts';
import type { FlashRange } from './region.ts';

/** What reading, erasing and hashing take. */
export interface WorkOptions {
  readonly signal?: AbortSignal;
  /** Bytes done so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

export type WritePhase = 'comparing' | 'writing' | 'verifying';

/** What became of a region. */
export type RegionOutcome =
  /** It was there already; nothing was written. */
  | 'same'
  /** Written, and proven to be there. */
  | 'verified'
  /** Written; this board, or its bootloader, cannot be asked for proof. */
  | 'unverified';

/**
 * How a region was proven. `read-back`: every byte was read and compared; its value is the SHA-256 of what was read. `crc16`: the
 * bootloader compared it and then started the program.
 */
export interface RegionProof {
  readonly kind: 'md5' | 'sha256' | 'sha384' | 'sha512' | 'crc32' | 'crc16' | 'read-back';
  /** Lower-case hexadecimal. */
  readonly value: string;
}

export interface RegionReport extends FlashRange {
  readonly outcome: RegionOutcome;
  /** Null when `unverified`. */
  readonly proof: RegionProof | null;
}

export type WriteEvent =
  /** At most one each 50 ms, besides the first and the last of a phase. */
  | {
      readonly type: 'progress';
      readonly phase: WritePhase;
      /** Of the bytes of all regions: those that are done, plus those on their way. Never goes backwards. */
      readonly done: number;
      readonly total: number;
      /** Recent image bytes per second, while writing; null until that is known. */
      readonly speed: number | null;
      /** Milliseconds left at this speed; null until that is known. */
      readonly remaining: number | null;
    }
  /** Comparing is over: what is to be written. */
  | { readonly type: 'compared'; readonly same: number; readonly toWrite: number }
  | ({ readonly type: 'region' } & RegionReport);

export interface WriteReport {
  /** `complete`, or `unverified` on a board that cannot be asked. */
  readonly state: BoardState;
  readonly regions: readonly RegionReport[];
  /** Image bytes that were written, and that were there already. */
  readonly written: number;
  readonly same: number;
  /** Bytes that went to the board, framing included. */
  readonly sent: number;
  /** Milliseconds from the first comparison to the last proof. */
  readonly duration: number;
  /** How often writing had to continue after a fault. */
  readonly repeated: number;
}
