/** Logs the faults on the bridge's line in words, limited to a readable rate. */
import type { UartFault } from '@wirebench/lab';
import type { SessionParts } from './session-parts.ts';

/** `ring-full` comes from the program in RAM: the link to the page was slower than the line. */
type Fault = UartFault | 'ring-full';

const texts = {
  overrun: 'bytes were lost: they came faster than the board gave them away, and its FIFO was full',
  'ring-full': 'bytes were lost: the link to the board is slower than the line',
  framing: 'framing error: check the baud rate of the circuit',
  parity: 'parity error: the bridge expects none',
  break: 'break: RX was low for longer than a character',
} satisfies Record<Fault, string>;

/** Minimum time between two lines about the same fault, in milliseconds. */
const quietTime = 1_000;

export class UartFaultLog {
  readonly #parts: SessionParts;
  readonly #said = new Map<Fault, number>();
  #losses = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get losses(): number {
    return this.#losses;
  }

  forget(): void {
    this.#losses = 0;
    this.#said.clear();
  }

  add(faults: readonly Fault[]): void {
    const { clock, log, onChange } = this.#parts;
    const now = clock.now();
    // A break has no stop bit, so it is a framing error as well.
    const reported = faults.includes('break') ? faults.filter((fault) => fault !== 'framing') : faults;
    for (const fault of reported) {
      if (fault === 'overrun' || fault === 'ring-full') {
        this.#losses++;
        onChange();
      }
      if (now - (this.#said.get(fault) ?? Number.NEGATIVE_INFINITY) >= quietTime) {
        this.#said.set(fault, now);
        log.notice(fault === 'break' ? 'info' : 'warning', `UART: ${texts[fault]}`);
      }
    }
  }
}
