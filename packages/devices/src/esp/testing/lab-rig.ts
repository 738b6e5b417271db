/** For the tests of the rig: a chip in download mode, spoken to by lists of entries and reads. */
import type { Breadboard } from '../../breadboard/breadboard.ts';
import type { EspDeviceOptions } from '../options.ts';
import { EspHost, words } from './esp-host.ts';

/** Address and value; all bits and no delay unless said otherwise. */
export type TestEntry = readonly [address: number, value: number, mask?: number, delay?: number];

export class LabRig<Board extends Breadboard = Breadboard> {
  readonly host: EspHost;
  readonly board: Board;

  private constructor(host: EspHost, board: Board) {
    this.host = host;
    this.board = board;
  }

  /** A chip that has been synced. */
  static async open<Board extends Breadboard>(
    chip: 'esp32' | 'esp32c3',
    board: Board,
    options: Omit<EspDeviceOptions, 'chip' | 'breadboard'> = {},
  ): Promise<LabRig<Board>> {
    const host = new EspHost({ ...options, chip, breadboard: board });
    host.open();
    await host.enterDownload();
    await host.sync();
    return new LabRig(host, board);
  }

  /** Sends one list, and lets its delays pass. */
  async write(...entries: readonly TestEntry[]): Promise<string[]> {
    const delay = entries.reduce((sum, [, , , microseconds = 0]) => sum + microseconds, 0);
    return this.host.ask(0x09, entryData(entries), 0, delay / 1_000 + 1);
  }

  /** Reads a word. */
  async read(address: number): Promise<number> {
    const [answer = ''] = await this.host.ask(0x0a, words(address), 0, 1);
    return Number.parseInt(answer.slice(8, 16).replace(/(..)(..)(..)(..)/, '$4$3$2$1'), 16);
  }
}

export function entryData(entries: readonly TestEntry[]): Uint8Array {
  return words(...entries.flatMap(([address, value, mask = 0xffffffff, delay = 0]) => [address, value, mask, delay]));
}

/** Opens the clock of a peripheral of the ESP32 by its bit, and resets it. */
export const gate = (bit: number): TestEntry[] => [
  [0x3ff000c0, 2 ** bit, 2 ** bit],
  [0x3ff000c4, 2 ** bit, 2 ** bit],
  [0x3ff000c4, 0, 2 ** bit],
];
export const gateC3 = (bit: number): TestEntry[] =>
  gate(bit).map(([address, ...rest]) => [address === 0x3ff000c0 ? 0x600c0010 : 0x600c0018, ...rest]);

/** An output of the ESP32 with a signal of the matrix on it, or the plain one (256). */
export const output = (pin: number, mux: number, signal: number): TestEntry[] => [
  [0x3ff49000 + mux, 0x2a00, 0x7e00],
  [0x3ff44530 + 4 * pin, signal],
  [0x3ff44024, 2 ** pin],
];
export const outputC3 = (pin: number, signal: number): TestEntry[] => [
  [0x60009004 + 4 * pin, 0x1a00, 0x7e00],
  [0x60004554 + 4 * pin, signal],
  [0x60004024, 2 ** pin],
];
