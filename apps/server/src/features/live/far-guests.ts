/** The guests of a host that is here, as far as they are connected to other processes. Knows no connections. */

interface FarGuest {
  /** Names the process that it is connected to. */
  readonly process: string;
  readonly isAdmitted: boolean;
}

/** Milliseconds that the other processes have to say which guests they have: one that is silent for longer counts as lost. */
const ROSTER_TIME = 6_000;

export class FarGuests {
  readonly #guests = new Map<number, FarGuest>();
  /** Number of guests that a returning host has not heard of yet. */
  #unheard = 0;
  #unheardUntil = 0;

  get numbers(): readonly number[] {
    return [...this.#guests.keys()];
  }

  get hasAdmitted(): boolean {
    return [...this.#guests.values()].some(({ isAdmitted }) => isAdmitted);
  }

  /**
   * Whether a message to everybody has to go to the other processes.
   *
   * @param now Milliseconds since the Unix epoch.
   */
  mayListen(now: number): boolean {
    return this.hasAdmitted || (this.#unheard > 0 && now < this.#unheardUntil);
  }

  /** Number of admitted guests at the process that has most of them. */
  get largestAudience(): number {
    const audiences = new Map<string, number>();
    for (const { process, isAdmitted } of this.#guests.values()) {
      audiences.set(process, (audiences.get(process) ?? 0) + (isAdmitted ? 1 : 0));
    }
    return Math.max(0, ...audiences.values());
  }

  /** Notes that the host has come while `count` guests are at other processes, which say so in a moment. */
  expect(count: number, now: number): void {
    this.#unheard = count;
    this.#unheardUntil = now + ROSTER_TIME;
  }

  has(number: number): boolean {
    return this.#guests.has(number);
  }

  isAt(number: number, process: string): boolean {
    return this.#guests.get(number)?.process === process;
  }

  join(number: number, guest: FarGuest): void {
    this.#guests.set(number, guest);
    this.#unheard--;
  }

  admit(number: number): void {
    const guest = this.#guests.get(number);
    if (guest !== undefined) {
      this.#guests.set(number, { ...guest, isAdmitted: true });
    }
  }

  leave(number: number): void {
    this.#guests.delete(number);
  }

  /** Forgets the guests of a process that is gone, or all with null. Returns their numbers. */
  lose(process: string | null): readonly number[] {
    const lost = [...this.#guests].filter(([, guest]) => process === null || guest.process === process);
    for (const [number] of lost) {
      this.#guests.delete(number);
    }
    return lost.map(([number]) => number);
  }

  clear(): void {
    this.#guests.clear();
  }
}
