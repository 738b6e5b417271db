/** The parts of a simulated chip that its peripherals use. */
import type { Breadboard } from '../../breadboard/breadboard.ts';
import type { Memory, RegisterBlock } from '../memory.ts';
import type { ClockGates } from './clock-gates.ts';
import type { PinMatrix } from './pin-matrix.ts';

export interface ChipContext {
  readonly memory: Memory;
  readonly pins: PinMatrix;
  readonly gates: ClockGates;
  readonly board: Breadboard;
  /**
   * Frequency of the crystal in kHz, thus cycles in a millisecond. In download mode it is the clock of all
   * peripherals.
   */
  readonly crystal: number;
}

/**
 * Returns a block as seen on the ESP32's DPORT bus. Writes to its FIFO there may be lost; here they always are
 * ("ESP32 Series SoC Errata", section 3.10). Programs must use the other alias, 0x200c0000 higher.
 */
export function withoutFifoWrites(block: RegisterBlock, fifo: number): RegisterBlock {
  return {
    read: (offset) => block.read(offset),
    write: (offset, value) => {
      if (offset !== fifo) {
        block.write(offset, value);
      }
    },
  };
}
