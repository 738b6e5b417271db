/** A chip in download mode that tests control by lists of register writes and by reads. */
import type { Breadboard } from '../../breadboard/breadboard.ts';
import type { EspDeviceOptions } from '../options.ts';
import { EspHost, words } from './esp-host.ts';

/** An entry of WRITE_REG. Default mask: all bits. Default delay: 0 µs. */
export type TestEntry = readonly [address: number, value: number, mask?: number, delay?: number];

export class LabRig<Board extends Breadboard = Breadboard> {
  readonly host: EspHost;
  readonly board: Board;

  private constructor(host: EspHost, board: Board) {
    this.host = host;
    this.board = board;
  }

  /** Creates a rig with a synced chip. */
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

  /** Sends one list of entries, and advances the clock by their delays. */
  async write(...entries: readonly TestEntry[]): Promise<string[]> {
    const delay = entries.reduce((sum, [, , , microseconds = 0]) => sum + microseconds, 0);
    return this.host.ask(0x09, entryData(entries), 0, delay / 1_000 + 1);
  }

  async read(address: number): Promise<number> {
    const [answer = ''] = await this.host.ask(0x0a, words(address), 0, 1);
    return Number.parseInt(answer.slice(8, 16).replace(/(..)(..)(..)(..)/, '$4$3$2$1'), 16);
  }
}

export function entryData(entries: readonly TestEntry[]): Uint8Array {
  return words(...entries.flatMap(([address, value, mask = 0xffffffff, delay = 0]) => [address, value, mask, delay]));
}

/** Enables the clock of an ESP32 peripheral by its bit, and resets the peripheral. */
export const gate = (bit: number): TestEntry[] => [
  [0x3ff000c0, 2 ** bit, 2 ** bit],
  [0x3ff000c4, 2 ** bit, 2 ** bit],
  [0x3ff000c4, 0, 2 ** bit],
];
export const gateC3 = (bit: number): TestEntry[] =>
  gate(bit).map(([address, ...rest]) => [address === 0x3ff000c0 ? 0x600c0010 : 0x600c0018, ...rest]);

/** Makes an ESP32 pin an output, with a signal of the matrix or the plain output (256). */
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
