/**
 * A host for the tests of the boards that speaks the three protocols by hand. Its framing and checksums are written
 * independently from the documents; the devices use none of them.
 */
import { VirtualClock } from '@wirebench/clock';
import { DeviceTerminal } from '../../testing/device-terminal.ts';
import { hexOf } from '../../testing/hex.ts';
import type { WiredDeviceOptions } from '../../wire/wired-device.ts';
import { NrfDevice } from '../nrf-device.ts';
import type { NrfDeviceOptions } from '../options.ts';

export class NrfHost {
  readonly clock = new VirtualClock(1_000);
  readonly device: NrfDevice;
  readonly terminal: DeviceTerminal;

  constructor(options: NrfDeviceOptions, wiring: Omit<WiredDeviceOptions, 'clock'> = { pace: 'none' }) {
    this.device = new NrfDevice(options);
    this.terminal = new DeviceTerminal(this.device, this.clock, wiring);
  }

  /** Opens the port and waits for the chip's start. */
  async open(): Promise<this> {
    this.terminal.wired.open(null);
    await this.clock.advance(60);
    return this;
  }

  /** Sends raw bytes. Returns the output within `milliseconds`. */
  async raw(bytes: Uint8Array, milliseconds = 5): Promise<Uint8Array> {
    this.terminal.take();
    this.terminal.wired.send(bytes);
    await this.clock.advance(milliseconds);
    return this.terminal.take();
  }

  /** Secure DFU: sends one request. Returns the answers as hex digits. */
  async ask(request: readonly number[] | Uint8Array, milliseconds = 5): Promise<string> {
    const answers = slipFramesIn(await this.raw(slipEnded(Uint8Array.from(request)), milliseconds));
    return answers.map(hexOf).join(' ');
  }

  /** Secure DFU: writes an object in pieces of `piece` bytes. */
  async write(object: Uint8Array, piece = 1_024): Promise<void> {
    for (let at = 0; at < object.length; at += piece) {
      await this.ask([0x08, ...object.subarray(at, at + piece)], 0);
    }
    await this.clock.advance(1);
  }

  /** Secure DFU: sends the init packet. Returns the answer to its execution. */
  async sendInit(init: Uint8Array): Promise<string> {
    await this.ask([0x01, 0x01, ...u32(init.length)]);
    await this.write(init);
    return this.ask([0x04]);
  }

  /** Secure DFU: sends firmware object by object. Returns the answer to the last execution. */
  async sendFirmware(image: Uint8Array, from = 0): Promise<string> {
    let answer = '';
    for (let at = from; at < image.length; at += 4_096) {
      const object = image.subarray(at, at + 4_096);
      await this.ask([0x01, 0x02, ...u32(object.length)]);
      await this.write(object);
      answer = await this.ask([0x04]);
    }
    return answer;
  }
}

export function u32(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}

export function u16(value: number): number[] {
  return [value & 0xff, value >>> 8];
}

function slipEscaped(payload: Uint8Array): number[] {
  return Array.from(payload).flatMap((byte) => (byte === 0xc0 ? [0xdb, 0xdc] : byte === 0xdb ? [0xdb, 0xdd] : [byte]));
}

export function slipEnded(payload: Uint8Array): Uint8Array {
  return Uint8Array.from([...slipEscaped(payload), 0xc0]);
}

/** Returns the frames between the C0s. */
function slipFramesIn(bytes: Uint8Array): Uint8Array[] {
  const frames: number[][] = [[]];
  let escaped = false;
  for (const byte of bytes) {
    const frame = frames.at(-1) ?? [];
    if (byte === 0xc0) {
      frames.push([]);
    } else if (byte === 0xdb) {
      escaped = true;
    } else {
      frame.push(escaped ? (byte === 0xdc ? 0xc0 : 0xdb) : byte);
      escaped = false;
    }
  }
  return frames.filter(({ length }) => length > 0).map((frame) => Uint8Array.from(frame));
}

/** CRC-16/CCITT by the algorithm of adafruit-nrfutil. */
export function hostCrc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc = ((crc >> 8) & 0xff) | ((crc << 8) & 0xff00);
    crc ^= byte;
    crc ^= (crc & 0xff) >> 4;
    crc ^= (crc << 12) & 0xffff;
    crc ^= ((crc & 0xff) << 5) & 0xffff;
  }
  return crc & 0xffff;
}

/** Returns a packet of the legacy transport around `payload`. */
export function hciPacket(sequence: number, payload: readonly number[]): Uint8Array {
  const header = [
    sequence | (((sequence + 1) & 7) << 3) | 0xc0,
    14 | ((payload.length & 0x0f) << 4),
    (payload.length >> 4) & 0xff,
  ];
  const sum = -header.reduce((total, byte) => total + byte, 0) & 0xff;
  const content = [...header, sum, ...payload];
  const whole = Uint8Array.from([...content, ...u16(hostCrc16(Uint8Array.from(content)))]);
  return Uint8Array.from([0xc0, ...slipEscaped(whole), 0xc0]);
}
