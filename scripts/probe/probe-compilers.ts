/** Provides the compilers of the RAM program: installed ones, otherwise through the system's package manager. */
import { provide, type Tool } from '../test/packages.ts';
import { type Counts, sum } from '../test/step.ts';
import { compilerFor, probeChips, toolchains } from './build-probe.ts';

export const probeCompilers = probeChips.map((chip): Tool & { readonly advice: string } => {
  const { compiler, package: name } = toolchains[chip];
  const advice = `${compiler} could not be found or installed: install the package ${name}. Its program is not rebuilt.`;
  return { group: 'unit', packages: [name], isHere: () => compilerFor(chip) !== undefined, advice };
});

/** Finds or installs all compilers; counts a missing one as skipped. */
export async function provideProbeCompilers(): Promise<Counts> {
  const counts: Counts[] = [];
  for (const tool of probeCompilers) {
    counts.push(await provide(tool, tool.advice));
  }
  return sum(counts);
}
