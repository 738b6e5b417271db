/** A simulated board behind a serial port, on a virtual clock. Common part of the rigs of all families. */
import { VirtualClock } from '@wirebench/clock';
import type { PortWiring } from '@wirebench/devices';
import { runOn } from './run-on.ts';

export interface RigWiring {
  /** Default `wire`, which takes the time of a real wire. */
  readonly pace?: PortWiring['pace'] | undefined;
  readonly wire?: PortWiring['faults'] | undefined;
  readonly wireSeed?: number | undefined;
}

/** A board; `port` is null after it was unplugged. */
interface Plugged {
  readonly serial: EventTarget;
  readonly port: SerialPort | null;
}

export class PortRig<Demo extends Plugged> {
  readonly clock = new VirtualClock(1_000_000);
  readonly demo: Demo;
  /** Time at which the cable was first pulled. */
  unpluggedAt: number | null = null;

  /** @param plug Plugs the board in, with this clock and these faults. */
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

  /** Advances time until `work` has ended, and returns its result. */
  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }
}
