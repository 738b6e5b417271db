/** A simulated board with an RP2040 on a virtual clock, in BOOTSEL, and a client that flashes it. Shared by the device tests. */
import { VirtualClock } from '@wirebench/clock';
import { runOn } from '../../testing/run-on.ts';
import { connectRpUsb, type RpUsbOptions } from '../connect/connect-rp-usb.ts';
import { flashStart } from '../files/index.ts';
import type { RpBoard, RpConnectStep } from '../rp-board.ts';
import { RpError } from '../rp-failure.ts';
import { type RpBoardOptions, RpBoard as RpDevice } from './simulated-rp.ts';

/** Time until the board is on the bus, in milliseconds. */
const ARRIVAL = 1_000;

export class RpRig {
  readonly clock = new VirtualClock(1_000_000);
  readonly device: RpDevice;
  readonly steps: RpConnectStep[] = [];
  unpluggedAt: number | null = null;

  constructor(options: Partial<RpBoardOptions> = {}) {
    this.device = new RpDevice({ bootsel: true, ...options, clock: this.clock });
    this.device.usb.addEventListener('disconnect', () => {
      this.unpluggedAt ??= this.clock.now();
    });
  }

  /** Connects over USB, as a page does that hears when a device is unplugged. */
  async connect(options: Partial<RpUsbOptions> = {}): Promise<RpBoard> {
    await this.clock.advance(ARRIVAL);
    return this.run(this.connecting(options));
  }

  connecting(options: Partial<RpUsbOptions> = {}): Promise<RpBoard> {
    const { device } = this.device;
    if (device === null) {
      throw new Error('The board is not on the bus.');
    }
    const gone = new AbortController();
    this.device.usb.addEventListener('disconnect', () => gone.abort(), { once: true });
    const onStep = (step: RpConnectStep) => this.steps.push(step);
    return connectRpUsb(device, { clock: this.clock, gone: gone.signal, onStep, ...options });
  }

  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }

  /** Returns a range of the simulated flash. @param at Address. */
  flash(at: number, length: number): Uint8Array {
    return this.device.flash.read(at - flashStart, length);
  }
}

/** Returns the code of the failure; `ok` without one. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof RpError ? error.code : String(error)),
  );
