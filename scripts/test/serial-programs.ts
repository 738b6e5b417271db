/**
 * Finds the serial programs that the tests compare with, and strace: installed ones, otherwise the system's package
 * manager.
 */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

const programs = ['tio', 'minicom', 'picocom', 'socat', 'script', 'strace'];

export const serialPrograms: Tool = {
  group: 'unit',
  packages: ['tio', 'minicom', 'picocom', 'socat', 'bsdutils', 'strace'],
  isHere: () =>
    process.platform !== 'linux' ||
    programs.every((name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0),
};

/** Finds or installs all programs; counts missing ones as skipped. */
export const provideSerialPrograms = (): Promise<Counts> =>
  provide(
    serialPrograms,
    `Not all of ${programs.join(', ')} could be found or installed: install them. Comparisons with them are skipped.`,
  );
