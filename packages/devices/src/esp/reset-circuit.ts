/**
 * The two transistors between a USB bridge and an ESP32, by which a host resets the chip. EN is low while RTS is
 * asserted and DTR is not. IO0 is low while DTR is asserted and RTS is not. With both or neither asserted, both pins
 * float high. Source: Espressif, "Boot Mode Selection", section "Automatic Bootloader", and the ESP32-DevKitC
 * schematic.
 */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '../wire/device.ts';

/** Milliseconds until EN has risen to the chip's threshold: 10 kΩ and 0.1 µF. */
const usualRiseTime = 1;

export interface ChipPins {
  /** Called when EN goes low: the chip halts. */
  hold(): void;
  /** Called when EN is high again and the chip has sampled IO0. */
  release(bootStrap: 'flash' | 'download'): void;
}

export class ResetCircuit {
  readonly #clock: Clock;
  readonly #chip: ChipPins;
  readonly #riseTime: number;
  #io0Low = false;
  /** True while EN is low or still rising. */
  #held = false;
  #cancelRise: (() => void) | null = null;

  constructor(clock: Clock, chip: ChipPins, riseTime = usualRiseTime) {
    this.#clock = clock;
    this.#chip = chip;
    this.#riseTime = riseTime;
  }

  /** The strap that the chip would sample at IO0 now. */
  get bootStrap(): 'flash' | 'download' {
    return this.#io0Low ? 'download' : 'flash';
  }

  setLines({ dtr, rts }: ControlLines): void {
    const enLow = rts && !dtr;
    this.#io0Low = dtr && !rts;
    if (enLow) {
      this.#cancelRise?.();
      this.#cancelRise = null;
      if (!this.#held) {
        this.#held = true;
        this.#chip.hold();
      }
    } else if (this.#held && this.#cancelRise === null) {
      this.#cancelRise = this.#clock.schedule(this.#riseTime, () => {
        this.#cancelRise = null;
        this.#held = false;
        this.#chip.release(this.bootStrap);
      });
    }
  }

  /** Cancels a pending start because the board has lost its power. */
  cancel(): void {
    this.#cancelRise?.();
    this.#cancelRise = null;
  }
}
