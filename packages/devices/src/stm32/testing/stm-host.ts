/**
 * For the tests of the devices: a host that speaks AN3155 by hand. Its frames are its own, written from the document, and nothing
 * of it is used by the device.
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

  /** Sends bytes, and gives what comes within `milliseconds`, as hex digits. */
  async send(bytes: readonly number[], milliseconds = 5): Promise<string> {
    this.terminal.take();
    this.terminal.wired.send(Uint8Array.from(bytes));
    await this.clock.advance(milliseconds);
    return hexOf(this.terminal.take());
  }

  /** Holds BOOT0 high, resets, and synchronises. Gives the answer to 0x7F. */
  async connect(settings: UartSettings = evenParity): Promise<string> {
    this.open(settings);
    this.device.setBoot0(true);
    this.device.pressReset();
    await this.clock.advance(100);
    return this.send([0x7f]);
  }

  /** A command with its complement. */
  async command(code: number, milliseconds?: number): Promise<string> {
    return this.send([code, code ^ 0xff], milliseconds);
  }

  /** Four bytes, most significant first, and their sum. */
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

  /** Extended Erase of pages by number, or of what a special code stands for. */
  async extendedErase(pages: readonly number[] | number, milliseconds?: number): Promise<string> {
    const frame =
      typeof pages === 'number' ? halfWord(pages) : [...halfWord(pages.length - 1), ...pages.flatMap(halfWord)];
    return `${await this.command(0x44)}${await this.send(withSum(frame), milliseconds)}`;
  }
}

/** A part whose flash is empty unless said otherwise, with its bootloader synchronised. */
export async function connected(part: StmPartName, options: Partial<StmDeviceOptions> = {}): Promise<StmHost> {
  const host = new StmHost({ part, content: 'empty', ...options });
  const answer = await host.connect();
  if (answer !== '79') {
    throw new Error(`The bootloader answered "${answer}" to 7F.`);
  }
  return host;
}

/** Bytes of which no two neighbours are the same. */
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
