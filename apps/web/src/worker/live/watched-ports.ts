/**
 * Keeps the ports of a guest's bench in the state of the shared ports: open with the same settings, closed, or lost
 * with the board. It does not touch a port that this page uses.
 */
import type { PortSettings } from '@wirebench/port';
import { type Bench, type PortNumber, portNumbers, SessionError } from '@wirebench/serial';
import type { SharedPortFacts } from '../../protocol/live-protocol.ts';
import { sharedSettings } from '../../protocol/shared-settings.ts';
import { sameShallow } from '../../shared/same-shallow.ts';
import { WatchedPort } from './watched-port.ts';

/** The port's user is at the board's computer, so closing programs here would not help. */
const inUseThere = (port: PortNumber) =>
  `Port ${port} is in use where the board is, for example by a flasher. Try again when it has let go, or ask whoever shares the bench.`;

/** A port in use. After `close` and `giveBack`, the host has it back at once. */
type UsablePort = SerialPort & { giveBack(): Promise<void> };

interface WatchedPortsParts {
  readonly bench: Bench;
  /** Returns the facts of a shared port; null if it is not shared. */
  readonly shared: (port: PortNumber) => SharedPortFacts | null;
  readonly type: (port: PortNumber, bytes: Uint8Array) => Promise<void>;
  /** Returns the port that this page may use. Null without the right or the board. */
  readonly usable: (port: PortNumber) => UsablePort | null;
  /** Called when the set of used ports has changed. */
  readonly changed: () => void;
}

export class WatchedPorts {
  readonly #parts: WatchedPortsParts;
  readonly #watched = new Map<PortNumber, WatchedPort>();
  readonly #using = new Map<PortNumber, UsablePort>();
  /** Uses that are starting: the bench's session is not open yet. */
  readonly #beginning = new Set<PortNumber>();
  /** Pending work of each port, in order. */
  readonly #work = new Map<PortNumber, Promise<void>>();

  constructor(parts: WatchedPortsParts) {
    this.#parts = parts;
    for (const port of portNumbers) {
      parts.bench.watch(port);
    }
  }

  get using(): readonly PortNumber[] {
    return [...this.#using.keys()];
  }

  /** Returns the port that this page has open; null while it only watches. */
  device(port: PortNumber): SerialPort | null {
    return this.#using.get(port) ?? null;
  }

  /** Updates all ports after a change of the shared bench. */
  follow(): void {
    for (const port of portNumbers) {
      void this.#after(port, () => this.#follow(port));
    }
  }

  /**
   * @throws NotAllowedError without the right.
   * @throws Other errors like `Bench.connect`, with a text for guests if the port is in use on the host.
   */
  async use(port: PortNumber, settings: PortSettings): Promise<void> {
    const device = this.#parts.usable(port);
    if (device === null) {
      throw new DOMException(`You may not use port ${port} now.`, 'NotAllowedError');
    }
    this.#beginning.add(port);
    this.#using.set(port, device);
    try {
      await this.#after(port, () => this.#follow(port));
      await this.#connect(port, device, settings);
    } catch (error) {
      this.#using.delete(port);
      throw error instanceof SessionError && error.code === 'busy' ? new Error(inUseThere(port)) : error;
    } finally {
      this.#beginning.delete(port);
      this.#parts.changed();
      this.follow();
    }
  }

  async giveBack(port: PortNumber): Promise<void> {
    const device = this.#using.get(port);
    if (device !== undefined) {
      await this.#close(port);
      await device.giveBack();
      this.follow();
    }
  }

  #after(port: PortNumber, work: () => Promise<void>): Promise<void> {
    const done = (this.#work.get(port) ?? Promise.resolve()).then(work).catch(() => undefined);
    this.#work.set(port, done);
    return done;
  }

  async #follow(port: PortNumber): Promise<void> {
    const { bench, shared, changed } = this.#parts;
    const facts = shared(port);
    // While a session reopens the port with another rate, the port still belongs to this page.
    if (this.#using.has(port) && !this.#beginning.has(port) && facts?.isYours !== true && this.#isClosed(port)) {
      this.#using.delete(port);
      changed();
    }
    const wanted =
      this.#using.has(port) || facts === null || facts.isYours || !facts.present ? null : sharedSettings(facts);
    const watched = this.#watched.get(port);
    if (watched !== undefined && bench.device(port) === watched) {
      const { settings } = bench.status().ports[port];
      if (wanted !== null && settings !== null && sameShallow(wanted, settings)) {
        return;
      }
      if (facts?.present === false) {
        watched.lose();
        await watched.closed;
      } else {
        await this.#close(port);
      }
    }
    if (wanted !== null && facts !== null && this.#isClosed(port)) {
      const info = {
        ...(facts.usbVendorId !== null && { usbVendorId: facts.usbVendorId }),
        ...(facts.usbProductId !== null && { usbProductId: facts.usbProductId }),
      };
      const device = new WatchedPort(info, (bytes) => this.#parts.type(port, bytes));
      this.#watched.set(port, device);
      await this.#connect(port, device, wanted);
    }
  }

  /** Connects without reconnecting: the host waits for a board that vanishes. */
  async #connect(port: PortNumber, device: SerialPort, settings: PortSettings): Promise<void> {
    const { bench } = this.#parts;
    bench.setReconnect(port, false);
    await bench.connect(port, device, settings);
  }

  async #close(port: PortNumber): Promise<void> {
    if (!this.#isClosed(port)) {
      await this.#parts.bench.disconnect(port);
    }
  }

  #isClosed(port: PortNumber): boolean {
    return this.#parts.bench.status().ports[port].state === 'disconnected';
  }
}
