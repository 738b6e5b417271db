/**
 * The serial port of a running program: a CDC port over the chip's own USB, or a UART behind a bridge that stays when
 * the chip restarts. It prints the program's text, and reacts to a touch as the program's framework does.
 */
import type { MicroPythonBoard } from '../micropython/micropython-board.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import { type Link, type UartSettings, uartLink } from '../wire/link.ts';
import type { RpProgram } from './firmware.ts';

/** Rate that asks a program for BOOTSEL, in baud. */
const touchRate = 1_200;
/** Milliseconds from the opening of its port until a program prints. */
const greetingTime = 50;
const usbLink: Link = { kind: 'usb', bytesPerSecond: 1_000_000 };
/** Printed by the module `machine` of the simulated board where the genuine one enters BOOTSEL. */
const bootloaderMark = '\u001b]bootloader\u0007';

/** The module `machine`, which the interpreter does not have: `bootloader` and `reset` of the rp2 port. */
export const machineModule = `def bootloader(timeout=0):\n    print(${JSON.stringify(bootloaderMark)}, end='')\n`;

export class RpConsole implements Device {
  readonly #isUart: boolean;
  readonly #python: MicroPythonBoard | null;
  readonly #enterBootsel: () => void;
  #line: DeviceLine | null = null;
  #program: RpProgram | null = null;
  #hostRate: number | null = null;
  #hasDtr = false;
  #unsaid: string | null = null;
  #cancel: (() => void) | null = null;

  constructor(isUart: boolean, python: MicroPythonBoard | null, enterBootsel: () => void) {
    this.#isUart = isUart;
    this.#python = python;
    this.#enterBootsel = enterBootsel;
  }

  get link(): Link {
    return this.#isUart ? uartLink(115_200) : usbLink;
  }

  /** The chip runs `program`; null: it does not run, and the line is silent. */
  run(program: RpProgram | null): void {
    this.#cancel?.();
    this.#program = program;
    this.#unsaid = program?.text ?? null;
    this.#greet();
  }

  attach(line: DeviceLine): void {
    this.#line = line;
    line.setInputs({ clearToSend: true, dataSetReady: true });
    if (this.#runsPython) {
      this.#python?.attach({
        ...line,
        get pending() {
          return line.pending;
        },
        write: (bytes) => this.#writeFromPython(bytes),
      });
    }
    this.#greet();
  }

  detach(): void {
    this.#cancel?.();
    if (this.#runsPython) {
      this.#python?.detach();
    }
    this.#line = null;
    this.#hostRate = null;
    this.#hasDtr = false;
  }

  receive(bytes: Uint8Array): void {
    if (this.#runsPython) {
      this.#python?.receive(bytes);
    }
  }

  hostOpened({ baudRate }: UartSettings): void {
    this.#hostRate = baudRate;
    if (this.#runsPython) {
      this.#python?.hostOpened();
    }
    // pico_stdio_usb acts on the rate alone, Arduino-Pico on the rate without DTR.
    if (this.#program?.kind === 'sdk' && baudRate === touchRate) {
      this.#enterBootsel();
    } else {
      this.#greet();
    }
  }

  hostClosed(): void {
    this.#hostRate = null;
  }

  controlChanged({ dtr }: ControlLines): void {
    const fell = this.#hasDtr && !dtr;
    this.#hasDtr = dtr;
    if (fell && this.#program?.kind === 'arduino' && this.#hostRate === touchRate) {
      this.#enterBootsel();
    }
  }

  get #runsPython(): boolean {
    return this.#program?.kind === 'micropython' && this.#python !== null;
  }

  /** Prints the text once. A program on USB waits until a host has opened its port. */
  #greet(): void {
    const line = this.#line;
    if (line === null || this.#unsaid === null || this.#runsPython || (!this.#isUart && this.#hostRate === null)) {
      return;
    }
    const text = this.#unsaid;
    this.#unsaid = null;
    this.#cancel = line.clock.schedule(greetingTime, () => line.write(new TextEncoder().encode(text)));
  }

  #writeFromPython(bytes: Uint8Array): void {
    const text = String.fromCharCode(...bytes);
    const at = text.indexOf(bootloaderMark);
    this.#line?.write(at < 0 ? bytes : bytes.subarray(0, at));
    if (at >= 0) {
      this.#enterBootsel();
    }
  }
}
