/**
 * Finds Espressif's esptool for the tests of the simulated chips: the one that the variable ESPTOOL names, an installed one, the
 * system's package manager; in this order.
 */
import { spawnSync } from 'node:child_process';
import { installPackages } from './browser.ts';
import { type Counts, passedOnce } from './step.ts';

/** What cannot be had is counted as skipped. */
export function provideEsptool(): Counts {
  if (isInstalled() || (installPackages('esptool') && isInstalled())) {
    return passedOnce;
  }
  console.error('No esptool could be found or installed: install it, or set ESPTOOL. Its suite is skipped.');
  return { passed: 0, failed: 0, skipped: 1 };
}

function isInstalled(): boolean {
  const { ESPTOOL } = process.env;
  return (ESPTOOL ? [ESPTOOL] : ['esptool', 'esptool.py']).some((command) => {
    const [program = '', ...args] = command.split(' ');
    return spawnSync(program, [...args, 'version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
  });
}
