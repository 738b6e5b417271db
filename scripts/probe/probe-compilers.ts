/** Finds the compilers of the RAM program: installed ones, else the system's package manager. */
import { installPackages } from '../test/browser.ts';
import type { Counts } from '../test/step.ts';
import { compilerFor, probeChips, toolchains } from './build-probe.ts';

/** What cannot be had is counted as skipped. */
export function provideProbeCompilers(): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const chip of probeChips) {
    const { compiler, package: name } = toolchains[chip];
    if (compilerFor(chip) !== undefined || (installPackages(name) && compilerFor(chip) !== undefined)) {
      counts.passed++;
    } else {
      counts.skipped++;
      console.error(
        `${compiler} could not be found or installed: install the package ${name}. Its program is not rebuilt.`,
      );
    }
  }
  return counts;
}
