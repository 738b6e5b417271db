/**
 * Keeps the ports of a guest's bench as those of the shared one are: open with the same settings, closed, or lost when the board there
 * is. A port that this page uses is left to it. Knows no connection.
 */
import type { PortSettings } from '@wirebench/port';
import { type Bench, type PortNumber, portNumbers, SessionError } from '@wirebench/serial';
import type { SharedPortFacts } from '../../protocol/live-protocol.ts';
import { sharedSettings } from '../../protocol/shared-settings.ts';
import { sameShallow } from '../../shared/same-shallow.ts';
import { WatchedPort } from './watched-port.ts';

/** The user of the port is at the board's computer: closing programs here would not help. */
const inUseThere = (port: PortNumber) =>
  `Port ${port} is in use where the board is, for example by a flasher. Try again when it has let go, or ask whoever shares the bench.`;

/** Closed and given back, it is the host's own at once. */
type UsablePort = SerialPort & { giveBack(): Promise<void> };

interface WatchedPortsParts {
  readonly bench: Bench;
  /** Returns the facts of a shared port; null if it is not shared. */
  readonly shared: (port: PortNumber) => SharedPortFacts | null;
  readonly type: (port: PortNumber, bytes: Uint8Array) => Promise<void>;
  /** The port that this page may use; null when it may not, or no board is there. */
  readonly usable: (port: PortNumber) => UsablePort | null;
  /** Another set of ports is used. */
  readonly changed: () => void;
}

export class WatchedPorts {
  readonly #parts: WatchedPortsParts;
  readonly #watched = new Map<PortNumber, WatchedPort>();
  readonly #using = new Map<PortNumber, UsablePort>();
  /** A use that is being begun: the bench's session is not open yet. */
  readonly #beginning = new Set<PortNumber>();
  /** Pending work of each port, one step after the other. */
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

  /** Something of what is shared has changed. */
  follow(): void {
    for (const port of portNumbers) {
      void this.#after(port, () => this.#follow(port));
    }
  }

  /** @throws what `Bench.connect` does, in a guest's words where the port is in use there; NotAllowedError without the right. */
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
    // Closed and opened again with another rate it is still this page's.
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

  /** A board that vanishes is waited for where it is. */
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
