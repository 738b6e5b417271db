/**
 * A W3C `Serial` with the ports that a guest may use and whose boards are plugged in at the host. It fires `connect`
 * and `disconnect` as they come and go.
 */

import type { RemoteLoss } from '@wirebench/port';
import { fireAt, PortEventTarget } from '@wirebench/port/web-serial';
import type { GuestPort } from './guest-port.ts';
import { type PortVisit, RemotePort } from './remote-port.ts';

export class RemoteSerial extends PortEventTarget implements Serial {
  readonly #visit: PortVisit;
  readonly #ports = new Map<number, { readonly port: RemotePort; readonly visit: number }>();
  /**
   * Ports that the page has forgotten, by number, with the board's `visit`. They stay forgotten until the board or
   * the right comes back.
   */
  readonly #forgotten = new Map<number, number>();

  constructor(visit: Omit<PortVisit, 'forget'>) {
    super();
    this.#visit = { ...visit, forget: (port) => this.#forget(port) };
  }

  async getPorts(): Promise<RemotePort[]> {
    return [...this.#ports.values()].map(({ port }) => port);
  }

  /**
   * Returns the first usable port. It shows no chooser: the host chooses what a guest may use.
   *
   * @throws NotFoundError if the guest may use no port.
   */
  async requestPort(): Promise<RemotePort> {
    const [port] = await this.getPorts();
    if (port === undefined) {
      throw new DOMException(
        "Failed to execute 'requestPort' on 'Serial': No port selected by the user.",
        'NotFoundError',
      );
    }
    return port;
  }

  /** Returns the port with this number; null if this guest may not use it, or no board is plugged in. */
  portAt(number: number): RemotePort | null {
    return this.#ports.get(number)?.port ?? null;
  }

  /** Applies the host's list of ports. */
  update(shared: readonly GuestPort[]): void {
    const usable = shared.filter(({ present, right }) => present && right === 'use');
    for (const [number, { port, visit }] of this.#ports) {
      if (!usable.some((one) => one.port === number && one.visit === visit)) {
        this.#remove(number, port);
      }
    }
    for (const number of this.#forgotten.keys()) {
      if (!usable.some((one) => one.port === number && one.visit === this.#forgotten.get(number))) {
        this.#forgotten.delete(number);
      }
    }
    for (const { port: number, visit, usbVendorId, usbProductId, isSimulated } of usable) {
      if (!this.#ports.has(number) && this.#forgotten.get(number) !== visit) {
        const info = { ...(usbVendorId !== null && { usbVendorId }), ...(usbProductId !== null && { usbProductId }) };
        const port = new RemotePort(number, info, this.#visit, isSimulated);
        this.#ports.set(number, { port, visit });
        fireAt(port, this, 'connect');
      }
    }
  }

  /** Removes all ports: the host is gone for good. */
  clear(by: RemoteLoss): void {
    for (const [number, { port }] of this.#ports) {
      port.lose(by);
      this.#remove(number, port);
    }
  }

  #remove(number: number, port: RemotePort): void {
    this.#ports.delete(number);
    port.setDisconnected();
    fireAt(port, this, 'disconnect');
  }

  #forget(port: RemotePort): void {
    const entry = this.#ports.get(port.number);
    if (entry?.port === port) {
      this.#forgotten.set(port.number, entry.visit);
      this.#ports.delete(port.number);
    }
  }
}
