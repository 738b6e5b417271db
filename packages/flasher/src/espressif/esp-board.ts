/**
 * The client of one Espressif board, as a page or a program sees it: connect, look, write, verify, restart, close.
 * Types only; `connect-esp.ts` makes one.
 */
import type { Clock } from '@wirebench/clock';
import type { WorkOptions, WriteEvent, WriteReport } from '../core/board.ts';
import type { FlashRange, FlashRegion } from '../core/region.ts';
import type { ChipName } from './chips/chip-facts.ts';
import type { EspInfo } from './esp-info.ts';

/**
 * Where a connection is, in the order in which it gets there. Steps that a board does not need are left out; a second attempt
 * goes through them again.
 */
export type EspConnectStep =
  | 'opening'
  | 'resetting'
  | 'synchronising'
  | 'identifying'
  | 'changing-baud-rate'
  | 'uploading-stub'
  | 'reading-flash-chip'
  | 'ready';

/** What a person should know though it stops nothing. */
export type EspNotice =
  /** The rate was refused or did not work; the board is used at `baudRate` instead. */
  | { readonly kind: 'baud-fell-back'; readonly wanted: number; readonly baudRate: number }
  /** The stub is not used: this chip, or its state, does not allow it. */
  | { readonly kind: 'without-stub'; readonly reason: 'secure-download' | 'chip-revision' | 'chosen' | 'failed' }
  /** Something did not arrive as sent, or the board stopped answering; writing is taken up again at `offset`. */
  | { readonly kind: 'region-repeated'; readonly offset: number; readonly attempt: number }
  /** The flash chip does not tell its size: whether this range behind the last region is flash, and is what it was, is not known. */
  | { readonly kind: 'neighbours-unchecked'; readonly offset: number; readonly length: number }
  /** The board was reset and connected again in the middle of a write. */
  | { readonly kind: 'reconnected' };

export interface EspConnectOptions {
  readonly clock: Clock;
  /** Aborting ends at once whatever goes on, and rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /** Rate to flash at, in baud; 921,600 when left out. Falls back by itself. Does not matter on a chip's own USB port. */
  readonly baudRate?: number;
  /** `buttons`: a person puts the board into its bootloader; the control lines are let go of, and else left alone. */
  readonly entry?: 'automatic' | 'buttons';
  /** False: work with the ROM alone. Slower, and without erasing. */
  readonly stub?: boolean;
  /** Base MAC of the board that was being written: any other is refused with `other-board`. */
  readonly expectedMac?: string;
  /**
   * Where a chip on its own USB port vanishes at its reset and comes back as another port: resolves with that port, if this
   * page may use it. Without this, or when nothing comes back in time, the connection ends with `came-back-different`.
   */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  /**
   * Where the connection fails after the board was reset, or is cancelled then, resets it into its own program before the port is
   * closed; with `buttons` no line could. Without this it may stay in its bootloader.
   */
  readonly bringBack?: boolean;
  readonly onStep?: (step: EspConnectStep) => void;
  readonly onNotice?: (notice: EspNotice) => void;
  /** What the board prints outside of the protocol: the boot log, a crash. The bytes as they came. */
  readonly onText?: (bytes: Uint8Array) => void;
}

export interface EspWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /** Chip that the firmware was built for: any other is refused with `wrong-chip` before anything is erased. */
  readonly chip?: ChipName;
  /** The person has confirmed that the bytes are meant for a board with flash encryption or secure boot. */
  readonly secured?: boolean;
  /** False: write all regions without asking for their hashes first, as after erasing. */
  readonly compare?: boolean;
}

/**
 * A connected board. One call at a time: a second one while the first runs, and any after `restart`, rejects with an
 * InvalidStateError. Every method rejects with a `EspError`; after `unplugged` and `stopped-answering` the board has to be closed.
 */
export interface EspBoard {
  readonly info: EspInfo;
  /** As it is now. */
  readonly baudRate: number;
  readonly runsStub: boolean;
  /** Aborts when the board is gone, or closed. */
  readonly over: AbortSignal;

  /** MD5 of a stretch of flash: 32 lower-case hexadecimal digits. `secure-download`, `not-in-rom` (ESP8266) where it cannot. */
  md5(range: FlashRange, options?: WorkOptions): Promise<string>;
  /** Reads flash, checked by its hash. Without the stub this takes about ten times as long. */
  read(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** Erases whole sectors: offset and length are multiples of 4,096. Needs the stub. */
  erase(range: FlashRange, options?: WorkOptions): Promise<void>;
  /** Erases all of the flash chip; can take half a minute and more. Needs the stub. */
  eraseAll(options?: WorkOptions): Promise<void>;
  /**
   * Makes flash hold `regions`: asks for the hash of each, writes those that differ, and verifies every one. Refuses what
   * cannot go well before anything is erased. After a fault the same call, on the same board connected again, writes only
   * what is left.
   */
  write(regions: readonly FlashRegion[], options?: EspWriteOptions): Promise<WriteReport>;
  /** Lets the board start its program, by a pulse on EN; what it prints goes to `onText` until it is closed. */
  restart(): Promise<void>;
  /** Lets go of the port. The board stays in its bootloader unless it was restarted. Never rejects. */
  close(): Promise<void>;
}
