/** A chip's registers while a program runs; knows whether the program does anything with them besides waiting. */
import type { RegisterSpace } from './chip-bus.ts';

/** Registers by which bytes come and go. */
export interface LinkRegisters {
  has(address: number): boolean;
  read(address: number): number;
  write(address: number, value: number): void;
}

export class WatchedRegisters implements RegisterSpace {
  readonly #links: readonly LinkRegisters[];
  readonly #others: RegisterSpace;
  /** Called before each access to the others. */
  readonly #accessing: () => void;
  /** What was read last from each register that is not a link's. */
  readonly #seen = new Map<number, number | null>();
  /** What was written last to each of them. */
  readonly #written = new Map<number, number>();
  #polls = 0;
  #reads = 0;
  #events = 0;

  constructor(links: readonly LinkRegisters[], others: RegisterSpace, accessing: () => void) {
    this.#links = links;
    this.#others = others;
    this.#accessing = accessing;
  }

  /** How often a link was asked in this period. */
  get polls(): number {
    return this.#polls;
  }

  /** How often another register was read. */
  get reads(): number {
    return this.#reads;
  }

  /** How often something was sent, another value was written than before, or a register was not what it had been. */
  get events(): number {
    return this.#events;
  }

  beginPeriod(): void {
    this.#polls = 0;
    this.#reads = 0;
    this.#events = 0;
  }

  read(address: number): number | null {
    const link = this.#linkAt(address);
    if (link !== undefined) {
      this.#polls++;
      return link.read(address);
    }
    this.#accessing();
    const value = this.#others.read(address);
    this.#reads++;
    if (this.#seen.get(address) !== value) {
      this.#seen.set(address, value);
      this.#events++;
    }
    return value;
  }

  write(address: number, value: number): boolean {
    const link = this.#linkAt(address);
    if (link !== undefined) {
      this.#events++;
      link.write(address, value);
      return true;
    }
    if (this.#written.get(address) !== value) {
      this.#written.set(address, value);
      this.#events++;
    }
    this.#accessing();
    return this.#others.write(address, value);
  }

  #linkAt(address: number): LinkRegisters | undefined {
    return this.#links.find((link) => link.has(address));
  }
}
