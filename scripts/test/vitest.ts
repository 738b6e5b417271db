/** Runs Vitest and counts the results of its report. */
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { countVitest } from './reports.ts';
import { type Counts, runNode } from './step.ts';

/** Folder of the runners' reports. */
export const reports = join(root, '.cache', 'test-reports');

/**
 * Runs Vitest.
 *
 * @param name Name of the report.
 * @param args Vitest arguments that select tests; empty for all.
 */
export async function runVitest(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  const file = join(reports, `${name}.json`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return countVitest(file, await runNode([vitest, 'run', ...reporting, ...args], env));
}
