/**
 * Messages between the parts of one room at several processes: envelopes to the process of the host, or to those of
 * guests. Messages of one process arrive in order, or their loss is reported.
 */
import type { Clock } from '@wirebench/clock';
import type { SharedStore } from '../../storage/shared-store.ts';

/** Part of the room: the one with its host, or those with its guests. */
export type BusEnd = 'host' | 'guests';

export type BusListener = (sender: string, envelope: Uint8Array) => void;

export interface RoomBus extends AsyncDisposable {
  /** True: there are no other processes, or they can be reached. */
  readonly isUp: boolean;
  /** @returns True if too many bytes of this room are already waiting: senders have to pause. */
  send(key: string, to: BusEnd, envelope: Uint8Array): boolean;
  /** Resolves when envelopes arrive. Rejects with a `SharedStoreUnavailableError`. */
  listen(key: string, at: BusEnd, listener: BusListener): Promise<void>;
  stop(key: string, at: BusEnd): void;
  /** Counts a process as alive from now on, until its pulse stops. */
  expect(sender: string): void;
  /** Calls `listener` when a process is lost, with null when all are unreachable. */
  onLost(listener: (sender: string | null) => void): void;
  /** Calls `listener` when the other processes can be reached again. */
  onBack(listener: () => void): void;
}

/** The bus of a single process. */
export const soloBus: RoomBus = {
  isUp: true,
  send: () => false,
  listen: () => Promise.resolve(),
  stop: () => undefined,
  expect: () => undefined,
  onLost: () => undefined,
  onBack: () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Bytes of one room that may wait for Redis before its senders have to pause. */
const ROOM_CONGESTED = 262_144;

/** Bytes of all rooms that may wait for Redis, a quarter of the limit that ends the connection to Redis. */
const ALL_CONGESTED = 16 * 1_048_576;

/** Bytes that name the sender of a message. */
const SENDER = 8;

/** Milliseconds. A process that is silent for three pulses is lost. */
const PULSE = 2_000;

const PULSE_CHANNEL = 'live:pulse';
const channelOf = (key: string, end: BusEnd) => `live:{${key}}:${end}`;

export class RedisBus implements RoomBus {
  readonly #store: SharedStore;
  readonly #clock: Clock;
  readonly #self: Buffer;
  readonly #heard = new Map<string, number>();
  /** Bytes of each room that wait for Redis. */
  readonly #untaken = new Map<string, number>();
  readonly #onLost = new Set<(sender: string | null) => void>();
  readonly #onBack = new Set<() => void>();
  #cancel: () => void = () => undefined;

  /** @param process Sixteen hex digits that name this process to the others. */
  constructor(store: SharedStore, process: string, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#self = Buffer.from(process, 'hex');
    if (this.#self.length !== SENDER) {
      throw new RangeError(`The name of a process must have ${SENDER} bytes`);
    }
    store.onChange((isUp) => {
      if (isUp) {
        void this.#hearOthers();
        this.#tell(this.#onBack);
      } else {
        this.#heard.clear();
        for (const listener of this.#onLost) {
          listener(null);
        }
      }
    });
    if (store.isUp) {
      void this.#hearOthers();
    }
    this.#pulse();
  }

  get isUp(): boolean {
    return this.#store.isUp;
  }

  send(key: string, to: BusEnd, envelope: Uint8Array): boolean {
    const message = Buffer.concat([this.#self, envelope]);
    const untaken = (this.#untaken.get(key) ?? 0) + message.length;
    this.#untaken.set(key, untaken);
    void this.#store.publish(channelOf(key, to), message).then(() => {
      const left = (this.#untaken.get(key) ?? 0) - message.length;
      if (left > 0) {
        this.#untaken.set(key, left);
      } else {
        this.#untaken.delete(key);
      }
    });
    return untaken > ROOM_CONGESTED || this.#store.untaken > ALL_CONGESTED;
  }

  listen(key: string, at: BusEnd, listener: BusListener): Promise<void> {
    return this.#store.subscribe(channelOf(key, at), (message) => {
      const sender = message.subarray(0, SENDER);
      if (message.length > SENDER && !sender.equals(this.#self)) {
        const name = sender.toString('hex');
        this.expect(name);
        listener(name, message.subarray(SENDER));
      }
    });
  }

  stop(key: string, at: BusEnd): void {
    this.#store.unsubscribe(channelOf(key, at));
  }

  expect(sender: string): void {
    this.#heard.set(sender, this.#clock.now());
  }

  onLost(listener: (sender: string | null) => void): void {
    this.#onLost.add(listener);
  }

  onBack(listener: () => void): void {
    this.#onBack.add(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cancel();
    this.#onLost.clear();
    this.#onBack.clear();
  }

  #tell(listeners: ReadonlySet<() => void>): void {
    for (const listener of listeners) {
      listener();
    }
  }

  async #hearOthers(): Promise<void> {
    await this.#store
      .subscribe(PULSE_CHANNEL, (message) => {
        if (!message.equals(this.#self)) {
          this.expect(message.toString('hex'));
        }
      })
      // The connection is lost again. The next reconnect repeats the subscription.
      .catch(() => undefined);
  }

  #pulse(): void {
    void this.#store.publish(PULSE_CHANNEL, this.#self);
    const now = this.#clock.now();
    for (const [sender, at] of this.#heard) {
      if (now - at > PULSE * 3) {
        this.#heard.delete(sender);
        for (const listener of this.#onLost) {
          listener(sender);
        }
      }
    }
    this.#cancel = this.#clock.schedule(PULSE, () => this.#pulse());
  }
}

/** One room's part of the bus. */
export class RoomChannel {
  readonly #bus: RoomBus;
  readonly #key: string;
  readonly #hear: (end: BusEnd, sender: string, envelope: Uint8Array) => void;
  readonly #listening = new Map<BusEnd, Promise<void>>();

  constructor(bus: RoomBus, key: string, hear: (end: BusEnd, sender: string, envelope: Uint8Array) => void) {
    this.#bus = bus;
    this.#key = key;
    this.#hear = hear;
  }

  /** @returns True if senders have to pause. */
  send(to: BusEnd, envelope: Uint8Array): boolean {
    return this.#bus.send(this.#key, to, envelope);
  }

  /** Resolves when envelopes arrive, also on repeated calls. */
  async listen(end: BusEnd): Promise<void> {
    let listening = this.#listening.get(end);
    if (listening === undefined) {
      listening = this.#bus.listen(this.#key, end, (sender, envelope) => this.#hear(end, sender, envelope));
      this.#listening.set(end, listening);
      listening.catch(() => this.#listening.delete(end));
    }
    await listening;
  }

  stop(end: BusEnd): void {
    if (this.#listening.delete(end)) {
      this.#bus.stop(this.#key, end);
    }
  }

  expect(sender: string): void {
    this.#bus.expect(sender);
  }
}
