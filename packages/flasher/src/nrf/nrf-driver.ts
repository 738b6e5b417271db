/** Interface of the three bootloaders' drivers. Types only. */
import type { RegionOutcome, RegionProof } from '../core/board.ts';
import type { NrfInfo, NrfWriteOptions } from './nrf-board.ts';
import type { NrfFirmware, NrfImage } from './package/nrf-firmware.ts';

export interface ImageWork {
  readonly signal: AbortSignal;
  /** True: no image follows, so the application may start. */
  readonly isLast: boolean;
  readonly activate: NonNullable<NrfWriteOptions['activate']>;
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

export interface NrfDriver {
  readonly info: NrfInfo;
  readonly formats: readonly NrfFirmware['format'][];
  /** Returns the images that are already on the board, each with its proof. They need not be written. */
  present(images: readonly NrfImage[], signal: AbortSignal): Promise<ReadonlyMap<NrfImage, RegionProof | null>>;
  /** @throws NrfError, PortError, the reason of the signal. */
  write(image: NrfImage, work: ImageWork): Promise<ImageResult>;
  /** Waits, after an image that others follow, until the bootloader listens again. */
  awaitNext(signal: AbortSignal): Promise<void>;
  /** Starts the application, as far as this bootloader supports that. */
  restart(signal: AbortSignal): Promise<void>;
}
