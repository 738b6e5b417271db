/** A simulated board with its breadboard and a lab on it, for one piece of work: opened before, left and looked at afterwards. */
import { type LabBreadboard, labBreadboard } from '@wirebench/devices';
import { expect } from 'vitest';
import { i2cUp } from '../instruments/i2c.ts';
import type { Lab, OpenLabOptions } from '../lab.ts';
import { LabRig, type LabRigOptions } from './lab-rig.ts';

export interface Bench {
  readonly rig: LabRig;
  readonly board: LabBreadboard;
  readonly lab: Lab;
  /** Milliseconds that opening took. */
  readonly openedIn: number;
  /** Moves time on until `work` has ended. */
  run<Result>(work: Promise<Result>): Promise<Result>;
}

export interface BenchOptions extends Partial<LabRigOptions> {
  readonly opening?: Partial<OpenLabOptions>;
  /** Sent frames are not compared with the policy: a program in RAM was loaded, and has rules of its own. */
  readonly isUnwatched?: boolean;
}

/** Hz. */
export const busClock = 100_000;

/**
 * Opens the lab, works, leaves; then the whole flash holds what it held, the board runs its own program again, and nothing was sent
 * that no lab may send.
 */
export async function onBench(
  chip: 'esp32' | 'esp32c3',
  work: (bench: Bench) => Promise<void>,
  { opening, isUnwatched = false, ...options }: BenchOptions = {},
): Promise<void> {
  const board = labBreadboard(chip);
  const rig = new LabRig({ ...options, chip, breadboard: board });
  const { flash } = rig.device;
  const before = Buffer.from(flash.read(0, flash.size));
  const since = rig.clock.now();
  const lab = await rig.open(opening);
  await work({ rig, board, lab, openedIn: rig.clock.now() - since, run: (doing) => rig.run(doing) });
  await rig.run(lab.leave());
  await rig.clock.advance(2_000);
  expect(rig.device.state).toBe('running');
  expect(before.equals(Buffer.from(flash.read(0, flash.size)))).toBe(true);
  expect(flash.erasedBytes + flash.programmedBytes).toBe(0);
  if (!isUnwatched) {
    expect(rig.problems()).toEqual([]);
  }
}

/** Brings the breadboard's bus up. */
export function busUp({ lab, board, run }: Bench): Promise<void> {
  const { sda, scl } = board.pins;
  return run(lab.run(i2cUp(lab.chip, { sda, scl, clock: busClock })));
}
