/** Options of a simulated Pico: chip, content, programs, ways in, faults. */
import type { Clock } from '@wirebench/clock';
import type { MicroPythonBoard } from '../micropython/micropython-board.ts';
import type { SimulatedSerial } from '../port/simulated-serial.ts';
import type { SimulatedUsb } from '../usb/simulated-usb.ts';
import type { Pace } from '../wire/wire.ts';
import type { ChipName } from './chip/rp-chip.ts';
import type { DriveOptions } from './drive/drive-handles.ts';
import type { RpFault } from './faults.ts';
import type { RomRevision } from './rom/rp2040-rom.ts';
import type { WhiteLabel } from './rom/rp2350-rom.ts';

/**
 * Timing of the flash. `instant-flash`: no time. `real-flash`: typical times of a W25Q16JV. `slow-flash`: its maximum
 * times.
 */
export type RpProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

export interface RpBoardOptions {
  /** Default `rp2040`. */
  readonly chip?: ChipName;
  /** USB ids and texts of a maker's RP2350. Default: Raspberry Pi's. */
  readonly whiteLabel?: WhiteLabel;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** `none`: packets take no time. Default `wire`: full speed. */
  readonly pace?: Pace;
  /** Default `instant-flash`. */
  readonly profile?: RpProfile;
  /** Bytes, a power of two. Default 2 MiB, on an RP2350 4 MiB. */
  readonly flashSize?: number;
  /** Initial content of the flash. `factory`: an SDK program that says hello. Default `factory`. */
  readonly content?: 'factory' | 'empty' | readonly { readonly offset: number; readonly data: Uint8Array }[];
  /** Revision of an RP2040. Default `B2`. */
  readonly revision?: RomRevision;
  /** True: BOOTSEL is held when the board gets power. Default false. */
  readonly bootsel?: boolean;
  /** `uart`: the program's output is on a UART behind an adapter, and nothing of it on USB. Default `usb`. */
  readonly connection?: 'usb' | 'uart';
  /** Interpreter of programs of the kind `micropython`. Without it they print their text. */
  readonly micropython?: MicroPythonBoard;
  /** True: no driver that a browser can use is bound to PICOBOOT's interface, as on Windows. Default false. */
  readonly isHeld?: boolean;
  readonly drive?: Partial<DriveOptions>;
  /** Bus of the device. Default: a new one. */
  readonly usb?: SimulatedUsb;
  /** Registry of the program's port. Default: a new one. */
  readonly serial?: SimulatedSerial;
  /** False: the page has to request device and port. Default true. */
  readonly permission?: boolean;
  /** Milliseconds until a system has enumerated a device that appears. Default 300. */
  readonly reenumerate?: number;
  /** Sectors whose erase, and pages whose programming, leaves them as they are. Offsets in bytes. */
  readonly worn?: readonly { readonly at: 'erase' | 'program'; readonly offset: number }[];
  readonly faults?: readonly RpFault[];
  /** Seed of the remains of interrupted flash operations. Default 1. */
  readonly seed?: number;
}
