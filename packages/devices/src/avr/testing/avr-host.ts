/**
 * A host for the tests of the boards that speaks the three protocols by hand. Its frames are written independently from
 * the documents; the devices use none of them.
 */
import { VirtualClock } from '@wirebench/clock';
import { DeviceTerminal } from '../../testing/device-terminal.ts';
import { hexOf } from '../../testing/hex.ts';
import type { WiredDeviceOptions } from '../../wire/wired-device.ts';
import { AvrDevice } from '../avr-device.ts';
import type { AvrDeviceOptions } from '../options.ts';

/** Milliseconds after a reset at which every bootloader reads its UART. */
const readyTime = 450;

export class AvrHost {
  readonly clock = new VirtualClock(1_000);
  readonly device: AvrDevice;
  readonly terminal: DeviceTerminal;
  #sequence = 0;

  constructor(options: AvrDeviceOptions, wiring: Omit<WiredDeviceOptions, 'clock'> = { pace: 'none' }) {
    this.device = new AvrDevice(options);
    this.terminal = new DeviceTerminal(this.device, this.clock, wiring);
  }

  /** Opens the port, resets the board and waits for its bootloader. */
  async connect(): Promise<this> {
    this.terminal.wired.open(null);
    this.device.pressReset();
    await this.clock.advance(readyTime);
    this.terminal.take();
    return this;
  }

  /** Sends bytes. Returns the output within `milliseconds` as hex digits. */
  async send(bytes: readonly number[], milliseconds = 5): Promise<string> {
    this.terminal.take();
    this.terminal.wired.send(Uint8Array.from(bytes));
    await this.clock.advance(milliseconds);
    return hexOf(this.terminal.take());
  }

  /** Sends text as bytes. */
  async type(text: string, milliseconds?: number): Promise<string> {
    return this.send([...Buffer.from(text, 'latin1')], milliseconds);
  }

  /** STK500 v1: sends a command with its end. */
  async v1(bytes: readonly number[], milliseconds?: number): Promise<string> {
    return this.send([...bytes, 0x20], milliseconds);
  }

  /** STK500 v1: loads a byte address and writes a block. Returns the answer to the write. */
  async v1Write(address: number, data: readonly number[], type = 'F', milliseconds?: number): Promise<string> {
    await this.v1([0x55, (address >> 1) & 0xff, address >> 9]);
    return this.v1([0x64, data.length >> 8, data.length & 0xff, type.charCodeAt(0), ...data], milliseconds);
  }

  /** STK500 v1: loads a byte address and reads a block. */
  async v1Read(address: number, length: number, type = 'F'): Promise<string> {
    await this.v1([0x55, (address >> 1) & 0xff, address >> 9]);
    return this.v1([0x74, length >> 8, length & 0xff, type.charCodeAt(0)]);
  }

  /** STK500 v2: sends a message. Returns the body of the answer as hex digits; anything unexpected as it came. */
  async v2(body: readonly number[], milliseconds?: number): Promise<string> {
    this.#sequence = (this.#sequence + 1) & 0xff;
    const head = [0x1b, this.#sequence, body.length >> 8, body.length & 0xff, 0x0e, ...body];
    const answer = await this.send([...head, xor(head)], milliseconds);
    const bytes = Buffer.from(answer, 'hex');
    const length = bytes.length < 6 ? -1 : bytes.readUInt16BE(2);
    const isFrame = bytes[0] === 0x1b && bytes[1] === this.#sequence && bytes[4] === 0x0e && xor(bytes) === 0;
    return isFrame && length === bytes.length - 6 ? answer.slice(10, -2) : `not a frame: ${answer}`;
  }

  /** STK500 v2: loads a word address. */
  async v2Address(words: number): Promise<string> {
    return this.v2([0x06, (words >>> 24) & 0xff, (words >> 16) & 0xff, (words >> 8) & 0xff, words & 0xff]);
  }

  /** STK500 v2: writes at the loaded address. */
  async v2Write(data: readonly number[], code: 0x13 | 0x15 = 0x13, milliseconds?: number): Promise<string> {
    const parameters = [data.length >> 8, data.length & 0xff, 0xc1, 10, 0x40, 0x4c, 0x20, 0, 0];
    return this.v2([code, ...parameters, ...data], milliseconds);
  }

  /** STK500 v2: reads at the loaded address. Returns the data as hex digits. */
  async v2Read(length: number, code: 0x14 | 0x16 = 0x14): Promise<string> {
    return (await this.v2([code, length >> 8, length & 0xff, 0x20])).slice(4, -2);
  }

  /** AVR109: sets a word address and writes a block. */
  async blockWrite(words: number, data: readonly number[], type = 'F', milliseconds?: number): Promise<string> {
    await this.send([0x41, words >> 8, words & 0xff]);
    return this.send([0x42, data.length >> 8, data.length & 0xff, type.charCodeAt(0), ...data], milliseconds);
  }

  /** AVR109: sets a word address and reads a block. */
  async blockRead(words: number, length: number, type = 'F'): Promise<string> {
    await this.send([0x41, words >> 8, words & 0xff]);
    return this.send([0x67, length >> 8, length & 0xff, type.charCodeAt(0)]);
  }
}

/** Returns bytes that differ from their neighbours. */
export function pattern(length: number, seed = 3): number[] {
  return Array.from({ length }, (_, index) => (index * 7 + seed) & 0xff);
}

function xor(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
  }
  return sum;
}
