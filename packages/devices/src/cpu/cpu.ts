/**
 * What the interpreters of both instruction sets have in common: the loop, the decoded instructions and why it stops. An
 * instruction is decoded when it is executed first, into a function that does what it says; a write to where it was read from
 * drops that function.
 */
import { type Bus, CpuFault } from './bus.ts';

/** An instruction at its address. */
export interface Instruction<State> {
  readonly execute: (state: State) => void;
  /** Bytes. */
  readonly length: number;
}

/**
 * Why a run ended. `budget`: as many instructions as it might take were executed, or `halt` was called. `waiting`: the program waits for an interrupt
 * (WFI, WAITI). `fault`: the instruction at `pc` could not be executed and has changed nothing.
 */
export type Stop =
  | { readonly kind: 'budget' | 'waiting' }
  | { readonly kind: 'fault'; readonly fault: CpuFault; readonly pc: number };

/** A processor, whatever its instruction set. */
export interface Processor {
  readonly registers: Int32Array;
  /** The address of the instruction that is executed next. */
  pc: number;
  /** Cycles since the start: one for each instruction, and what `skip` added. Not below 0, without an upper limit. */
  readonly cycles: number;
  /** How often the program has read its cycle counter. */
  readonly countReads: number;
  /** Lets cycles pass without executing anything. */
  skip(cycles: number): void;
  step(): Stop;
  /** Executes up to `budget` instructions. What a bus throws besides `CpuFault` is passed on. */
  run(budget: number): Stop;
  /** Ends the run after the instruction at hand; for what a register that it writes may do. */
  halt(): void;
}

/** Places in `Cpu.registers` behind the general registers: the address of the next instruction, and a place for what is not kept. */
export const nextAt = 32;
export const sinkAt = 33;
/** Where the special registers of an instruction set begin. */
export const specialsAt = 34;
const registerCount = 48;

const pageBits = 12;
const offsetMask = (1 << pageBits) - 1;

type Page<State> = (Instruction<State> | undefined)[];

export abstract class Cpu<State> implements Processor {
  readonly bus: Bus;
  /** General registers from 0 on, and others behind them. An array of one type keeps numbers of 32 bits without allocation. */
  readonly registers = new Int32Array(registerCount);
  /** Behind the last instruction of a hardware loop; the Xtensa architecture alone has one. */
  protected loopEnd = -1;
  readonly #pages = new Map<number, Page<State>>();
  /** Instructions before the run at hand, and those that it may take and has left. */
  #before = 0;
  #budget = 0;
  #left = 0;
  #countReads = 0;
  #isWaiting = false;
  #pc = 0;

  constructor(bus: Bus) {
    this.bus = bus;
    bus.overwritten = (address) => this.#forget(address);
  }

  get pc(): number {
    return (this.registers[nextAt] ?? 0) >>> 0;
  }

  set pc(address: number) {
    this.registers[nextAt] = address;
  }

  get cycles(): number {
    return this.#before + this.#budget - this.#left;
  }

  /** For the program's own cycle counter. */
  protected countCycles(): number {
    this.#countReads++;
    return this.cycles;
  }

  get countReads(): number {
    return this.#countReads;
  }

  skip(cycles: number): void {
    this.#before += cycles;
  }

  step(): Stop {
    return this.run(1);
  }

  run(budget: number): Stop {
    this.#budget = budget;
    this.#left = budget;
    this.#isWaiting = false;
    try {
      this.#loop();
    } catch (error) {
      if (!(error instanceof CpuFault)) {
        throw error;
      }
      // An instruction that cannot be executed takes no cycle.
      this.#left++;
      this.pc = this.#pc;
      return { kind: 'fault', fault: error, pc: this.#pc >>> 0 };
    } finally {
      this.#before += this.#budget - this.#left;
      this.#budget = 0;
      this.#left = 0;
    }
    return { kind: this.#isWaiting ? 'waiting' : 'budget' };
  }

  /** @throws CpuFault where there is no instruction */
  protected abstract decode(address: number): Instruction<State>;
  /** The one that instructions are executed on. */
  protected abstract readonly state: State;

  /** Where the program goes on at the end of a hardware loop. */
  protected loopBack(next: number): number {
    return next;
  }

  halt(): void {
    this.#budget -= this.#left;
    this.#left = 0;
  }

  /** Ends the run as `waiting`. */
  protected wait(): void {
    this.#isWaiting = true;
    this.halt();
  }

  #loop(): void {
    const { registers, state } = this;
    let pageNumber = Number.NaN;
    let page: Page<State> = [];
    while (this.#left > 0) {
      this.#left--;
      const pc = registers[nextAt] as number;
      this.#pc = pc;
      if (pc >> pageBits !== pageNumber) {
        pageNumber = pc >> pageBits;
        page = this.#page(pageNumber);
      }
      const instruction = page[pc & offsetMask] ?? this.#decoded(page, pc);
      const next = (pc + instruction.length) | 0;
      registers[nextAt] = next;
      instruction.execute(state);
      if (next === this.loopEnd && registers[nextAt] === next) {
        registers[nextAt] = this.loopBack(next);
      }
    }
  }

  #page(number: number): Page<State> {
    const known = this.#pages.get(number);
    const page = known ?? new Array<Instruction<State> | undefined>(1 << pageBits);
    if (known === undefined) {
      this.#pages.set(number, page);
    }
    return page;
  }

  #decoded(page: Page<State>, pc: number): Instruction<State> {
    const instruction = this.decode(pc >>> 0);
    page[pc & offsetMask] = instruction;
    return instruction;
  }

  /** Drops whatever was decoded from the word at `address`: an instruction may begin up to three bytes before it. */
  #forget(address: number): void {
    for (let at = address - 3; at < address + 4; at++) {
      const page = this.#pages.get(at >> pageBits);
      if (page !== undefined) {
        page[at & offsetMask] = undefined;
      }
    }
  }
}
