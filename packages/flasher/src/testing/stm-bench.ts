/** A simulated STM32 on a virtual clock, behind a UART or on USB, and a client that flashes it: what the integration tests share. */
import { VirtualClock } from '@wirebench/clock';
import {
  createStmPort,
  type PortWiring,
  StmDevice,
  type StmDeviceOptions,
  StmDfuBoard,
  type StmDfuOptions,
  type StmPort,
} from '@wirebench/devices';
import { stmEntries } from '../stm32/an3155/entry.ts';
import { connectStm } from '../stm32/connect-stm.ts';
import { connectStmUsb } from '../stm32/connect-stm-usb.ts';
import { flashStart } from '../stm32/parts/flash-layout.ts';
import type { StmBoard, StmConnectOptions, StmConnectStep, StmUsbOptions } from '../stm32/stm-board.ts';

/** Virtual milliseconds between two looks at whether something has ended. */
const STRIDE = 10;
/** Virtual milliseconds after which a test has hung. */
const HUNG = 600_000;

/** Moves time on until `work` has ended. What waits for the machine, and for no timer, is waited for without moving it. */
async function runOn<Result>(clock: VirtualClock, work: Promise<Result>): Promise<Result> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  const start = clock.now();
  for (await clock.settle(); !ended; ) {
    if (clock.pending > 0) {
      await clock.advance(STRIDE);
    }
    if (clock.now() - start > HUNG) {
      throw new Error('Nothing has ended for ten minutes.');
    }
    await new Promise(setImmediate);
  }
  return work;
}

export interface StmBenchOptions extends Partial<StmDeviceOptions>, Pick<PortWiring, 'pace'> {
  readonly wire?: PortWiring['faults'];
  readonly wireSeed?: number;
}

export class StmBench {
  readonly clock = new VirtualClock(1_000_000);
  readonly device: StmDevice;
  readonly demo: StmPort;
  readonly steps: StmConnectStep[] = [];
  /** When the cable was pulled. */
  unpluggedAt: number | null = null;

  constructor({ wire, wireSeed, pace = 'wire', ...options }: StmBenchOptions = {}) {
    this.device = new StmDevice({ part: 'stm32f103', content: 'empty', ...options });
    const faults = { ...(wire !== undefined && { faults: wire }), ...(wireSeed !== undefined && { seed: wireSeed }) };
    this.demo = createStmPort(this.device, { clock: this.clock, pace, ...faults });
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

  connect(options: Partial<StmConnectOptions> = {}): Promise<StmBoard> {
    const onStep = (step: StmConnectStep) => this.steps.push(step);
    return this.run(connectStm(this.port, { clock: this.clock, entry: stmEntries.usual, onStep, ...options }));
  }

  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }

  /** What stands in flash. @param at bytes from its start. */
  flash(at: number, length: number): Uint8Array {
    return this.device.readMemory(flashStart + at, length);
  }
}

export class StmUsbBench {
  readonly clock = new VirtualClock(1_000_000);
  readonly board: StmDfuBoard;
  readonly steps: StmConnectStep[] = [];
  unpluggedAt: number | null = null;

  constructor(options: Partial<StmDfuOptions> = {}) {
    this.board = new StmDfuBoard({ part: 'stm32f407', content: 'empty', ...options, clock: this.clock });
    this.board.usb.addEventListener('disconnect', () => {
      this.unpluggedAt ??= this.clock.now();
    });
  }

  async connect(options: Partial<StmUsbOptions> = {}): Promise<StmBoard> {
    for (let waited = 0; this.board.device === null && waited < 2_000; waited += STRIDE) {
      await this.clock.advance(STRIDE);
    }
    const { device } = this.board;
    if (device === null) {
      throw new Error('The board is not on the bus.');
    }
    const onStep = (step: StmConnectStep) => this.steps.push(step);
    return this.run(connectStmUsb(device, { clock: this.clock, onStep, ...options }));
  }

  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }

  flash(at: number, length: number): Uint8Array {
    return this.board.readMemory(flashStart + at, length);
  }
}
