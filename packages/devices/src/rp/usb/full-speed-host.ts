/**
 * The host's side of full-speed USB with a boot ROM at the other end: packets of 64 bytes, at most 19 in a frame of a
 * millisecond (USB 2.0, section 5.8.4), data toggles, and the wait while a device answers NAK.
 */
import type { Clock } from '@wirebench/clock';
import type { ControlAnswer, Setup } from '../rom/boot-device.ts';
import { type InPacket, type OutResult, packetSize } from '../rom/endpoint.ts';

/** Milliseconds of a packet of 64 bytes. */
const packetTime = 1 / 19;
/** Milliseconds of a control request without data: setup and status share a frame with others. */
const controlTime = 1;
/** Milliseconds of a bus reset (USB 2.0, section 7.1.7.5: at least 10 for a root port). */
const resetTime = 10;

/** Result of a transfer. `gone`: it was aborted, or the device left. */
export interface TransferResult {
  readonly result: 'ok' | 'stall' | 'babble' | 'gone';
  /** Bytes received, or the number of those that the device took. */
  readonly data: Uint8Array<ArrayBuffer>;
  readonly sent: number;
}

/** The device at the other end, transaction by transaction. */
export interface UsbTarget {
  out(endpoint: number, data: Uint8Array, toggle: number): OutResult;
  in(endpoint: number): InPacket | 'nak' | 'stall';
  control(setup: Setup): ControlAnswer;
  busReset(): void;
  /** False: the endpoint would answer NAK. */
  isReady(endpoint: number): boolean;
  onChange(listener: () => void): () => void;
}

export interface HostOptions {
  readonly clock: Clock;
  /** `none`: packets take no time. */
  readonly pace: 'wire' | 'none';
  /** Milliseconds by which packets may run ahead of the clock. */
  readonly slack: number;
}

export class FullSpeedHost {
  readonly #options: HostOptions;
  readonly #device: UsbTarget;
  readonly #gone = new AbortController();
  readonly #toggles = new Map<number, number>();
  /** Time until which the bus is used. */
  #busyUntil = 0;

  constructor(device: UsbTarget, options: HostOptions) {
    this.#device = device;
    this.#options = options;
  }

  /** The device has left the bus: pending transfers end. */
  leave(): void {
    this.#gone.abort();
  }

  async control(setup: Setup): Promise<ControlAnswer | 'gone'> {
    await this.#spend(controlTime + Math.ceil(setup.length / packetSize) * packetTime);
    if (this.#gone.signal.aborted) {
      return 'gone';
    }
    const answer = this.#device.control(setup);
    if (typeof answer !== 'string' && setup.type === 0 && setup.request === 9) {
      this.#toggles.clear();
    } else if (typeof answer !== 'string' && setup.type === 2 && setup.request === 1) {
      this.#toggles.set(setup.index, 0);
    }
    return answer;
  }

  async send(endpoint: number, data: Uint8Array, signal?: AbortSignal): Promise<TransferResult> {
    let sent = 0;
    do {
      const packet = data.slice(sent, sent + packetSize);
      const result = await this.#packet(endpoint, signal, () => this.#sendPacket(endpoint, packet));
      if (result !== 'ack') {
        return { result, data: new Uint8Array(), sent };
      }
      sent += packet.length;
    } while (sent < data.length);
    return { result: 'ok', data: new Uint8Array(), sent };
  }

  /** Receives up to `length` bytes. A short packet ends the transfer. */
  async receive(endpoint: number, length: number, signal?: AbortSignal): Promise<TransferResult> {
    const data = new Uint8Array(Math.ceil(Math.max(1, length) / packetSize) * packetSize);
    let received = 0;
    for (;;) {
      const packet = await this.#packet(endpoint, signal, () => this.#receivePacket(endpoint));
      if (typeof packet === 'string') {
        return { result: packet, data: data.slice(0, received), sent: 0 };
      }
      data.set(packet, received);
      received += packet.length;
      if (received > length) {
        return { result: 'babble', data: data.slice(0, length), sent: 0 };
      }
      if (packet.length < packetSize || received === length) {
        return { result: 'ok', data: data.slice(0, received), sent: 0 };
      }
    }
  }

  /** Resets the bus and configures the device again, as an operating system does. */
  async reset(): Promise<void> {
    await this.#spend(resetTime);
    this.#device.busReset();
    this.#toggles.clear();
    await this.configure();
  }

  /** SET_CONFIGURATION 1. */
  async configure(): Promise<void> {
    await this.control({ type: 0, request: 9, value: 1, index: 0, length: 0 });
  }

  #sendPacket(endpoint: number, packet: Uint8Array): 'ack' | 'nak' | 'stall' {
    const toggle = this.#toggles.get(endpoint) ?? 0;
    const result = this.#device.out(endpoint, packet, toggle);
    if (result === 'ack') {
      this.#toggles.set(endpoint, toggle ^ 1);
    }
    return result;
  }

  /** Receives a packet. One with the wrong toggle is dropped: the host takes it for a repetition. */
  #receivePacket(endpoint: number): Uint8Array | 'nak' | 'stall' {
    const toggle = this.#toggles.get(endpoint) ?? 0;
    const answer = this.#device.in(endpoint);
    if (typeof answer === 'string') {
      return answer;
    }
    if (answer.toggle !== toggle) {
      return 'nak';
    }
    this.#toggles.set(endpoint, toggle ^ 1);
    return answer.data;
  }

  /** Repeats a transaction until the device does not answer NAK. */
  async #packet<T extends Uint8Array | string>(
    endpoint: number,
    signal: AbortSignal | undefined,
    attempt: () => T | 'nak',
  ): Promise<T | 'gone'> {
    for (;;) {
      if (!(await this.#untilReady(endpoint, signal))) {
        return 'gone';
      }
      await this.#spend(packetTime);
      if (this.#isOver(signal)) {
        return 'gone';
      }
      const result = attempt();
      if (result !== 'nak') {
        return result;
      }
    }
  }

  #isOver(signal: AbortSignal | undefined): boolean {
    return this.#gone.signal.aborted || signal?.aborted === true;
  }

  /** Waits while the endpoint would answer NAK. @returns False if the transfer was aborted. */
  async #untilReady(endpoint: number, signal: AbortSignal | undefined): Promise<boolean> {
    const isReady = () => this.#device.isReady(endpoint);
    if (!isReady() && !this.#isOver(signal)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = this.#device.onChange(() => {
        if (isReady()) {
          resolve();
        }
      });
      const stop = () => resolve();
      this.#gone.signal.addEventListener('abort', stop, { once: true });
      signal?.addEventListener('abort', stop, { once: true });
      await promise;
      end();
      this.#gone.signal.removeEventListener('abort', stop);
      signal?.removeEventListener('abort', stop);
    }
    return !this.#isOver(signal);
  }

  /** Uses the bus for `duration` ms. */
  async #spend(duration: number): Promise<void> {
    const { clock, pace, slack } = this.#options;
    if (pace === 'none') {
      return;
    }
    this.#busyUntil = Math.max(this.#busyUntil, clock.now()) + duration;
    const ahead = this.#busyUntil - clock.now();
    if (ahead > slack) {
      await clock.sleep(ahead);
    }
  }
}
