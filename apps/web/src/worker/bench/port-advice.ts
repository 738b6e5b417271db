/** Notices from what ports send and receive which line ending a board expects, and whether its rate is wrong. */
import type { Clock } from '@wirebench/clock';
import {
  type Bench,
  byPort,
  EnterWatch,
  enterAnswerTime,
  type PortNumber,
  portNumbers,
  RateWatch,
} from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import { type DeviceFacts, noAdvice } from '../../protocol/bench/port-part.ts';

export interface PortAdvisorParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly facts: (port: PortNumber) => DeviceFacts | null;
  readonly onProgress: () => void;
}

interface Watched {
  readonly enter: EnterWatch;
  readonly rate: RateWatch;
  /** False: a framing was chosen, so the bytes need not be text. */
  isText: boolean;
  cancel: () => void;
}

export class PortAdvisor {
  readonly #parts: PortAdvisorParts;
  readonly #watched = byPort(
    (): Watched => ({
      enter: new EnterWatch(),
      rate: new RateWatch(),
      isText: true,
      cancel: () => undefined,
    }),
  );
  #advice = byPort(() => noAdvice);

  constructor(parts: PortAdvisorParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'advice'> {
    const { ports } = this.#parts.bench.status();
    for (const port of portNumbers) {
      if (ports[port].state === 'disconnected' && this.#advice[port] !== noAdvice) {
        this.begin(port);
      }
    }
    return { advice: this.#advice };
  }

  /** Forgets what is known of the board: another connection begins. */
  begin(port: PortNumber): void {
    const { enter, rate, cancel } = this.#watched[port];
    cancel();
    enter.reset();
    rate.reset();
    this.#advice = { ...this.#advice, [port]: noAdvice };
  }

  setText(port: PortNumber, isText: boolean): void {
    this.#watched[port].isText = isText;
  }

  /** Takes a chunk as received. */
  received(port: PortNumber, bytes: Uint8Array, at: number): void {
    const { enter, rate, isText } = this.#watched[port];
    const before = enter.signs;
    enter.received(bytes);
    // The rate of a board elsewhere is its host's.
    const isOwn = ['serial', 'demo'].includes(this.#parts.facts(port)?.kind ?? 'serial');
    const isRateNew = isOwn && isText && rate.received(bytes, at);
    if (isRateNew || enter.signs !== before) {
      this.#update(port);
    }
  }

  /** Takes a message that was sent. */
  sent(port: PortNumber, bytes: Uint8Array): void {
    const watched = this.#watched[port];
    watched.cancel();
    if (watched.enter.sent(bytes)) {
      const { bench, clock } = this.#parts;
      watched.cancel = clock.schedule(enterAnswerTime + bench.sendTime(port, bytes.length), () => {
        if (watched.enter.due()) {
          this.#update(port);
        }
      });
    }
  }

  #update(port: PortNumber): void {
    const { enter, rate } = this.#watched[port];
    this.#advice = { ...this.#advice, [port]: { ...enter.signs, rate: rate.sign } };
    this.#parts.onProgress();
  }
}
