/** A host without a port: opens a device, records its output and types input. */
import type { VirtualClock } from '@wirebench/clock';
import type { Device, LineError } from '../wire/device.ts';
import type { UartSettings } from '../wire/link.ts';
import { WiredDevice, type WiredDeviceOptions } from '../wire/wired-device.ts';

export class DeviceTerminal {
  readonly wired: WiredDevice;
  readonly errors: LineError[] = [];
  readonly #clock: VirtualClock;
  #received: number[] = [];

  /** Powers the device. Default pace: wire speed. */
  constructor(device: Device, clock: VirtualClock, options: Omit<WiredDeviceOptions, 'clock'> = {}) {
    this.#clock = clock;
    this.wired = new WiredDevice(
      device,
      {
        room: () => Infinity,
        receive: (bytes) => {
          for (const byte of bytes) {
            this.#received.push(byte);
          }
        },
        lineError: (error) => this.errors.push(error),
        moved: () => undefined,
      },
      { ...options, clock },
    );
  }

  /** Everything received since the last `take`. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#received);
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  /**
   * Opens the port as a driver does, with DTR and RTS raised. Without settings the rate always matches the device's.
   */
  open(settings: UartSettings | null = null): void {
    this.wired.setLines({ dtr: true, rts: true });
    this.wired.open(settings);
  }

  type(text: string): void {
    this.wired.send(new TextEncoder().encode(text));
  }

  /** Returns the bytes received so far and clears them. */
  take(): Uint8Array<ArrayBuffer> {
    const { bytes } = this;
    this.#received = [];
    return bytes;
  }

  /** Types `text`, advances the clock by `milliseconds`, and returns the output of that time as text. */
  async ask(text: string, milliseconds: number): Promise<string> {
    this.take();
    this.type(text);
    await this.#clock.advance(milliseconds);
    return this.text;
  }
}
