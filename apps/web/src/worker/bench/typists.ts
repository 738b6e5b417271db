/** Guests of the shared bench that type key by key, each for a few seconds after its last key. */
import type { Clock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import type { ByPort } from '../../protocol/bench-protocol.ts';

/** Milliseconds after its last key for which a guest is shown. */
const typingTime = 3_000;
/** Milliseconds without a key after which the log says again that a guest types. */
const noticeTime = 60_000;

interface Typist {
  readonly name: string;
  readonly end: () => void;
}

export class Typists {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #now = new Map<PortNumber, Typist>();
  /** Time of the last key, by port and name. */
  readonly #last = new Map<string, number>();

  /** @param onChange Called when another guest types, or when the guest has stopped. */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Names of the guests that type now; null for a port without one. */
  get names(): ByPort<string | null> {
    const name = (port: PortNumber) => this.#now.get(port)?.name ?? null;
    return { 1: name(1), 2: name(2), 3: name(3), 4: name(4) };
  }

  /** A guest has typed. Returns true if it did not type there for a minute, so that the log should say so. */
  typed(port: PortNumber, name: string): boolean {
    const before = this.#now.get(port);
    before?.end();
    const end = this.#clock.schedule(typingTime, () => {
      this.#now.delete(port);
      this.#onChange();
    });
    this.#now.set(port, { name, end });
    if (before?.name !== name) {
      this.#onChange();
    }
    const key = `${port} ${name}`;
    const last = this.#last.get(key) ?? Number.NEGATIVE_INFINITY;
    this.#last.set(key, this.#clock.now());
    return this.#clock.now() - last >= noticeTime;
  }
}
