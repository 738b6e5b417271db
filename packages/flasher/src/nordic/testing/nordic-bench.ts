/** A simulated Nordic board on a virtual clock, and the client that works with it. */
import { VirtualClock } from '@wirebench/clock';
import {
  createNordicPort,
  NordicDevice,
  type NordicDeviceOptions,
  type NordicPort,
  type NordicPortWiring,
} from '@wirebench/devices';
import { connectNordic } from '../connect-nordic.ts';
import type { NordicBoard, NordicConnectOptions, NordicConnectStep } from '../nordic-board.ts';

/** How far time goes at once while something is waited for, in milliseconds. */
const STRIDE = 20;
/** Virtual milliseconds after which a test has hung. */
const HUNG = 900_000;

export interface NordicBenchOptions extends NordicDeviceOptions, Pick<NordicPortWiring, 'pace'> {
  readonly wire?: NordicPortWiring['faults'];
  readonly wireSeed?: number;
  /** The board comes back where this page may not go. */
  readonly withoutReturn?: boolean;
}

export class NordicBench {
  readonly clock = new VirtualClock(1_000_000);
  readonly device: NordicDevice;
  readonly demo: NordicPort;
  readonly steps: NordicConnectStep[] = [];
  /** What the board printed. */
  text = '';
  /** When the cable was pulled for good. */
  unpluggedAt: number | null = null;
  readonly #withoutReturn: boolean;
  #used: SerialPort | null = null;

  constructor({ wire, wireSeed, pace = 'wire', withoutReturn = false, ...options }: NordicBenchOptions) {
    this.#withoutReturn = withoutReturn;
    this.device = new NordicDevice({ powerUp: 'bootloader', ...options });
    const faults = { ...(wire !== undefined && { faults: wire }), ...(wireSeed !== undefined && { seed: wireSeed }) };
    this.demo = createNordicPort(this.device, { clock: this.clock, pace, ...faults });
    this.demo.serial.addEventListener('disconnect', () => {
      this.unpluggedAt = this.clock.now();
    });
    this.demo.serial.addEventListener('connect', () => {
      this.unpluggedAt = null;
    });
  }

  get port(): SerialPort {
    const { port } = this.demo;
    if (port === null) {
      throw new Error('The board is unplugged.');
    }
    return port;
  }

  /** Lets the board start, then connects, with everything that is told kept. */
  async connect(options: Partial<NordicConnectOptions> = {}): Promise<NordicBoard> {
    await this.clock.advance(100);
    return this.run(this.connecting(options));
  }

  /** The same without moving time: for tests that do so themselves. */
  connecting(options: Partial<NordicConnectOptions> = {}): Promise<NordicBoard> {
    this.#used = this.port;
    return connectNordic(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onText: (bytes) => {
        this.text += String.fromCharCode(...bytes);
      },
      ...(!this.#withoutReturn && { returned: (signal) => this.returned(signal) }),
      ...options,
    });
  }

  /** The port as which the board is there after it has vanished. */
  async returned(signal: AbortSignal): Promise<SerialPort> {
    while (this.demo.port === null || this.demo.port === this.#used) {
      await new Promise<void>((resolve, reject) => {
        this.demo.serial.addEventListener('connect', () => resolve(), { once: true });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    this.#used = this.demo.port;
    return this.demo.port;
  }

  /** Moves time on until `work` has ended, and gives what it gives. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    const start = this.clock.now();
    for (await this.clock.settle(); !ended; ) {
      if (this.clock.now() - start > HUNG) {
        throw new Error('Nothing has ended for fifteen minutes.');
      }
      // Hashes are calculated by the machine: where nothing waits for the virtual clock, it stands still meanwhile.
      await new Promise(setImmediate);
      if (this.clock.pending > 0) {
        await this.clock.advance(STRIDE);
      } else {
        await this.clock.settle();
      }
    }
    return work;
  }

  /** What stands in flash. */
  flash(offset: number, length: number): Uint8Array {
    return this.device.flash.read(offset, length);
  }

  /** Whether `image` stands anywhere in flash, at the start of a page. */
  holds(image: Uint8Array, flashSize = 0x8_0000): boolean {
    for (let offset = 0; offset + image.length <= flashSize; offset += 0x200) {
      const starts = this.flash(offset, 8).every((byte, index) => byte === image[index]);
      if (starts && this.flash(offset, image.length).every((byte, index) => byte === image[index])) {
        return true;
      }
    }
    return false;
  }
}
