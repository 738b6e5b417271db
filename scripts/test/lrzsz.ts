/** Finds lrzsz for the tests of file transfers: the installed one, otherwise the system's package manager. */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const lrzsz: Tool = { group: 'unit', packages: ['lrzsz'], isHere: isInstalled };

/** Finds or installs the programs; counts missing ones as skipped. */
export const provideLrzsz = (): Promise<Counts> =>
  provide(lrzsz, 'No lrzsz could be found or installed: install it. Its suite is skipped.');

function isInstalled(): boolean {
  return ['sz', 'rz'].every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0);
}
