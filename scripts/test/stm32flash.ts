/**
 * Finds stm32flash and socat for the tests of the simulated STM32 parts: installed ones, else the system's package manager.
 */
import { spawnSync } from 'node:child_process';
import { installPackages } from './browser.ts';
import { type Counts, passedOnce } from './step.ts';

/** What cannot be had is counted as skipped. */
export function provideStm32flash(): Counts {
  if (isInstalled() || (installPackages('stm32flash', 'socat') && isInstalled())) {
    return passedOnce;
  }
  console.error('No stm32flash and socat could be found or installed: install them. Their suite is skipped.');
  return { passed: 0, failed: 0, skipped: 1 };
}

function isInstalled(): boolean {
  const calls = [
    ['stm32flash', '-h'],
    ['socat', '-V'],
  ] as const;
  return calls.every(([program, ...args]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0);
}
