/** A board run by libsimavr as the device behind a simulated port: wire, noise, unplugging and wrong rates as there. */
import type { Device } from '@wirebench/devices';
import { cyclesPerMillisecond, framingError, type SimavrProcess } from './simavr-process.ts';

/** Bytes a second of one packet of 16 bytes in each eighth of a millisecond. */
const USB_BYTES_PER_SECOND = 128_000;

type Line = Parameters<Device['attach']>[0];
type ControlLines = Parameters<NonNullable<Device['controlChanged']>>[0];

/** Milliseconds between two looks at what the chip sends. An adapter on USB looks as often. */
const POLL = 1;
/** Rate of the link before the chip has set up its UART, in baud. */
const INITIAL_RATE = 115_200;

export class SimavrDevice implements Device {
  readonly process: SimavrProcess;
  /** Called when a chip on USB has detached itself. */
  onLeave: () => void = () => undefined;
  /** Number of resets by DTR. */
  resets = 0;
  readonly #isUsb: boolean;
  #wasConfigured = false;
  #line: Line | null = null;
  #dtr = false;
  /** Time up to which the chip has run, in milliseconds of the line's clock. */
  #ranTo = 0;
  #cancelPoll: () => void = () => undefined;

  /** @param isUsb True: the port is the chip's own USB. */
  constructor(process: SimavrProcess, isUsb: boolean) {
    this.process = process;
    this.#isUsb = isUsb;
  }

  get link(): Device['link'] {
    if (this.#isUsb) {
      return { kind: 'usb', bytesPerSecond: USB_BYTES_PER_SECOND };
    }
    const baudRate = this.process.baudRate === 0 ? INITIAL_RATE : this.process.baudRate;
    return { kind: 'uart', baudRate, dataBits: 8, stopBits: 1, parity: 'none' };
  }

  attach(line: Line): void {
    this.#line = line;
    this.#dtr = false;
    this.#ranTo = line.clock.now();
    this.process.powerCycle();
    this.#poll(line);
  }

  detach(): void {
    this.#cancelPoll();
    this.#line = null;
  }

  receive(bytes: Uint8Array): void {
    this.#catchUp();
    this.process.receive([...bytes]);
  }

  receiveDamaged(_error: 'framing' | 'parity', byte: number): void {
    this.#catchUp();
    this.process.receive([byte | framingError]);
  }

  /** A capacitor between DTR and the reset pin makes the edge a pulse. A chip on USB has none. */
  controlChanged({ dtr }: ControlLines): void {
    if (dtr && !this.#dtr && !this.#isUsb) {
      this.#catchUp();
      this.process.reset();
      this.resets++;
    }
    this.#dtr = dtr;
  }

  #poll(line: Line): void {
    this.#cancelPoll = line.clock.schedule(POLL, () => {
      this.#catchUp();
      this.#poll(line);
    });
  }

  /** Runs the chip up to the present. */
  #catchUp(): void {
    const line = this.#line;
    if (line === null) {
      return;
    }
    const now = line.clock.now();
    const sent = this.process.run(Math.round((now - this.#ranTo) * cyclesPerMillisecond));
    this.#ranTo = now;
    if (sent.length > 0) {
      line.write(sent);
    }
    const isConfigured = this.#isUsb && this.process.baudRate > 0;
    const hasLeft = this.#wasConfigured && !isConfigured;
    this.#wasConfigured = isConfigured;
    if (hasLeft) {
      this.onLeave();
    }
  }
}
