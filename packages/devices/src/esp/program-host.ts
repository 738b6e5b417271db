/**
 * Runs a program instruction by instruction in a simulated chip. A client has uploaded it to RAM, or the ROM has
 * loaded it from flash.
 */
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
  /** Called when the program cannot continue. */
  crash(): void;
}

export class ProgramHost {
  readonly #identity: EspIdentity;
  readonly #rate: LinkRate;
  readonly #board: Breadboard;
  /** The running program, or the last one. */
  #program: RamProgram | null = null;

  constructor(identity: EspIdentity, rate: LinkRate, board: Breadboard) {
    this.#identity = identity;
    this.#rate = rate;
    this.#board = board;
  }

  /** The fault that ended the last program; null if none did. */
  get fault(): ProgramFault | null {
    return this.#program?.fault ?? null;
  }

  receive(bytes: Uint8Array): void {
    this.#program?.receive(bytes);
  }

  stop(): void {
    this.#program?.stop();
  }

  /** Starts the program in RAM. Returns false for chips whose processor has no interpreter. */
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

  /** Loads and starts an image as the ROM does: copies the segments to their addresses and jumps to the entry. */
  startImage({ segments, entry }: EspImage, read: ReadFlash, place: ProgramPlace): void {
    for (const { address, offset, length } of segments) {
      place.memory.upload(address, read(offset, length));
    }
    if (!place.memory.isUploaded(entry) || !this.start(entry, place)) {
      place.crash();
    }
  }
}
