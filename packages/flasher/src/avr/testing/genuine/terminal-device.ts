/** A board in real time as a device on wires: DTR resets it, and its pseudo-terminal carries the bytes. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Device } from '@wirebench/devices';
import type { SimavrTerminal } from './simavr-terminal.ts';

type ControlLines = Parameters<NonNullable<Device['controlChanged']>>[0];

export class TerminalDevice implements Device {
  readonly link = { kind: 'uart', baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' } as const;
  readonly #terminal: SimavrTerminal;
  #bytes: { readonly input: ReadStream; readonly output: number } | null = null;
  #dtr = false;

  /** @param terminal A board whose bootloader has the rate of optiboot. It stays the caller's to end. */
  constructor(terminal: SimavrTerminal) {
    this.#terminal = terminal;
  }

  attach(line: Parameters<Device['attach']>[0]): void {
    const open = () => openSync(this.#terminal.path, constants.O_RDWR | constants.O_NOCTTY);
    const input = new ReadStream(open());
    input.on('data', (bytes: Buffer) => line.write(bytes));
    // The terminal ends with its board.
    input.on('error', () => undefined);
    this.#bytes = { input, output: open() };
    this.#dtr = false;
  }

  detach(): void {
    if (this.#bytes !== null) {
      this.#bytes.input.destroy();
      closeSync(this.#bytes.output);
      this.#bytes = null;
    }
  }

  receive(bytes: Uint8Array): void {
    if (this.#bytes !== null) {
      writeSync(this.#bytes.output, bytes);
    }
  }

  /** A capacitor between DTR and the reset pin makes the edge a pulse. */
  controlChanged({ dtr }: ControlLines): void {
    if (dtr && !this.#dtr) {
      this.#terminal.reset();
    }
    this.#dtr = dtr;
  }
}
