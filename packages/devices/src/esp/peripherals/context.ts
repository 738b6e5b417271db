/** What a peripheral of a simulated chip works with. */
import type { Breadboard } from '../../breadboard/breadboard.ts';
import type { Memory, RegisterBlock } from '../memory.ts';
import type { ClockGates } from './clock-gates.ts';
import type { PinMatrix } from './pin-matrix.ts';

export interface ChipContext {
  readonly memory: Memory;
  readonly pins: PinMatrix;
  readonly gates: ClockGates;
  readonly board: Breadboard;
  /** Of the crystal, in kHz: cycles in a millisecond. In download mode it is the clock of all peripherals. */
  readonly crystal: number;
}

/**
 * A block as it is seen on the ESP32's DPORT bus: writes to its FIFO there may be lost, and here they always are ("ESP32 Series
 * SoC Errata", section 3.10). The other alias, 0x20000000 higher, is for them.
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
