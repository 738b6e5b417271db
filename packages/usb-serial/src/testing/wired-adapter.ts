/** A fake adapter with a simulated device at its wires: bytes take the time of the UART, and of the bus. */
import type { Clock } from '@wirebench/clock';
import { WiredDevice } from '@wirebench/devices';
import { type AdapterName, type FakeAdapter, fakeAdapter } from './adapters.ts';
import type { ChipError, UartState } from './chips/uart-chip.ts';

/** Time of one frame of the bus in milliseconds: a chip looks that often for bytes to send. */
const FRAME = 1;
/** Bytes that the chip holds for the device. */
const TRANSMIT_BUFFER = 512;

type Device = ConstructorParameters<typeof WiredDevice>[0];

export interface WiredAdapterOptions {
  readonly clock: Clock;
  readonly name: AdapterName;
  readonly device: Device;
  readonly latency?: () => number;
  /** Bytes that the chip holds for the host. Default 512. */
  readonly receiveBuffer?: number;
  /** True: the device sends on while the chip's buffer is full, and bytes are lost. Default: it waits. */
  readonly isLossy?: boolean;
  readonly pace?: 'wire' | 'none';
}

export class WiredAdapter {
  readonly adapter: FakeAdapter;
  readonly wired: WiredDevice;
  /** Bytes that did not fit the chip's buffer. */
  lost = 0;
  readonly #clock: Clock;
  readonly #receiveBuffer: number;
  readonly #isLossy: boolean;
  readonly #received: (number | ChipError)[] = [];
  #isTicking = false;
  #settings = '';
  #roomAgain: (() => void)[] = [];

  constructor({
    clock,
    name,
    device,
    latency,
    receiveBuffer = 512,
    isLossy = false,
    pace = 'wire',
  }: WiredAdapterOptions) {
    this.#clock = clock;
    this.#receiveBuffer = receiveBuffer;
    this.#isLossy = isLossy;
    this.adapter = fakeAdapter(name, clock, latency);
    const { chip, uart } = this.adapter;
    this.wired = new WiredDevice(
      device,
      {
        room: () => (isLossy ? Infinity : this.#receiveBuffer - this.#received.length),
        receive: (bytes) => this.#receive([...bytes]),
        lineError: (error) => this.#receive([error]),
        moved: () => this.#moved(),
      },
      { clock, pace },
    );
    chip.onChange = (changed, state) => changed === uart && this.#follow(state);
    chip.onBytes = (at, bytes, signal) => (at === uart ? this.#send(bytes, signal) : bytes.length);
    chip.onPolled = (at) => at === uart && this.#tick();
  }

  /** Causes a line error after the bytes that the device has sent. */
  inject(error: ChipError): void {
    this.#receive([error]);
  }

  #receive(items: readonly (number | ChipError)[]): void {
    for (const item of items) {
      if (this.#isLossy && typeof item === 'number' && this.#received.length >= this.#receiveBuffer) {
        this.lost++;
      } else {
        this.#received.push(item);
      }
    }
    this.#tick();
  }

  /** Sends what has come to the host at the next frame of the bus. */
  #tick(): void {
    if (this.#isTicking || this.#received.length === 0) {
      return;
    }
    this.#isTicking = true;
    this.#clock.schedule(FRAME, () => {
      this.#isTicking = false;
      this.#flush();
      this.wired.resume();
    });
  }

  #flush(): void {
    const { device, endpoints, chip, uart, packetSize } = this.adapter;
    while (this.#received.length > 0 && device.isPolled(endpoints.in)) {
      const [first] = this.#received;
      if (typeof first === 'string') {
        this.#received.shift();
        const { bulk, notification } = chip.report(uart, first);
        if (bulk) {
          device.packet(endpoints.in, bulk);
        } else if (notification) {
          device.packet(endpoints.interrupt ?? 0, notification);
        }
        continue;
      }
      const end = this.#received.findIndex((item) => typeof item === 'string');
      const bytes = this.#received.splice(0, end < 0 ? Infinity : end) as number[];
      const packets = chip.packets(uart, Uint8Array.from(bytes), packetSize);
      for (const packet of packets) {
        device.packet(endpoints.in, packet);
      }
      if (packets.at(-1)?.length === packetSize) {
        // A full packet does not end a transfer. An FTDI sends its status.
        device.packet(endpoints.in, chip.packets(uart, new Uint8Array(), packetSize)[0] ?? new Uint8Array());
      }
    }
    this.#tickAgain();
  }

  /** A transfer that begins to wait calls `polled`. */
  #tickAgain(): void {
    const { device, endpoints } = this.adapter;
    if (this.#received.length > 0 && device.isPolled(endpoints.in)) {
      this.#tick();
    }
  }

  /** Resolves when all bytes are in the chip's buffer. */
  async #send(bytes: Uint8Array, signal: AbortSignal): Promise<number> {
    for (let at = 0; at < bytes.length && !signal.aborted; ) {
      const room = TRANSMIT_BUFFER - this.wired.pendingToDevice;
      if (room > 0) {
        this.wired.send(bytes.subarray(at, at + room));
        at += room;
      } else {
        await new Promise<void>((resolve) => this.#roomAgain.push(resolve));
      }
    }
    return bytes.length;
  }

  #moved(): void {
    for (const resolve of this.#roomAgain.splice(0)) {
      resolve();
    }
  }

  #follow(state: UartState): void {
    const { dtr, rts, rate, dataBits, parity, stopBits } = state;
    this.wired.setLines({ dtr, rts, break: state.break });
    const settings = JSON.stringify([rate, dataBits, parity, stopBits, state.isEnabled]);
    if (
      settings !== this.#settings &&
      state.isEnabled &&
      (parity === 'none' || parity === 'odd' || parity === 'even')
    ) {
      this.wired.open({
        baudRate: rate,
        dataBits: dataBits === 7 ? 7 : 8,
        stopBits: stopBits === 2 ? 2 : 1,
        parity,
      });
    }
    this.#settings = settings;
  }
}
