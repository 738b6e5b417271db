/** Interface of the three bootloaders' drivers. Types only. */
import type { RegionOutcome, RegionProof } from '../core/board.ts';
import type { NordicInfo, NordicWriteOptions } from './nordic-board.ts';
import type { NordicFirmware, NordicImage } from './package/nordic-firmware.ts';

export interface ImageWork {
  readonly signal: AbortSignal;
  /** True: no image follows, so the application may start. */
  readonly isLast: boolean;
  readonly activate: NonNullable<NordicWriteOptions['activate']>;
  /** Receives the bytes of the image that are on the board or on their way. May decrease after a fault. */
  readonly onProgress: (done: number) => void;
  /** Called when everything is sent and verification begins. */
  readonly onVerifying: () => void;
  /** Called before the board is changed. */
  readonly onTouched: () => void;
  /** Called when writing continues after a fault. */
  readonly onRepeated: () => void;
}

export interface ImageResult {
  readonly outcome: RegionOutcome;
  readonly proof: RegionProof | null;
  /** Bytes that the board already had from an interrupted write. */
  readonly resumed: number;
}

export interface NordicDriver {
  readonly info: NordicInfo;
  readonly formats: readonly NordicFirmware['format'][];
  /** Returns the images that are already on the board, each with its proof. They need not be written. */
  present(images: readonly NordicImage[], signal: AbortSignal): Promise<ReadonlyMap<NordicImage, RegionProof | null>>;
  /** @throws NordicError, PortError, the reason of the signal. */
  write(image: NordicImage, work: ImageWork): Promise<ImageResult>;
  /** Waits, after an image that others follow, until the bootloader listens again. */
  awaitNext(signal: AbortSignal): Promise<void>;
  /** Starts the application, as far as this bootloader supports that. */
  restart(signal: AbortSignal): Promise<void>;
}
