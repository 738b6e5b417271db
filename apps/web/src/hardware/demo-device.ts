/** The one entry to the simulated devices. They are a download of their own, fetched when somebody asks for a demo device. */
import type { Clock } from '@wirebench/clock';

export interface DemoDevice {
  /** What stands in the place of a board's port; null while unplugged, another object after each replug, as with a board. */
  readonly port: SerialPort | null;
  unplug(): void;
  replug(): void;
}

export interface DemoDeviceOptions {
  readonly clock: Clock;
  /** What the board's UART talks at; a port opened at another rate later shows rubbish, as a board would. */
  readonly baudRate: number;
  /** Tells boards apart: readings and the generated load follow from it. */
  readonly seed: number;
  /** Told of the new port after a replug. */
  readonly onAppeared: (port: SerialPort) => void;
}

/** A chatty board with a boot log and a small shell. Each one is a board of its own. */
export async function createDemoDevice({ clock, baudRate, seed, onAppeared }: DemoDeviceOptions): Promise<DemoDevice> {
  const { createDemoPort } = await import('@wirebench/devices');
  const demo = createDemoPort({ model: 'chatty', clock, baudRate, seed });
  demo.serial.addEventListener('connect', () => {
    if (demo.port !== null) {
      onAppeared(demo.port);
    }
  });
  return demo;
}
