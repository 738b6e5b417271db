/**
 * The common part of the interpreters of both instruction sets: the loop, the decoded instructions and the reasons to
 * stop. The first execution of an instruction decodes it into a function. A write to the instruction's memory drops
 * that function.
 */
import { type Bus, CpuFault } from './bus.ts';

/** A decoded instruction at its address. */
export interface Instruction<State> {
  readonly execute: (state: State) => void;
  /** Length in bytes. */
  readonly length: number;
}

/**
 * Reason for the end of a run. `budget`: the budget is used up, or `halt` was called. `waiting`: the program waits
 * for an interrupt (WFI, WAITI). `fault`: the instruction at `pc` could not be executed and has changed nothing.
 */
export type Stop =
  | { readonly kind: 'budget' | 'waiting' }
  | { readonly kind: 'fault'; readonly fault: CpuFault; readonly pc: number };

/** A processor of any instruction set. */
export interface Processor {
  readonly registers: Int32Array;
  /** Address of the next instruction. */
  pc: number;
  /** Cycles since the start: one for each instruction, plus those added by `skip`. Never wraps around. */
  readonly cycles: number;
  /** Number of times that the program has read its cycle counter. */
  readonly countReads: number;
  /** Advances `cycles` without executing instructions. */
  skip(cycles: number): void;
  step(): Stop;
  /** Executes up to `budget` instructions. Errors of the bus other than `CpuFault` are passed on. */
  run(budget: number): Stop;
  /** Ends the run after the current instruction. Called from inside a register access. */
  halt(): void;
}

/**
 * Indices in `Cpu.registers` behind the general registers: the next instruction's address, and a target for discarded
 * results.
 */
export const nextAt = 32;
export const sinkAt = 33;
/** First index of the special registers of an instruction set. */
export const specialsAt = 34;
const registerCount = 48;

const pageBits = 12;
const offsetMask = (1 << pageBits) - 1;

type Page<State> = (Instruction<State> | undefined)[];

export abstract class Cpu<State> implements Processor {
  readonly bus: Bus;
  /** General registers from index 0, others behind them. A typed array keeps 32-bit numbers without allocation. */
  readonly registers = new Int32Array(registerCount);
  /** Address behind the last instruction of a hardware loop; -1: none. Only the Xtensa architecture has such loops. */
  protected loopEnd = -1;
  readonly #pages = new Map<number, Page<State>>();
  /** Cycles before the present run, the run's budget, and the rest of that budget. */
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

  /** Returns the cycles for the program's own cycle counter, and counts the read. */
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
      // A faulting instruction takes no cycle.
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

  /**
   * Decodes the instruction at `address`.
   * @throws CpuFault if it cannot be fetched or is invalid.
   */
  protected abstract decode(address: number): Instruction<State>;
  /** The state that decoded instructions work on. */
  protected abstract readonly state: State;

  /** Returns the address of the next instruction at the end of a hardware loop. */
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

  /**
   * Drops everything decoded from the word at `address`. An instruction may begin up to three bytes before the word.
   */
  #forget(address: number): void {
    for (let at = address - 3; at < address + 4; at++) {
      const page = this.#pages.get(at >> pageBits);
      if (page !== undefined) {
        page[at & offsetMask] = undefined;
      }
    }
  }
}
