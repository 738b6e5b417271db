/**
 * Ports that guests of the shared bench use now. The page does not reconnect them, also while a guest reopens its
 * port.
 */
import type { PortNumber } from '@wirebench/serial';
import type { ByPort } from '../../protocol/bench-protocol.ts';

export class AcquiredPorts {
  readonly #users = new Map<PortNumber, string>();

  /** By name; null while it is the bench's own. */
  userOf(port: PortNumber): string | null {
    return this.#users.get(port) ?? null;
  }

  /** All of them, by port. */
  get users(): ByPort<string | null> {
    return { 1: this.userOf(1), 2: this.userOf(2), 3: this.userOf(3), 4: this.userOf(4) };
  }

  acquire(port: PortNumber, user: string): void {
    this.#users.set(port, user);
  }

  release(port: PortNumber): void {
    this.#users.delete(port);
  }

  /** Throws while a guest uses the port. */
  check(port: PortNumber): void {
    const user = this.userOf(port);
    if (user !== null) {
      throw new Error(`${user} uses port ${port}. Take it back first.`);
    }
  }
}
