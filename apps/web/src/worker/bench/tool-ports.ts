/**
 * Ports in use by a tool beside the bench, such as a flasher, while the bench has no session on them. Guests of a
 * shared bench see this traffic, and cannot get such a port.
 */
import type { Clock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import type { AcquiredPorts } from './acquired-ports.ts';
import type { BenchTap } from './bench-tap.ts';
import { tappedPort } from './tapped-port.ts';

export interface ToolPortsParts {
  readonly clock: Clock;
  readonly acquired: AcquiredPorts;
  /** Returns the current tap; null without one. */
  readonly tap: () => BenchTap | null;
  /** Called when the device behind a port, or its user, may have changed. */
  readonly onChange: () => void;
}

export class ToolPorts {
  readonly #parts: ToolPortsParts;
  /** Current tool by port. */
  readonly #holders = new Map<PortNumber, object>();
  /** Works in progress by port that the tap must not see. */
  readonly #unseen = new Map<PortNumber, number>();

  constructor(parts: ToolPortsParts) {
    this.#parts = parts;
  }

  isHeld(port: PortNumber): boolean {
    return this.#holders.has(port);
  }

  /** Throws while a tool has the port. */
  check(port: PortNumber): void {
    if (this.isHeld(port)) {
      throw new Error(`The flasher has the board of port ${port}. Disconnect it there first.`);
    }
  }

  /**
   * Reserves the port: no guest receives it from now on. Throws while a guest uses it.
   *
   * @returns Ends the reservation; does nothing after the port has another user.
   */
  hold(port: PortNumber): () => void {
    this.#parts.acquired.check(port);
    const holder = {};
    this.#holders.set(port, holder);
    return () => {
      if (this.#holders.get(port) === holder) {
        this.#holders.delete(port);
        this.#parts.onChange();
      }
    };
  }

  /**
   * Performs work whose bytes the tap does not receive, because they may contain passwords: contents of a board's flash.
   */
  async unseen<Result>(port: PortNumber, act: () => Promise<Result>): Promise<Result> {
    this.#unseen.set(port, this.#unseenAt(port) + 1);
    try {
      return await act();
    } finally {
      this.#unseen.set(port, this.#unseenAt(port) - 1);
    }
  }

  #unseenAt(port: PortNumber): number {
    return this.#unseen.get(port) ?? 0;
  }

  /** Wraps `device`, so that the tap receives the bytes that the tool reads and writes. */
  tapped(port: PortNumber, device: SerialPort): SerialPort {
    const { clock, tap, onChange } = this.#parts;
    onChange();
    return tappedPort(device, (lane, bytes) => {
      if (this.#unseenAt(port) === 0) {
        tap()?.bytes(port, lane, bytes, clock.now());
      }
    });
  }
}
