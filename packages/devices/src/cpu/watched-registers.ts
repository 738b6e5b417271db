/** A chip's registers while a program runs. Detects if the program does anything with them besides waiting. */
import type { RegisterSpace } from './chip-bus.ts';

/** Registers of the link that carries bytes to and from the host. */
export interface LinkRegisters {
  has(address: number): boolean;
  read(address: number): number;
  write(address: number, value: number): void;
}

export class WatchedRegisters implements RegisterSpace {
  readonly #links: readonly LinkRegisters[];
  readonly #others: RegisterSpace;
  /** Called before each access to a register outside the links. */
  readonly #accessing: () => void;
  /** Last value read from each register outside the links. */
  readonly #seen = new Map<number, number | null>();
  /** Last value written to each register outside the links. */
  readonly #written = new Map<number, number>();
  #polls = 0;
  #reads = 0;
  #events = 0;

  constructor(links: readonly LinkRegisters[], others: RegisterSpace, accessing: () => void) {
    this.#links = links;
    this.#others = others;
    this.#accessing = accessing;
  }

  /** Reads of a link in this period. */
  get polls(): number {
    return this.#polls;
  }

  /** Reads of other registers in this period. */
  get reads(): number {
    return this.#reads;
  }

  /**
   * Events in this period: writes to a link, changed values written to other registers, and changed values read from
   * them.
   */
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
