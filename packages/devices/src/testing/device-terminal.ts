/** A host without a port: opens a device, keeps everything that it says, and types at it. */
import type { VirtualClock } from '@wirebench/clock';
import type { Device, LineError } from '../wire/device.ts';
import type { UartSettings } from '../wire/link.ts';
import { WiredDevice, type WiredDeviceOptions } from '../wire/wired-device.ts';

export class DeviceTerminal {
  readonly wired: WiredDevice;
  readonly errors: LineError[] = [];
  readonly #clock: VirtualClock;
  #received: number[] = [];

  /** Powers the device. Paces at wire speed unless said otherwise. */
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

  /** Opens as a driver does: DTR and RTS raised. Without settings the rate always fits. */
  open(settings: UartSettings | null = null): void {
    this.wired.setLines({ dtr: true, rts: true });
    this.wired.open(settings);
  }

  type(text: string): void {
    this.wired.send(new TextEncoder().encode(text));
  }

  /** What has been received by now, which is forgotten here. */
  take(): Uint8Array<ArrayBuffer> {
    const { bytes } = this;
    this.#received = [];
    return bytes;
  }

  /** Types, lets so many milliseconds pass, and gives what came meanwhile as text. */
  async ask(text: string, milliseconds: number): Promise<string> {
    this.take();
    this.type(text);
    await this.#clock.advance(milliseconds);
    return this.text;
  }
}
