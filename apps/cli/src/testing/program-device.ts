/** A program as the device at the far end of a cable. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Device } from '@wirebench/devices';
import type { DeviceLine } from '../../../../packages/devices/src/wire/device.ts';
import { type Link, uartLink } from '../../../../packages/devices/src/wire/link.ts';

/** Starts when the device is plugged in. */
export class ProgramDevice implements Device {
  readonly link: Link = uartLink(115_200);
  readonly #command: readonly string[];
  readonly #folder: string;
  #child: ChildProcess | null = null;

  constructor(folder: string, ...command: readonly string[]) {
    this.#folder = folder;
    this.#command = command;
  }

  attach(line: DeviceLine): void {
    const [program = '', ...args] = this.#command;
    this.#child = spawn(program, args, { cwd: this.#folder, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout?.on('data', (bytes: Buffer) => line.write(bytes));
    this.#child.stdin?.on('error', () => 'the program has ended');
  }

  detach(): void {
    this.#child?.kill('SIGKILL');
  }

  receive(bytes: Uint8Array): void {
    this.#child?.stdin?.write(bytes.slice());
  }
}
