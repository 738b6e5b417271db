/**
 * Clock gates and resets of peripherals. One register has an enable bit for each clock, another a bit that holds a
 * peripheral in reset. The registers of a peripheral without a clock or in reset read 0 and ignore writes. ESP32
 * Technical Reference Manual, section 5.3.3 "DPORT_PERIP_CLK_EN_REG"; ESP32-C3, section 16.4
 * "SYSTEM_PERIP_CLK_EN0_REG".
 */
import type { Memory, RegisterBlock } from '../memory.ts';

export interface GateLayout {
  readonly enable: number;
  readonly reset: number;
}

/** Bits of both registers, equal on both chips. */
export const gateBit = {
  uart1: 5,
  spi2: 6,
  i2c0: 7,
  rmt: 9,
  pcnt: 10,
  ledc: 11,
  uartMemory: 24,
  converter: 28,
} as const;

/** Both chips' enable register after a reset: timers, flash, UARTs and SPI2 have a clock. */
const resetWord = 0xf9c1e06f;

/** A peripheral behind a gate. */
interface Gated extends RegisterBlock {
  /** Restores the state after a reset. */
  reset(): void;
}

export class ClockGates {
  #enable = resetWord;
  #reset = 0;
  readonly #resets: { readonly bit: number; readonly reset: () => void }[] = [];

  constructor(memory: Memory, layout: GateLayout) {
    memory.attach(layout.enable, {
      read: () => this.#enable,
      write: (value) => {
        this.#enable = value;
      },
    });
    memory.attach(layout.reset, {
      read: () => this.#reset,
      write: (value) => {
        const begun = value & ~this.#reset;
        this.#reset = value;
        for (const entry of this.#resets) {
          if (((begun >>> entry.bit) & 1) === 1) {
            entry.reset();
          }
        }
      },
    });
  }

  isOpen(bit: number): boolean {
    return ((this.#enable >>> bit) & 1) === 1 && ((this.#reset >>> bit) & 1) === 0;
  }

  /** Returns the registers of `block` as seen through the gate. */
  behind(bit: number, block: Gated): RegisterBlock {
    this.#resets.push({ bit, reset: () => block.reset() });
    return {
      read: (offset) => (this.isOpen(bit) ? block.read(offset) : 0),
      write: (offset, value) => {
        if (this.isOpen(bit)) {
          block.write(offset, value);
        }
      },
    };
  }
}
