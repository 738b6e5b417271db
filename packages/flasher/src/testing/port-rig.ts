/** A simulated board behind a serial port, on a virtual clock: what the rigs of all families share. */
import { VirtualClock } from '@wirebench/clock';
import type { PortWiring } from '@wirebench/devices';
import { runOn } from './run-on.ts';

export interface RigWiring {
  /** Default `wire`. */
  readonly pace?: PortWiring['pace'] | undefined;
  readonly wire?: PortWiring['faults'] | undefined;
  readonly wireSeed?: number | undefined;
}

/** A board that is plugged in, or was. */
interface Plugged {
  readonly serial: EventTarget;
  readonly port: SerialPort | null;
}

export class PortRig<Demo extends Plugged> {
  readonly clock = new VirtualClock(1_000_000);
  readonly demo: Demo;
  /** When the cable was pulled first. */
  unpluggedAt: number | null = null;

  /** @param plug plugs the board in, with this clock and these faults */
  constructor(
    plug: (wiring: PortWiring & { readonly clock: VirtualClock }) => Demo,
    { wire, wireSeed, pace = 'wire' }: RigWiring,
  ) {
    const faults = { ...(wire !== undefined && { faults: wire }), ...(wireSeed !== undefined && { seed: wireSeed }) };
    this.demo = plug({ clock: this.clock, pace, ...faults });
    this.demo.serial.addEventListener('disconnect', () => {
      this.unpluggedAt ??= this.clock.now();
    });
  }

  get port(): SerialPort {
    const { port } = this.demo;
    if (port === null) {
      throw new Error('The board is unplugged.');
    }
    return port;
  }

  /** Moves time on until `work` has ended, and gives what it gives. */
  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }
}
