/** A board that prints one text again and again before its reset, and another one after it. */
import { randomUUID } from 'node:crypto';
import type { Device } from '@wirebench/devices';
import type { ControlLines, DeviceLine } from '../../../../packages/devices/src/wire/device.ts';
import { type Link, uartLink } from '../../../../packages/devices/src/wire/link.ts';
import type { PluggedBoard } from './simulated-machine.ts';

/** Pause between two prints before the reset, in milliseconds. */
const PAUSE = 10;

/** Start of an Arduino Uno whose reset has ended, in milliseconds. */
const START = 100;

/** `circuit`: RTS without DTR holds the board in reset. `dtr`: it restarts when DTR rises, and nothing holds it. */
export type ResetKind = 'circuit' | 'dtr';

class RestartedBoard implements Device {
  readonly link: Link = uartLink(115_200);
  readonly #kind: ResetKind;
  readonly #before: string;
  readonly #after: string;
  #line: DeviceLine | null = null;
  #lines: ControlLines = { dtr: true, rts: true, break: false };
  #cancel: () => void = () => undefined;

  constructor(kind: ResetKind, before: string, after: string) {
    this.#kind = kind;
    this.#before = before;
    this.#after = after;
  }

  attach(line: DeviceLine): void {
    this.#line = line;
    this.#print();
  }

  detach(): void {
    this.#cancel();
  }

  receive(): void {
    // The board takes no input.
  }

  controlChanged(lines: ControlLines): void {
    const { dtr } = this.#lines;
    const wasHeld = this.#isHeld();
    this.#lines = lines;
    if (this.#isHeld()) {
      this.#cancel();
    }
    if (this.#kind === 'circuit' ? wasHeld && !this.#isHeld() : lines.dtr && !dtr) {
      this.#cancel();
      const start = () => this.#line?.write(new TextEncoder().encode(this.#after));
      this.#cancel = this.#line?.clock.schedule(this.#kind === 'dtr' ? START : 0, start) ?? this.#cancel;
    }
  }

  #isHeld(): boolean {
    return this.#kind === 'circuit' && this.#lines.rts && !this.#lines.dtr;
  }

  #print(): void {
    this.#line?.write(new TextEncoder().encode(this.#before));
    this.#cancel = this.#line?.clock.schedule(PAUSE, () => this.#print()) ?? this.#cancel;
  }
}

/** Returns the board behind an adapter. */
export const restartedBoard = (kind: ResetKind, before: string, after: string): PluggedBoard => ({
  device: new RestartedBoard(kind, before, after),
  usb: { vendor: '0403', product: '6001', serial: randomUUID().slice(0, 8), maker: 'FTDI', title: 'FT232R USB UART' },
});
