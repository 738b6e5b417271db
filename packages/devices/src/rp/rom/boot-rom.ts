/** The parts that the boot ROMs of both chips share: what they need of the chip, and what the chip needs of them. */
import type { Clock } from '@wirebench/clock';
import type { Memories } from '../chip/memories.ts';
import type { SpiFlash } from '../chip/spi-flash.ts';
import type { BootDevice } from './boot-device.ts';
import type { FlashLink, RomTimes } from './tasks.ts';

/**
 * A request to the watchdog. `normal`: the usual start. `jump`: to an address. `bootsel`: to the USB boot. `ram-image`:
 * to an image in RAM.
 */
export type RebootRequest =
  | { readonly kind: 'normal' | 'bootsel'; readonly delay: number }
  | { readonly kind: 'jump'; readonly pc: number; readonly sp: number; readonly delay: number }
  | { readonly kind: 'ram-image'; readonly address: number; readonly delay: number };

export interface RomContext {
  readonly clock: Clock;
  readonly memories: Memories;
  readonly flash: SpiFlash;
  readonly link: FlashLink;
  readonly times: RomTimes;
  /** Milliseconds by which the ROM's work may run ahead of the clock. */
  readonly slack: number;
  /** The chip's timer, in microseconds. */
  timer(): number;
  /** True from a REBOOT until the restart. */
  isRebooting(): boolean;
  reboot(request: RebootRequest): void;
}

/** One visit to the USB boot. */
export interface BootRom {
  readonly device: BootDevice;
  /** The chip is reset or loses its supply. */
  stop(): void;
}
