/**
 * Finds Espressif's esptool for the tests of the simulated chips, in this order: the variable ESPTOOL, an installed
 * one, the system's package manager.
 */
import { spawnSync } from 'node:child_process';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const esptool: Tool = { group: 'unit', packages: ['esptool'], isHere: isInstalled };

/** Finds or installs esptool; counts a missing one as skipped. */
export const provideEsptool = (): Promise<Counts> =>
  provide(esptool, 'No esptool could be found or installed: install it, or set ESPTOOL. Its suite is skipped.');

function isInstalled(): boolean {
  const { ESPTOOL } = process.env;
  return (ESPTOOL ? [ESPTOOL] : ['esptool', 'esptool.py']).some((command) => {
    const [program = '', ...args] = command.split(' ');
    return spawnSync(program, [...args, 'version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
  });
}
