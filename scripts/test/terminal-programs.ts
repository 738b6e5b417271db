/**
 * Finds the programs that the terminal of a Screen and the runs of panels are compared with: installed ones, otherwise
 * the system's package manager.
 */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

const programs = ['tmux', 'bash', 'vim', 'htop', 'vttest', 'script', 'agetty', 'expect', 'qemu-system-arm'];

export const terminalPrograms: Tool = {
  group: 'unit',
  packages: [
    'tmux',
    'bash',
    'vim',
    'htop',
    'vttest',
    'bsdutils',
    'util-linux',
    'expect',
    'qemu-system-arm',
    'u-boot-qemu',
  ],
  isHere: () =>
    process.platform !== 'linux' ||
    programs.every((name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0),
};

/** Finds or installs all programs; counts missing ones as skipped. */
export const provideTerminalPrograms = (): Promise<Counts> =>
  provide(
    terminalPrograms,
    `Not all of ${programs.join(', ')} could be found or installed: install them. Comparisons with them are skipped.`,
  );
