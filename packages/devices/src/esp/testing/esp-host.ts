/**
 * A host for the tests of the device that speaks the protocol by hand. Its framing is written independently from the
 * document; the device uses none of it.
 */
import { VirtualClock } from '@wirebench/clock';
import { joined } from '../../byte-fields.ts';
import { DeviceTerminal } from '../../testing/device-terminal.ts';
import { hexOf } from '../../testing/hex.ts';
import type { WiredDeviceOptions } from '../../wire/wired-device.ts';
import { EspDevice } from '../esp-device.ts';
import type { EspDeviceOptions } from '../options.ts';

export class EspHost {
  readonly clock: VirtualClock;
  readonly device: EspDevice;
  readonly terminal: DeviceTerminal;

  constructor(
    options: EspDeviceOptions,
    wiring: Omit<WiredDeviceOptions, 'clock'> = { pace: 'none' },
    clock = new VirtualClock(1_000),
  ) {
    this.clock = clock;
    this.device = new EspDevice(options);
    this.terminal = new DeviceTerminal(this.device, this.clock, wiring);
  }

  /** Opens the port without touching EN and IO0. Default: at a rate that always matches. */
  open(baudRate?: number): void {
    this.terminal.wired.open(baudRate === undefined ? null : { baudRate, dataBits: 8, stopBits: 1, parity: 'none' });
  }

  /** Sends the sequence of the auto-reset circuit. Returns the chip's output as text. */
  async enterDownload(): Promise<string> {
    const { wired } = this.terminal;
    this.terminal.take();
    wired.setLines({ dtr: false, rts: true });
    await this.clock.advance(100);
    wired.setLines({ dtr: true, rts: true });
    wired.setLines({ dtr: true, rts: false });
    await this.clock.advance(50);
    wired.setLines({ dtr: false, rts: false });
    await this.clock.advance(10);
    return new TextDecoder().decode(this.terminal.take());
  }

  /** Pulls EN low and releases it with IO0 high. Returns the output within `milliseconds` as text. */
  async restart(milliseconds = 1_000): Promise<string> {
    const { wired } = this.terminal;
    wired.setLines({ dtr: false, rts: true });
    await this.clock.advance(50);
    this.terminal.take();
    wired.setLines({ dtr: false, rts: false });
    await this.clock.advance(milliseconds);
    return new TextDecoder().decode(this.terminal.take());
  }

  /** Sends raw bytes. Returns the frames received within `milliseconds`, as hex digits. */
  async raw(bytes: Uint8Array, milliseconds = 50): Promise<string[]> {
    this.terminal.take();
    this.terminal.wired.send(bytes);
    await this.clock.advance(milliseconds);
    return framesIn(this.terminal.take()).map(hexOf);
  }

  /** Sends one request. Returns the frames received within `milliseconds`, as hex digits. */
  async ask(opcode: number, data: Uint8Array = new Uint8Array(), checksum = 0, milliseconds = 50): Promise<string[]> {
    return this.raw(framed(request(opcode, data, checksum)), milliseconds);
  }

  async sync(): Promise<string[]> {
    return this.ask(0x08, syncData);
  }

  /** Sends a data request: length, sequence number, two zeros, payload. Default checksum: the correct one. */
  async sendBlock(opcode: number, sequence: number, payload: Uint8Array, checksum = sumOf(payload), milliseconds = 50) {
    return this.ask(opcode, joined(words(payload.length, sequence, 0, 0), payload), checksum, milliseconds);
  }

  /** Uploads and starts a few bytes that contain a stub's greeting. Returns the frames after MEM_END. */
  async startStub(address: number): Promise<string[]> {
    const code = Uint8Array.from({ length: 64 }, (_, index) => index);
    code.set(new TextEncoder().encode('OHAI'), 32);
    await this.ask(0x05, words(code.length, 1, 0x1800, address));
    await this.sendBlock(0x07, 0, code);
    return this.ask(0x06, words(0, address));
  }
}

export const syncData = Uint8Array.from([0x07, 0x07, 0x12, 0x20, ...new Array<number>(32).fill(0x55)]);

export function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) {
    view.setUint32(index * 4, value >>> 0, true);
  }
  return bytes;
}

export function request(opcode: number, data: Uint8Array, checksum: number, direction = 0, size = data.length) {
  return joined(Uint8Array.of(direction, opcode, size & 0xff, size >> 8), words(checksum), data);
}

export function framed(payload: Uint8Array): Uint8Array {
  const escaped = Array.from(payload).flatMap((byte) =>
    byte === 0xc0 ? [0xdb, 0xdc] : byte === 0xdb ? [0xdb, 0xdd] : [byte],
  );
  return Uint8Array.from([0xc0, ...escaped, 0xc0]);
}

/** Returns the frames in a stream of bytes; bytes outside frames are dropped. */
function framesIn(bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  let frame: number[] | null = null;
  let escaped = false;
  for (const byte of bytes) {
    if (byte === 0xc0) {
      if (frame !== null && frame.length > 0) {
        frames.push(Uint8Array.from(frame));
        frame = null;
      } else {
        frame = [];
      }
    } else if (frame !== null && byte === 0xdb) {
      escaped = true;
    } else if (frame !== null) {
      frame.push(escaped ? (byte === 0xdc ? 0xc0 : 0xdb) : byte);
      escaped = false;
    }
  }
  return frames;
}

export function sumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0xef);
}
