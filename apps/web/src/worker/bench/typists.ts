/** Guests of a shared bench that type key by key, each for a few seconds after its last key. */
import type { Clock } from '@wirebench/clock';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { ByPort } from '../../protocol/bench-protocol.ts';

/** Milliseconds after its last key for which a guest is shown. */
const typingTime = 3_000;
/** Milliseconds without a key after which the log says again that a guest types. */
const noticeTime = 60_000;

interface Typist {
  readonly name: string;
  /** Cancels the end of typing. */
  readonly stay: () => void;
}

/** A guest that types on a port. */
export interface TypedName {
  readonly port: PortNumber;
  readonly name: string;
}

export class Typists {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  /** By the guest's ID, in the order in which they began. */
  readonly #now: ByPort<Map<string, Typist>> = { 1: new Map(), 2: new Map(), 3: new Map(), 4: new Map() };
  /** Guests that the host of another bench names as typing there. */
  #named: readonly TypedName[] = [];
  /** Time of the last key, by port and name. */
  readonly #last = new Map<string, number>();

  /** @param onChange Called when another guest types, or when one has stopped. */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Name of the guest that has typed longest; null for a port without one. */
  get names(): ByPort<string | null> {
    const name = (port: PortNumber) => {
      const [first] = this.#now[port].values();
      return first?.name ?? this.#named.find((one) => one.port === port)?.name ?? null;
    };
    return { 1: name(1), 2: name(2), 3: name(3), 4: name(4) };
  }

  /** Guests of this bench that type now. */
  get guests(): readonly { readonly port: PortNumber; readonly guest: string }[] {
    return portNumbers.flatMap((port) => [...this.#now[port].keys()].map((guest) => ({ port, guest })));
  }

  /** A guest has typed. Returns true if it did not type there for a minute, so that the log should say so. */
  typed(port: PortNumber, guest: string, name: string): boolean {
    const typing = this.#now[port];
    const before = typing.get(guest);
    before?.stay();
    const stay = this.#clock.schedule(typingTime, () => {
      typing.delete(guest);
      this.#onChange();
    });
    typing.set(guest, { name, stay });
    if (before?.name !== name) {
      this.#onChange();
    }
    return this.#isNews({ port, name });
  }

  /** Sets the guests that the host names as typing. Returns those that the log should name. */
  setNamed(named: readonly TypedName[]): readonly TypedName[] {
    const before = this.#named;
    this.#named = named;
    this.#onChange();
    const isSame = (one: TypedName, other: TypedName) => one.port === other.port && one.name === other.name;
    // A guest that has stopped was typing until now.
    for (const one of before.filter((typist) => !named.some((other) => isSame(typist, other)))) {
      this.#isNews(one);
    }
    return named.filter((one) => !before.some((other) => isSame(one, other)) && this.#isNews(one));
  }

  #isNews({ port, name }: TypedName): boolean {
    const key = `${port} ${name}`;
    const now = this.#clock.now();
    const last = this.#last.get(key) ?? Number.NEGATIVE_INFINITY;
    this.#last.set(key, now);
    return now - last >= noticeTime;
  }
}
