/**
 * Ports of the network as Web Serial's `Serial`: those of the addresses that a person gave. A port is there until its
 * connection ends, and comes back when its server can be reached and used again.
 */
import type { Clock } from '@wirebench/clock';
import { fireAt, PortEventTarget } from '@wirebench/port/web-serial';
import { parseNetworkAddress } from './network-address.ts';
import { NetworkPort } from './network-port.ts';
import { dial } from './network-wire.ts';

/** Pause between two tries to reach a server again, in milliseconds. */
const RETRY_PAUSE = 1_000;

interface Place {
  port: NetworkPort | null;
  isForgotten: boolean;
  /** Time of the next try. */
  next: number;
  isDialling: boolean;
}

export class NetworkSerial extends PortEventTarget implements Serial {
  readonly #clock: Clock;
  readonly #places = new Map<string, Place>();

  /** @param names Addresses. @throws Error with a sentence for one that cannot be read. */
  constructor(clock: Clock, names: readonly string[]) {
    super();
    this.#clock = clock;
    for (const name of names) {
      const place: Place = { port: null, isForgotten: false, next: 0, isDialling: false };
      this.#places.set(name, place);
      place.port = this.#newPort(name);
    }
  }

  async getPorts(): Promise<NetworkPort[]> {
    return [...this.#places.values()].flatMap(({ port }) => (port === null ? [] : [port]));
  }

  /** Returns the port of an address; null while its server is away. */
  async portNamed(name: string): Promise<NetworkPort | null> {
    return this.#places.get(name)?.port ?? null;
  }

  /**
   * There is no chooser.
   *
   * @throws NotFoundError always.
   */
  async requestPort(): Promise<NetworkPort> {
    throw new DOMException(
      "Failed to execute 'requestPort' on 'Serial': No port selected by the user.",
      'NotFoundError',
    );
  }

  /** Begins to reach servers that are away. A port that comes back fires `connect`. */
  async refresh(): Promise<void> {
    for (const [name, place] of this.#places) {
      if (place.port === null && !place.isForgotten && !place.isDialling && place.next <= this.#clock.now()) {
        void this.#reachAgain(name, place);
      }
    }
  }

  async #reachAgain(name: string, place: Place): Promise<void> {
    place.isDialling = true;
    try {
      const port = this.#newPort(name);
      const wire = await dial(port.address, this.#clock);
      if (place.isForgotten) {
        wire.leave();
        return;
      }
      place.port = port;
      port.adopt(wire);
      fireAt(port, this, 'connect');
    } catch {
      place.next = this.#clock.now() + RETRY_PAUSE;
    } finally {
      place.isDialling = false;
    }
  }

  #newPort(name: string): NetworkPort {
    const address = parseNetworkAddress(name);
    if (address === null) {
      throw new Error(`${name} is no address of a port.`);
    }
    const leave = (port: NetworkPort, isForgotten: boolean) => {
      const place = this.#places.get(name);
      if (place?.port === port) {
        Object.assign(place, { port: null, isForgotten, next: this.#clock.now() + RETRY_PAUSE });
      }
    };
    return new NetworkPort(name, address, this.#clock, {
      lost: (port) => {
        leave(port, false);
        fireAt(port, this, 'disconnect');
      },
      forget: (port) => leave(port, true),
    });
  }
}
