/** Trials: a decoder that a person builds, tried on what a port has received and sent. */
import type { DecoderDraft } from '@wirebench/contract/decoders';
import type { ChecksumSearch, FramingChoice, FramingDraft, FramingGuess, TrialCounts } from '@wirebench/frames/guess';
import type { PortNumber } from '@wirebench/serial';
import type { BenchPart } from './fact.ts';

/** Calls for trials. They look at the newest bytes that the log holds, as far as `@wirebench/frames/guess` does. */
export interface TrialCalls {
  /** Guesses how received bytes are cut into frames: the best of each kind, the likeliest first. */
  guessFramings(port: PortNumber): readonly FramingGuess[];
  /** Counts what one framing gives. */
  countFraming(port: PortNumber, choice: FramingChoice, framing: FramingDraft): FramingGuess;
  /** Decodes the newest bytes. Rejects without a change to the log. */
  tryDecoder(port: PortNumber, draft: TrialDraft, wanted: WantedTrialFrame | null): TriedDecoder;
  /**
   * Shows the log with a decoder until `endTrial`. If it cuts as the one before, held frames change too.
   *
   * @param before Decoder that the port has; null: none, or one that is not known.
   * @returns One sentence for each fault. With a fault, the log stays as it was.
   */
  applyDecoder(port: PortNumber, draft: TrialDraft, before: DecoderDraft | null): readonly string[];
  /** @param place Bytes of a frame that are its checksum; null: they are looked for. */
  searchChecksums(port: PortNumber, draft: TrialDraft, place: TrialPlace | null): ChecksumSearch;
  /** @param isKept True: the decoder stays. False: the log has its former decoder again. */
  endTrial(port: PortNumber, isKept: boolean): void;
}

export const trialPart = {
  quiet: ['guessFramings', 'countFraming', 'tryDecoder', 'endTrial'],
  facts: {},
} satisfies BenchPart<TrialCalls>;

/** A decoder with the files that it names, as far as the page has them. */
export interface TrialDraft {
  readonly content: DecoderDraft;
  /** By SHA-256 in hex digits. Those of the product are left out. */
  readonly files: ReadonlyMap<string, Blob>;
}

/** A frame as the log has it. */
export interface WantedTrialFrame {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Bytes of the content of a frame. */
interface TrialPlace {
  readonly from: number;
  readonly to: number;
  /** Length of the content. */
  readonly length: number;
}

export interface TriedDecoder {
  /** One sentence for each fault. With one, nothing was decoded. */
  readonly faults: readonly string[];
  readonly counts: TrialCounts | null;
  /** The newest ones, oldest first. */
  readonly frames: readonly TriedFrame[];
  /** The wanted frame, if the decoder cuts it. */
  readonly wanted: TriedFrame | null;
}

export interface TriedFrame {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly direction: 'received' | 'sent';
  readonly isBroken: boolean;
  readonly message: string;
  readonly sentence: string;
  /** Bytes as they came. */
  readonly bytes: Uint8Array;
  /** Bytes without escapes and line ends. */
  readonly content: Uint8Array;
  /** Offset in `bytes` of each byte of the content, and of its end. */
  readonly offsets: readonly number[];
  readonly fields: readonly TriedField[];
}

export interface TriedField {
  readonly name: string;
  /** Bytes of the content. */
  readonly from: number;
  readonly to: number;
  /** Value with its unit and its name; empty for a field without a value. */
  readonly text: string;
  /** Register or bits in words; empty for a protocol that names none. */
  readonly place: string;
}
