/**
 * A host for the tests of the devices that speaks AN3155 by hand. Its frames are written independently from the
 * document; the device uses none of them.
 */
import { VirtualClock } from '@wirebench/clock';
import { DeviceTerminal } from '../../testing/device-terminal.ts';
import { hexOf } from '../../testing/hex.ts';
import type { UartSettings } from '../../wire/link.ts';
import type { WiredDeviceOptions } from '../../wire/wired-device.ts';
import type { StmDeviceOptions, StmPartName } from '../options.ts';
import { StmDevice } from '../stm-device.ts';

export const evenParity: UartSettings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'even' };

export class StmHost {
  readonly clock: VirtualClock;
  readonly device: StmDevice;
  readonly terminal: DeviceTerminal;

  constructor(options: StmDeviceOptions, wiring: Omit<WiredDeviceOptions, 'clock'> = { pace: 'none' }) {
    this.clock = new VirtualClock(1_000);
    this.device = new StmDevice(options);
    this.terminal = new DeviceTerminal(this.device, this.clock, wiring);
  }

  /** Opens the port without touching NRST and BOOT0. */
  open(settings: UartSettings = evenParity): void {
    this.terminal.wired.open(settings);
  }

  /** Sends bytes. Returns the output within `milliseconds` as hex digits. */
  async send(bytes: readonly number[], milliseconds = 5): Promise<string> {
    this.terminal.take();
    this.terminal.wired.send(Uint8Array.from(bytes));
    await this.clock.advance(milliseconds);
    return hexOf(this.terminal.take());
  }

  /** Holds BOOT0 high, resets, and synchronises. Returns the answer to 0x7F. */
  async connect(settings: UartSettings = evenParity): Promise<string> {
    this.open(settings);
    this.device.setBoot0(true);
    this.device.pressReset();
    await this.clock.advance(100);
    return this.send([0x7f]);
  }

  /** Sends a command with its complement. */
  async command(code: number, milliseconds?: number): Promise<string> {
    return this.send([code, code ^ 0xff], milliseconds);
  }

  /** Sends four bytes, most significant first, and their checksum. */
  async word(word: number): Promise<string> {
    return this.send(withSum(wordBytes(word)));
  }

  async read(address: number, count: number): Promise<string> {
    return `${await this.command(0x11)}${await this.word(address)}${await this.send([count - 1, (count - 1) ^ 0xff], 50)}`;
  }

  async write(address: number, data: readonly number[], milliseconds?: number): Promise<string> {
    const answers = `${await this.command(0x31)}${await this.word(address)}`;
    return `${answers}${await this.send(withSum([data.length - 1, ...data]), milliseconds)}`;
  }

  /** Sends Extended Erase with page numbers or a special code. */
  async extendedErase(pages: readonly number[] | number, milliseconds?: number): Promise<string> {
    const frame =
      typeof pages === 'number' ? halfWord(pages) : [...halfWord(pages.length - 1), ...pages.flatMap(halfWord)];
    return `${await this.command(0x44)}${await this.send(withSum(frame), milliseconds)}`;
  }
}

/** Creates a host with a part whose bootloader is synchronised. Default content: empty. */
export async function connected(part: StmPartName, options: Partial<StmDeviceOptions> = {}): Promise<StmHost> {
  const host = new StmHost({ part, content: 'empty', ...options });
  const answer = await host.connect();
  if (answer !== '79') {
    throw new Error(`The bootloader answered "${answer}" to 7F.`);
  }
  return host;
}

/** Returns bytes that differ from their neighbours. */
export function pattern(length: number): number[] {
  return Array.from({ length }, (_, index) => (index * 7 + 3) & 0xff);
}

export function withSum(bytes: readonly number[]): number[] {
  return [...bytes, bytes.reduce((sum, byte) => sum ^ byte, 0)];
}

export function wordBytes(word: number): number[] {
  return [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff);
}

function halfWord(value: number): number[] {
  return [value >> 8, value & 0xff];
}
