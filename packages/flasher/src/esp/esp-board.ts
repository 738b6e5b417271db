/**
 * Interface of one connected Espressif board: read, write, verify, restart, close. Types only; `connect-esp.ts`
 * creates one.
 */
import type { Clock } from '@wirebench/clock';
import type { WorkOptions, WriteEvent, WriteReport } from '../core/board.ts';
import type { FlashRange, FlashRegion } from '../core/region.ts';
import type { ChipName } from './chips/chip-facts.ts';
import type { EfuseWords } from './efuse/read-efuses.ts';
import type { EspInfo } from './esp-info.ts';
import type { FlashAbility } from './flash-ability.ts';

/**
 * Steps of a connection in their order. Steps that a board does not need are left out. A second attempt repeats them.
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

/** Events that a person should know about although the work continues. */
export type EspNotice =
  /** The wanted rate was refused or did not work; the board runs at `baudRate` instead. */
  | { readonly kind: 'baud-fell-back'; readonly wanted: number; readonly baudRate: number }
  /** The stub is not used, because of this chip or its state. */
  | { readonly kind: 'without-stub'; readonly reason: 'secure-download' | 'chip-revision' | 'chosen' | 'failed' }
  /** Data was damaged on the way, or the board stopped answering. Writing continues at `offset`. */
  | { readonly kind: 'region-repeated'; readonly offset: number; readonly attempt: number }
  /**
   * The flash chip does not report its size. It is unknown if this range after the last region is flash, and if it is
   * unchanged.
   */
  | { readonly kind: 'neighbours-unchecked'; readonly offset: number; readonly length: number }
  /** The board was reset and connected again during a write. */
  | { readonly kind: 'reconnected' };

export interface EspConnectOptions {
  readonly clock: Clock;
  /** Aborting ends the current work at once; it rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /** Rate for flashing in baud; default 921,600. Falls back automatically. Ignored on a chip's own USB port. */
  readonly baudRate?: number;
  /**
   * `buttons`: a person puts the board into its bootloader; the control lines are released once and not used
   * otherwise.
   */
  readonly entry?: 'automatic' | 'buttons';
  /** False: use the ROM alone, which is slower and cannot erase. */
  readonly stub?: boolean;
  /** Base MAC address of the expected board. Any other is refused with `other-board`. */
  readonly expectedMac?: string;
  /**
   * For a chip on its own USB port that vanishes at its reset and comes back as another port: resolves with that
   * port. Without it, or after a timeout, the connection fails with `came-back-different`.
   */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  /**
   * True: if the connection fails or is cancelled after a reset, restart the board's own program before the port is
   * closed. Not possible with `buttons`. False: the board may stay in its bootloader.
   */
  readonly bringBack?: boolean;
  readonly onStep?: (step: EspConnectStep) => void;
  readonly onNotice?: (notice: EspNotice) => void;
  /** Receives the board's output outside of the protocol as raw bytes, such as a boot log or a crash. */
  readonly onText?: (bytes: Uint8Array) => void;
}

export interface EspWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /** Chip that the firmware was built for. Any other is refused with `wrong-chip` before anything is erased. */
  readonly chip?: ChipName;
  /** True: a person has confirmed that the bytes are meant for a board with flash encryption or secure boot. */
  readonly secured?: boolean;
  /** False: write all regions without comparing hashes first, for example after an erase. */
  readonly compare?: boolean;
  /**
   * MD5 of regions that the board has returned since it was connected, and since flash was changed last. They are not
   * asked for again.
   */
  readonly known?: ReadonlyMap<FlashRegion, string>;
}

/**
 * A connected board. One call at a time: a second call while the first runs, and any call after `restart`, rejects
 * with an InvalidStateError. Every method rejects with an `EspError`. After `unplugged` and `stopped-answering` the
 * board has to be closed.
 */
export interface EspBoard {
  readonly info: EspInfo;
  /** Current rate of the port in baud. */
  readonly baudRate: number;
  readonly runsStub: boolean;
  /** Abilities of the stub or the ROM that answers. */
  readonly ability: FlashAbility;
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;

  /**
   * Returns the MD5 of a range of flash as 32 lower-case hexadecimal digits.
   *
   * @throws EspError `secure-download`, or `not-in-rom` (ESP8266), if the board cannot hash.
   */
  md5(range: FlashRange, options?: WorkOptions): Promise<string>;
  /**
   * Reads the eFuses through registers. Nothing is written.
   *
   * @throws EspError `secure-download` if the chip refuses, `not-in-rom` for the ESP8266.
   */
  efuses(options?: Pick<WorkOptions, 'signal'>): Promise<EfuseWords>;
  /** Reads flash and checks it by its hash. Takes about ten times as long without the stub. */
  read(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** Erases whole sectors: offset and length are multiples of 4,096 bytes. Needs the stub. */
  erase(range: FlashRange, options?: WorkOptions): Promise<void>;
  /** Erases the whole flash chip, which may take more than half a minute. Needs the stub. */
  eraseAll(options?: WorkOptions): Promise<void>;
  /**
   * Writes `regions`: compares the hash of each, writes those that differ, and verifies all of them. Impossible
   * writes are refused before anything is erased. After a fault, connect the same board again and repeat the call: it
   * writes only the rest.
   */
  write(regions: readonly FlashRegion[], options?: EspWriteOptions): Promise<WriteReport>;
  /** Starts the board's program by a pulse on EN. `onText` receives its output until the board is closed. */
  restart(): Promise<void>;
  /** Closes the port. The board stays in its bootloader unless it was restarted. Never rejects. */
  close(): Promise<void>;
}
