/**
 * The UART bridge of a board. With the boot ROM a byte that is sent takes away one that waits to be received: what waits is read
 * first, and bytes that come while others go may be lost. Half duplex, therefore, and said so on the screen.
 */
import { LabError, receiveWaiting, sendThrough, uartUp } from '@wirebench/lab';
import type { UartBridge } from '../lab-protocol.ts';
import type { InstrumentParts } from './instrument-parts.ts';

/** Milliseconds between two looks at what waits. */
const pollPause = 10;

export class LabUart {
  readonly #parts: InstrumentParts;
  #bridge: UartBridge | null = null;
  /** One thing at a time: between what waits is counted and sent nothing else may read. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  get bridge(): UartBridge | null {
    return this.#bridge;
  }

  async open(bridge: UartBridge): Promise<void> {
    const { lab, owners, claim, look, release, log } = this.#parts;
    const before = owners.of('uart').map(({ gpio }) => gpio);
    const pins = [
      { gpio: bridge.tx, owner: 'uart', label: 'TX', use: null },
      { gpio: bridge.rx, owner: 'uart', label: 'RX', use: null },
    ] as const;
    for (const { gpio } of pins) {
      owners.check(gpio, 'uart');
    }
    await this.#inTurn(() => lab.run(uartUp(lab.chip, bridge)));
    await release(before.filter((gpio) => gpio !== bridge.tx && gpio !== bridge.rx));
    claim(pins);
    const first = this.#bridge === null;
    this.#bridge = bridge;
    log.wrote(`UART on TX ${bridge.tx} RX ${bridge.rx}, ${bridge.baudRate} baud 8N1, half duplex`);
    await look([bridge.tx, bridge.rx]);
    if (first) {
      void this.#poll();
    }
  }

  async close(): Promise<void> {
    const { owners, release, log } = this.#parts;
    this.#bridge = null;
    await release(owners.of('uart').map(({ gpio }) => gpio));
    log.wrote('UART closed');
  }

  async send(bytes: Uint8Array): Promise<void> {
    const { lab, log } = this.#parts;
    if (this.#bridge === null) {
      throw new LabError('refused', { detail: 'The UART bridge is not open.' });
    }
    log.uart('sent', bytes);
    for (const received of await this.#inTurn(() => sendThrough(lab, bytes))) {
      log.uart('received', received);
    }
  }

  async #poll(): Promise<void> {
    const { lab, clock, log } = this.#parts;
    while (this.#bridge !== null && !lab.over.aborted) {
      try {
        const received = await this.#inTurn(() => receiveWaiting(lab));
        if (received.length > 0) {
          log.uart('received', received);
        }
        await clock.sleep(pollPause, lab.over);
      } catch (error) {
        if (!(error instanceof LabError)) {
          throw error;
        }
        // While the board is being left, each call is refused at once: nothing must be waited for in a loop without a pause.
        if (lab.over.aborted || error.code === 'left') {
          return;
        }
        log.notice('warning', `UART: ${error.message}`);
        await clock.sleep(pollPause, lab.over).catch(() => undefined);
      }
    }
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
