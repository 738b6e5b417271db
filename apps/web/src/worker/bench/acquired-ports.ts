/**
 * Ports in use by guests of the shared bench. The page must not reconnect them, even while a guest reopens its port.
 */
import { byPort, type PortNumber } from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';

export class AcquiredPorts {
  readonly #users = new Map<PortNumber, string>();

  /** Returns the name of the guest who uses the port; null while the bench itself has it. */
  userOf(port: PortNumber): string | null {
    return this.#users.get(port) ?? null;
  }

  /** Names of the current guests, by port. */
  get users(): BenchTick['users'] {
    return byPort((port) => this.userOf(port));
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
