/** The bench's log as the lab writes to it: lines of port 1 for what instruments did, port 2 for what the UART bridge carries. */
import type { Bench, NoticeLevel } from '@wirebench/serial';
import { labPort } from '../lab-protocol.ts';

/** In whose colour the UART bridge's pins are, too. */
const uartPort = 2;

const encoder = new TextEncoder();

export class BusLog {
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** Something was only written. */
  wrote(text: string): void {
    this.#bench.record(labPort, 'sent', encoder.encode(text));
  }

  /** Something was read. */
  read(text: string): void {
    this.#bench.record(labPort, 'received', encoder.encode(`${text}\n`));
  }

  uart(direction: 'received' | 'sent', bytes: Uint8Array): void {
    this.#bench.record(uartPort, direction, bytes);
  }

  notice(level: NoticeLevel, text: string): void {
    this.#bench.notice(level, text, labPort);
  }
}
