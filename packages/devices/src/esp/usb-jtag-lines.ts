/**
 * The control lines of a chip's own USB port. Source: ESP32-C3 Technical Reference Manual, chapter "USB Serial/JTAG
 * Controller", table "Use of CDC-ACM control lines to reset". RTS and DTR: 0 0 clears the download flag, 0 1 sets it,
 * 1 0 resets the chip, 1 1 does nothing. The flag at the reset decides the boot mode.
 */

import type { ControlLines } from '../wire/device.ts';
import type { ChipPins } from './reset-circuit.ts';

export class UsbJtagLines {
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
