/** A simulated board with its breadboard and an open lab, for one test. The board is checked after leaving. */
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
  /** Moves the clock until `work` settles. */
  run<Result>(work: Promise<Result>): Promise<Result>;
}

export interface BenchOptions extends Partial<LabRigOptions> {
  readonly opening?: Partial<OpenLabOptions>;
  /** True: sent frames are not checked against the policy, because a program in RAM has rules of its own. */
  readonly isUnwatched?: boolean;
}

/** Hz. */
export const busClock = 100_000;

/**
 * Opens the lab, runs `work` and leaves. Then it asserts that the flash is unchanged, the board runs its own program,
 * and nothing forbidden was sent.
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

/** Sets the controller up for the breadboard's bus. */
export function busUp({ lab, board, run }: Bench): Promise<void> {
  const { sda, scl } = board.pins;
  return run(lab.run(i2cUp(lab.chip, { sda, scl, clock: busClock })));
}
