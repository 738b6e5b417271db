/** The connection of a board: the ids of its port, the link, and the effect of DTR and RTS on its chip. */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '../wire/device.ts';
import { type Link, uartLink } from '../wire/link.ts';
import type { EspConnection } from './options.ts';
import { type ChipPins, ResetCircuit } from './reset-circuit.ts';

/** The circuit or unit that turns DTR and RTS into EN and IO0, or into their effect. */
export interface ResetLines {
  readonly bootStrap: 'flash' | 'download';
  setLines(lines: ControlLines): void;
  cancel(): void;
}

/** USB ids of a CP2102 bridge, and of Espressif's USB Serial/JTAG unit. */
const bridgeIds = { usbVendorId: 0x10c4, usbProductId: 0xea60 } as const;
const usbJtagIds = { usbVendorId: 0x303a, usbProductId: 0x1001 } as const;
/** Link of USB Serial/JTAG. */
const usbLink: Link = { kind: 'usb', bytesPerSecond: 800_000 };

export function usbIdsOf(connection: EspConnection) {
  return connection === 'usb-jtag' ? usbJtagIds : bridgeIds;
}

/** Returns the link at a start. `baudRate` has no effect on USB. */
export function linkOf(connection: EspConnection, baudRate: number): Link {
  return connection === 'usb-jtag' ? usbLink : uartLink(baudRate);
}

/**
 * The control lines of a chip's own USB port. Source: ESP32-C3 Technical Reference Manual, chapter "USB Serial/JTAG
 * Controller", table "Use of CDC-ACM control lines to reset". RTS and DTR: 0 0 clears the download flag, 0 1 sets it,
 * 1 0 resets the chip, 1 1 does nothing. The flag at the reset decides the boot mode.
 */
class UsbJtagLines {
  readonly #chip: ChipPins;
  #download = false;
  #held: 'flash' | 'download' | null = null;

  constructor(chip: ChipPins) {
    this.#chip = chip;
  }

  get bootStrap(): 'flash' | 'download' {
    return this.#download ? 'download' : 'flash';
  }

  setLines({ dtr, rts }: ControlLines): void {
    if (rts && !dtr) {
      if (this.#held === null) {
        this.#held = this.bootStrap;
        this.#chip.hold();
      }
      return;
    }
    const started = this.#held;
    this.#held = null;
    if (!rts) {
      this.#download = dtr;
    }
    if (started !== null) {
      this.#chip.release(started);
    }
  }

  cancel(): void {
    this.#held = null;
    this.#download = false;
  }
}

/** Returns null if DTR and RTS have no effect. */
export function resetLinesOf(
  connection: EspConnection,
  clock: Clock,
  pins: ChipPins,
  enRiseTime?: number,
): ResetLines | null {
  if (connection === 'uart-no-reset') {
    return null;
  }
  return connection === 'uart' ? new ResetCircuit(clock, pins, enRiseTime) : new UsbJtagLines(pins);
}
