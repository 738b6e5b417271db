/** Polls registers of Modbus devices: at most one poll on each port. Loaded with the first one. */
import type { Clock } from '@wirebench/clock';
import type { OtherMaster } from '@wirebench/frames/modbus-registers';
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import { type PollChoice, pollModbusPort } from '@wirebench/serial/modbus-search';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';

export interface RegisterPollsParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly onProgress: () => void;
  /** Returns true while the bench is shared with guests. */
  readonly isShared: () => boolean;
  /** Returns the newest question of another master that the port has heard; null: none. */
  readonly otherMaster: (port: PortNumber) => OtherMaster | null;
  /** Called when the newest sent line of the port is a request of a poll. */
  readonly onPolled: (port: PortNumber) => void;
}

interface Running {
  choice: PollChoice;
  readonly stop: AbortController;
  done: Promise<void>;
}

const sharedText =
  'This bench is shared, and guests may use its ports. Stop sharing it, then poll again. Nothing is sent.';

export class RegisterPolls {
  readonly #parts: RegisterPollsParts;
  readonly #running = new Map<PortNumber, Running>();
  #ports: BenchTick['modbusPolls'] = byPort(() => null);

  constructor(parts: RegisterPollsParts) {
    this.#parts = parts;
  }

  get ports(): BenchTick['modbusPolls'] {
    return this.#ports;
  }

  /**
   * Begins, or changes what a running poll asks.
   *
   * @throws SessionError if the port is not open. @throws Error if it is shared.
   */
  set(port: PortNumber, choice: PollChoice): void {
    const running = this.#running.get(port);
    if (running !== undefined) {
      running.choice = choice;
      return;
    }
    const { bench, clock, onProgress, isShared, otherMaster, onPolled } = this.#parts;
    bench.jobs.checkPoll(port);
    const refusal = () => (isShared() ? sharedText : null);
    const refused = refusal();
    if (refused !== null) {
      throw new Error(refused);
    }
    const stop = new AbortController();
    const begun: Running = { choice, stop, done: Promise.resolve() };
    this.#running.set(port, begun);
    begun.done = pollModbusPort({
      bench,
      clock,
      port,
      choice: () => begun.choice,
      signal: stop.signal,
      onProgress: (progress) => {
        if (!stop.signal.aborted) {
          this.#ports = { ...this.#ports, [port]: progress };
          onProgress();
        }
      },
      onAsked: () => onPolled(port),
      other: () => otherMaster(port),
      refusal,
    }).finally(() => this.#running.delete(port));
  }

  /** Stops the poll of a port, if there is one. Resolves when it has given the port back. */
  async stop(port: PortNumber): Promise<void> {
    const running = this.#running.get(port);
    running?.stop.abort();
    if (this.#ports[port] !== null) {
      this.#ports = { ...this.#ports, [port]: null };
      this.#parts.onProgress();
    }
    await running?.done;
  }
}
