/** What the three bootloaders have in common for the board that drives them. Only types. */
import type { RegionOutcome, RegionProof } from '../core/board.ts';
import type { NordicInfo, NordicWriteOptions } from './nordic-board.ts';
import type { NordicFirmware, NordicImage } from './package/nordic-firmware.ts';

export interface ImageWork {
  readonly signal: AbortSignal;
  /** Nothing follows: the application may start. */
  readonly isLast: boolean;
  readonly activate: NonNullable<NordicWriteOptions['activate']>;
  /** Bytes of the image that are on the board, or on their way; may go backwards after a fault. */
  readonly onProgress: (done: number) => void;
  /** All is sent; from here on it is about proof. */
  readonly onVerifying: () => void;
  /** From here on the board is no longer as it was. */
  readonly onTouched: () => void;
  /** Writing was taken up again after a fault. */
  readonly onRepeated: () => void;
}

export interface ImageResult {
  readonly outcome: RegionOutcome;
  readonly proof: RegionProof | null;
  /** Bytes that the board had before, from a write that was cut off. */
  readonly resumed: number;
}

export interface NordicDriver {
  readonly info: NordicInfo;
  readonly formats: readonly NordicFirmware['format'][];
  /** Those that are there already and need not be written, each with what proves it. */
  present(images: readonly NordicImage[], signal: AbortSignal): Promise<ReadonlyMap<NordicImage, RegionProof | null>>;
  /** @throws NordicError, PortError, the reason of the signal. */
  write(image: NordicImage, work: ImageWork): Promise<ImageResult>;
  /** After an image that others follow: until the bootloader listens again. */
  awaitNext(signal: AbortSignal): Promise<void>;
  /** Lets the application start, as far as this bootloader can be told to. */
  restart(signal: AbortSignal): Promise<void>;
}
