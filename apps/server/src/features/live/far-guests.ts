/** The guests of a local host that are connected to other processes. */

interface FarGuest {
  /** Name of the process that the guest is connected to. */
  readonly process: string;
  readonly isAdmitted: boolean;
}

/**
 * Milliseconds within which the other processes have to announce their guests. A process that is silent for longer
 * counts as lost.
 */
const ROSTER_TIME = 6_000;

export class FarGuests {
  readonly #guests = new Map<number, FarGuest>();
  /** Number of guests that their processes have not announced yet to a returning host. */
  #unheard = 0;
  #unheardUntil = 0;

  get numbers(): readonly number[] {
    return [...this.#guests.keys()];
  }

  get hasAdmitted(): boolean {
    return [...this.#guests.values()].some(({ isAdmitted }) => isAdmitted);
  }

  /**
   * Returns true if a message to everyone has to go to the other processes.
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

  /** Records that the host has come while `count` guests are at other processes, which announce them shortly. */
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

  /** Removes the guests of a lost process, or all of them for null. Returns their numbers. */
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
