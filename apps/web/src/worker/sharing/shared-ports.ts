/** Reports the bench's ports to guests: their names, whether their boards are plugged in, and their settings. */
import type { SharedPort } from '@wirebench/remote';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { PortNames } from '../../protocol/bench-protocol.ts';
import type { BenchWorker } from '../bench/bench-worker.ts';
import type { SessionAccess } from './session-access.ts';

export class SharedPorts {
  readonly #host: BenchWorker;
  readonly #access: Pick<SessionAccess, 'isLost'>;
  /** The last report of each port, as JSON. */
  readonly #reported = new Map<PortNumber, string>();
  #names: PortNames;

  constructor(host: BenchWorker, access: Pick<SessionAccess, 'isLost'>, names: PortNames) {
    this.#host = host;
    this.#access = access;
    this.#names = names;
  }

  get numbers(): readonly PortNumber[] {
    return portNumbers.filter((port) => this.#reported.has(port));
  }

  rename(names: PortNames): void {
    this.#names = names;
  }

  /** Reports the changes since the last call. */
  report(setPort: (port: PortNumber, shared: SharedPort | null) => void): void {
    for (const port of portNumbers) {
      const shared = this.#describe(port);
      const text = shared === null ? undefined : JSON.stringify(shared);
      if (text !== this.#reported.get(port)) {
        if (text === undefined) {
          this.#reported.delete(port);
        } else {
          this.#reported.set(port, text);
        }
        setPort(port, shared);
      }
    }
  }

  /**
   * Returns null for a port that never had a device, for a device without a serial port, and for another user's
   * shared board.
   */
  #describe(port: PortNumber): SharedPort | null {
    const { bench, devices, toolPorts } = this.#host;
    const facts = devices.facts(port);
    if (facts === null || facts.kind === 'usb' || devices.isRemote(port)) {
      return null;
    }
    const { state, settings, info } = bench.status().ports[port];
    if (state === 'connected') {
      // A session may have reopened a board that came back as another object.
      devices.opened(port, info);
    }
    const isOurs = state === 'connected' || state === 'connecting' || state === 'disconnecting';
    const present = isOurs || (state !== 'reconnecting' && !this.#access.isLost(port) && devices.isPlugged(port));
    return {
      // Guests cannot type there until the flasher releases the port.
      name: toolPorts.isHeld(port) ? `${this.#names[port]}, in the flasher` : this.#names[port],
      info: devices.info(port) ?? info ?? {},
      isSimulated: facts.kind === 'demo',
      present,
      settings: state === 'connected' ? settings : null,
    };
  }
}
