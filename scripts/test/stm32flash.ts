/**
 * Finds stm32flash and socat for the tests of the simulated STM32 parts: installed ones, otherwise the system's
 * package manager.
 */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const stm32flash: Tool = { group: 'unit', packages: ['stm32flash', 'socat'], isHere: isInstalled };

/** Finds or installs both programs; counts missing ones as skipped. */
export const provideStm32flash = (): Promise<Counts> =>
  provide(stm32flash, 'No stm32flash and socat could be found or installed: install them. Their suite is skipped.');

function isInstalled(): boolean {
  const calls = [
    ['stm32flash', '-h'],
    ['socat', '-V'],
  ] as const;
  return calls.every(([program, ...args]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0);
}
