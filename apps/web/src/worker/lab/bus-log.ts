/** The bench's log as the lab writes to it: port 1 has lines about instruments, port 2 the bytes of the UART bridge. */
import type { Bench, NoticeLevel } from '@wirebench/serial';
import { labPort } from '../../protocol/lab-protocol.ts';

/** The pins of the UART bridge are drawn in the colour of this port as well. */
const uartPort = 2;

const encoder = new TextEncoder();

export class BusLog {
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** Logs an operation that only wrote. */
  wrote(text: string): void {
    this.#bench.record(labPort, 'sent', encoder.encode(text));
  }

  /** Logs an operation that read. */
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
