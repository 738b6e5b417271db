/** The program that runs instruction by instruction in a simulated chip: one that a client put into RAM, or one that the ROM loaded from flash. */
import type { Breadboard } from '../breadboard/breadboard.ts';
import { type ProgramFault, programIn, type RamProgram } from '../cpu/ram-program.ts';
import type { DeviceLine } from '../wire/device.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import type { EspImage, ReadFlash } from './boot/image.ts';
import type { EspIdentity } from './identity.ts';
import type { Memory } from './memory.ts';
import type { LinkRate } from './rates.ts';

export interface ProgramPlace {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly memory: Memory;
  /** The program cannot go on. */
  crash(): void;
}

export class ProgramHost {
  readonly #identity: EspIdentity;
  readonly #rate: LinkRate;
  readonly #board: Breadboard;
  /** The one that ran last, if it does not run any more. */
  #program: RamProgram | null = null;

  constructor(identity: EspIdentity, rate: LinkRate, board: Breadboard) {
    this.#identity = identity;
    this.#rate = rate;
    this.#board = board;
  }

  /** Why the program that ran last could not go on. */
  get fault(): ProgramFault | null {
    return this.#program?.fault ?? null;
  }

  receive(bytes: Uint8Array): void {
    this.#program?.receive(bytes);
  }

  stop(): void {
    this.#program?.stop();
  }

  /** Starts what is in RAM. False where nobody has an interpreter for the chip's processor. */
  start(entry: number, { line, timers, memory, crash }: ProgramPlace): boolean {
    const { chip, crystal } = this.#identity;
    this.#program = programIn(chip.name, entry, {
      clock: line.clock,
      timers,
      memory,
      link: this.#rate.link.kind,
      crystal,
      baudRate: this.#rate.baudRate,
      accessing: (time) => memory.reach(time - this.#board.origin),
      setRate: (baudRate) => this.#rate.set(baudRate),
      transmit: (bytes) => line.write(bytes),
      crash,
    });
    return this.#program !== null;
  }

  /** As the ROM does it: the segments go to where they say, and the processor to the entry. */
  startImage({ segments, entry }: EspImage, read: ReadFlash, place: ProgramPlace): void {
    for (const { address, offset, length } of segments) {
      place.memory.upload(address, read(offset, length));
    }
    if (!place.memory.isUploaded(entry) || !this.start(entry, place)) {
      place.crash();
    }
  }
}
