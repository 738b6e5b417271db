/** Ports whose traffic is reported from outside their session, and the amounts reported. */
import type { PortNumber } from './port-number.ts';

export interface Amounts {
  /** Bytes. */
  received: number;
  /** Bytes. */
  sent: number;
}

interface RecordedPort {
  readonly amounts: Amounts;
  readonly isWatched: boolean;
}

export class RecordedPorts {
  readonly #ports = new Map<PortNumber, RecordedPort>();

  /** Counts reported bytes from zero on. The port's session stops counting. */
  watch(port: PortNumber): void {
    this.#ports.set(port, { amounts: { received: 0, sent: 0 }, isWatched: true });
  }

  isWatched(port: PortNumber): boolean {
    return this.#ports.get(port)?.isWatched ?? false;
  }

  /**
   * Counts reported bytes from `amounts` on, which are copied, until `stopCounting`. Does nothing for a watched port.
   */
  count(port: PortNumber, { received, sent }: Readonly<Amounts>): void {
    if (!this.isWatched(port)) {
      this.#ports.set(port, { amounts: { received, sent }, isWatched: false });
    }
  }

  stopCounting(port: PortNumber): void {
    if (!this.isWatched(port)) {
      this.#ports.delete(port);
    }
  }

  /** Returns the amounts so far, for adding to them; undefined if only the port's session counts. */
  amounts(port: PortNumber): Amounts | undefined {
    return this.#ports.get(port)?.amounts;
  }
}
