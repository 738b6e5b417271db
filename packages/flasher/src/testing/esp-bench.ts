/** A simulated Espressif board on a virtual clock, and a client that flashes it: what the integration tests share. */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice, type EspDeviceOptions, type EspPort, type PortWiring } from '@wirebench/devices';
import { chipNames } from '../espressif/chips/chip-name.ts';
import { loadChip } from '../espressif/chips/load-chip.ts';
import { connectBoard } from '../espressif/connect-board.ts';
import type { BoardNotice, ConnectOptions, ConnectStep, EspBoard } from '../espressif/esp-board.ts';

/** Virtual milliseconds between two looks at whether something has ended. */
const STRIDE = 10;
/** Virtual milliseconds after which a test has hung. */
const HUNG = 600_000;

export interface EspBenchOptions extends Partial<EspDeviceOptions>, Pick<PortWiring, 'pace'> {
  readonly wire?: PortWiring['faults'];
  readonly wireSeed?: number;
}

export class EspBench {
  readonly clock = new VirtualClock(1_000_000);
  readonly device: EspDevice;
  readonly demo: EspPort;
  readonly steps: ConnectStep[] = [];
  readonly notices: BoardNotice[] = [];
  /** What the board printed. */
  text = '';
  /** When the cable was pulled. */
  unpluggedAt: number | null = null;

  constructor({ wire, wireSeed, pace = 'wire', ...options }: EspBenchOptions = {}) {
    this.device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' }, ...options });
    const faults = { ...(wire !== undefined && { faults: wire }), ...(wireSeed !== undefined && { seed: wireSeed }) };
    this.demo = createEspPort(this.device, { clock: this.clock, pace, ...faults });
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

  /** Connects, with everything that is told kept. */
  connect(options: Partial<ConnectOptions> = {}): Promise<EspBoard> {
    return this.run(this.connecting(options));
  }

  /** The same without moving time: for tests that do so themselves. */
  connecting(options: Partial<ConnectOptions> = {}): Promise<EspBoard> {
    return connectBoard(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onNotice: (notice) => this.notices.push(notice),
      onText: (bytes) => {
        this.text += String.fromCharCode(...bytes);
      },
      ...options,
    });
  }

  /** Moves time on until `work` has ended, and gives what it gives. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    const start = this.clock.now();
    for (await this.clock.settle(); !ended; await this.clock.advance(STRIDE)) {
      if (this.clock.now() - start > HUNG) {
        throw new Error('Nothing has ended for ten minutes.');
      }
      // Modules are loaded by the machine, and not by the virtual clock.
      await new Promise(setImmediate);
    }
    return work;
  }

  /** What stands in flash. */
  flash(offset: number, length: number): Uint8Array {
    return this.device.flash.read(offset, length);
  }
}

/** Loads what a first connection would load, so that no virtual time passes meanwhile. */
export async function loadAllChips(): Promise<void> {
  for (const name of chipNames) {
    const chip = await loadChip(name);
    await chip.loadStub({ major: 0, minor: 1 });
    await chip.loadStub({ major: 3, minor: 0 });
  }
}

/** Bytes like those of a program: neither all alike nor all different, and never twice the same for another seed. */
export function program(length: number, seed = 1): Uint8Array {
  return noise(length, seed).map((byte, index) => ((index & 12) === 0 ? byte : (index >>> 4) & 0xff));
}

/** Bytes that cannot be compressed. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2_654_435_761;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
