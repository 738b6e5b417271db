/**
 * Ports in use by guests of the shared bench. The page must not reconnect them, even while a guest reopens its port.
 */
import type { PortNumber } from '@wirebench/serial';
import type { ByPort } from '../../protocol/bench-protocol.ts';

export class AcquiredPorts {
  readonly #users = new Map<PortNumber, string>();

  /** Returns the name of the guest who uses the port; null while the bench itself has it. */
  userOf(port: PortNumber): string | null {
    return this.#users.get(port) ?? null;
  }

  /** Names of the current guests, by port. */
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
