/**
 * A bootloader as a generator: it requests bytes one by one and yields one exchange for each command. The session
 * that runs it handles the line, time and faults.
 */
import type { AvrStep } from '../faults.ts';
import type { AvrMemories } from '../memories.ts';

/** End of a bootloader: the sketch starts after `after` milliseconds. */
export interface Leaving {
  readonly after: number;
}

interface Reception {
  readonly kind: 'receive';
  /** Milliseconds to wait for the byte. */
  readonly patience: number;
  /** Called when that time is over. Null: wait again. */
  readonly otherwise: () => Leaving | null;
}

/** Execution and answer of one command. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Step for faults; null if no fault can occur here. */
  readonly step: AvrStep | null;
  /** Bytes that are sent before the work. Default: none. */
  readonly early?: readonly number[];
  /** Starts the work. The answer follows when the memories are no longer busy. Default: none. */
  readonly work?: () => void;
  /** Returns the answer after the work. */
  readonly answer: () => readonly number[];
  /** Answer of a fault that refuses the command. */
  readonly refusal: readonly number[];
}

/** Drops the rest of the USB packet that the last byte came in. */
interface PacketEnd {
  readonly kind: 'end-packet';
}

/** The generator is resumed with the received byte; after other wishes the value has no meaning. */
export type BootProgram<Result = Leaving> = Generator<Reception | Exchange | PacketEnd, Result, number>;

export interface BootContext {
  readonly memories: AvrMemories;
  /** Time of the device's clock, in milliseconds. */
  now(): number;
}

export interface Bootcode {
  /** Cases in which it runs at power-on. In the others the CPU goes to the sketch at once. */
  readonly runsAtPower: 'always' | 'without-sketch' | 'never';
  /** Milliseconds from its start until it reads the UART, while it flashes its LED. */
  readonly deafTime: number;
  /**
   * True: without a sketch the bootloader starts again when it leaves, because the CPU runs through the empty flash
   * into it.
   */
  readonly returnsWhenEmpty: boolean;
  run(context: BootContext): BootProgram;
}

/** Receives `count` bytes by `receive`. */
export function* bytes(receive: () => BootProgram<number>, count: number): BootProgram<number[]> {
  const received: number[] = [];
  while (received.length < count) {
    received.push(yield* receive());
  }
  return received;
}
