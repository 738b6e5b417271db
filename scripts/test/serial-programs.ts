/** Finds the serial programs whose logs the tests open: installed ones, otherwise the system's package manager. */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

const programs = ['tio', 'minicom', 'picocom', 'socat', 'script'];

export const serialPrograms: Tool = {
  group: 'unit',
  packages: ['tio', 'minicom', 'picocom', 'socat', 'bsdutils'],
  isHere: () =>
    process.platform !== 'linux' ||
    programs.every((name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0),
};

/** Finds or installs all programs; counts missing ones as skipped. */
export const provideSerialPrograms = (): Promise<Counts> =>
  provide(
    serialPrograms,
    `Not all of ${programs.join(', ')} could be found or installed: install them. Their logs are not opened in the tests.`,
  );
