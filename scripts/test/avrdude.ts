/** Finds avrdude for the tests of the simulated Arduino boards: the installed one, otherwise the system's package manager. */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const avrdude: Tool = { group: 'unit', packages: ['avrdude'], isHere: isInstalled };

/** Finds or installs the program; counts a missing one as skipped. */
export const provideAvrdude = (): Promise<Counts> =>
  provide(avrdude, 'No avrdude could be found or installed: install it. Its suite is skipped.');

function isInstalled(): boolean {
  return spawnSync('avrdude', ['-?'], { stdio: 'ignore' }).status === 0;
}
