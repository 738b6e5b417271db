/**
 * A simulated STM32 on a virtual clock, behind a UART or on USB, and a client that flashes it. Shared by the device
 * tests.
 */
import { VirtualClock } from '@wirebench/clock';
import {
  createStmPort,
  StmDevice,
  type StmDeviceOptions,
  StmDfuBoard,
  type StmDfuOptions,
  type StmPort,
} from '@wirebench/devices';
import { PortRig, type RigWiring } from '../../testing/port-rig.ts';
import { runOn, STRIDE } from '../../testing/run-on.ts';
import { stmEntries } from '../an3155/entry.ts';
import { connectStm } from '../connect/connect-stm.ts';
import { connectStmUsb } from '../connect/connect-stm-usb.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmBoard, StmConnectOptions, StmConnectStep, StmUsbOptions } from '../stm-board.ts';

export interface StmRigOptions extends Partial<StmDeviceOptions>, RigWiring {}

export class StmRig extends PortRig<StmPort> {
  readonly steps: StmConnectStep[] = [];

  constructor({ wire, wireSeed, pace, ...options }: StmRigOptions = {}) {
    const device = new StmDevice({ part: 'stm32f103', content: 'empty', ...options });
    super((wiring) => createStmPort(device, wiring), { wire, wireSeed, pace });
  }

  get device(): StmDevice {
    return this.demo.device;
  }

  connect(options: Partial<StmConnectOptions> = {}): Promise<StmBoard> {
    const onStep = (step: StmConnectStep) => this.steps.push(step);
    return this.run(connectStm(this.port, { clock: this.clock, entry: stmEntries.usual, onStep, ...options }));
  }

  /**
   * Returns a range of the simulated flash.
   *
   * @param at Offset from its start, in bytes.
   */
  flash(at: number, length: number): Uint8Array {
    return this.device.readMemory(flashStart + at, length);
  }
}

export class StmUsbRig {
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
