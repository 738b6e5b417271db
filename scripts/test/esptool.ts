/**
 * Finds Espressif's esptool for the tests of the simulated chips: the one that the variable ESPTOOL names, an installed one, the
 * system's package manager; in this order.
 */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const esptool: Tool = { group: 'unit', packages: ['esptool'], isHere: isInstalled };

/** What cannot be had is counted as skipped. */
export const provideEsptool = (): Promise<Counts> =>
  provide(esptool, 'No esptool could be found or installed: install it, or set ESPTOOL. Its suite is skipped.');

function isInstalled(): boolean {
  const { ESPTOOL } = process.env;
  return (ESPTOOL ? [ESPTOOL] : ['esptool', 'esptool.py']).some((command) => {
    const [program = '', ...args] = command.split(' ');
    return spawnSync(program, [...args, 'version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
  });
}
