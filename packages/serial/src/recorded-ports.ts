/** Ports of which somebody else than their session says what passes, and how much that has been. */
import type { PortNumber } from './port-settings.ts';

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

  /** From zero on; the session of the port counts no more. */
  watch(port: PortNumber): void {
    this.#ports.set(port, { amounts: { received: 0, sent: 0 }, isWatched: true });
  }

  isWatched(port: PortNumber): boolean {
    return this.#ports.get(port)?.isWatched ?? false;
  }

  /** Goes on from `amounts`, which are copied, until `stopCounting`. Does nothing for a port that is watched. */
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

  /** What has been recorded by now, to be added to; undefined when only the session of the port counts. */
  amounts(port: PortNumber): Amounts | undefined {
    return this.#ports.get(port)?.amounts;
  }
}
